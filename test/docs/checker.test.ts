import { testProgramOf } from './page-program.ts';

testProgramOf('checker.md', 1);
