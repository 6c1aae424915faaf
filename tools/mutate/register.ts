import { register } from 'node:module';

/** Loaded before everything else in a process that runs mutants. */
register('./hooks.js', import.meta.url);
