import { register } from 'node:module';

/**
 * For tests that give a module in TypeScript to the command line in process. Without this, it would
 * depend on the version of Node.js whether it loads one.
 */
register('./typescript-hooks.mjs', import.meta.url);
