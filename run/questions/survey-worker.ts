import { answerQuestions } from '../worker-process.ts';
import { surveyAnswer } from './survey-rows.ts';

/** The process that fills the rows of a survey, one object at a time. */
answerQuestions(surveyAnswer);
