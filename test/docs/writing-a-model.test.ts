import { testProgramOf } from './page-program.ts';

testProgramOf('writing-a-model.md');
