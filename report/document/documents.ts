import type { FactsReport } from '../../conformance/facts/report.ts';
import type { TracesReport } from '../../conformance/recordings/report.ts';
import type { GateDocument } from './gate-document.ts';
import type { ResultDocument } from './result-document.ts';

/** Every document that a command ends with: told apart by `schema`, rendered by each format. */
export type ReportDocument = ResultDocument | GateDocument | FactsReport | TracesReport;
