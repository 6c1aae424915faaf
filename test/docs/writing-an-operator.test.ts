import { testProgramOf } from './page-program.ts';

testProgramOf('writing-an-operator.md');
