import { answerQuestions } from '../worker-process.ts';
import { answered } from './answer.ts';
import type { SurveyAnswer, SurveyQuestion } from './survey.ts';
import { surveyRows } from './survey-rows.ts';

/** The process that fills the rows of a survey, one object at a time. */
answerQuestions<SurveyQuestion, SurveyAnswer>(
  async ({ columns, seconds, search, acceptBounded, limits, commands }) => {
    const found = await answered('survey', columns, seconds, {
      search,
      acceptBounded,
      limits,
      onProgress: () => undefined,
      interrupted: () => false,
    });
    return surveyRows(found, columns, (cascade) => commands[cascade] ?? '');
  },
);
