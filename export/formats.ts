import type { ExportFormat } from './format-names.ts';
import { goEnvtest } from './go-envtest.ts';
import { kubectlScript } from './kubectl.ts';
import { nodeTest } from './node-test.ts';
import type { TestCase } from './test-case.ts';

const FORMATS: Readonly<Record<ExportFormat, (test: TestCase) => string>> = {
  'go-envtest': goEnvtest,
  kubectl: kubectlScript,
  'node-test': nodeTest,
};

/** The test as source code. */
export function written(test: TestCase, format: ExportFormat): string {
  return FORMATS[format](test);
}
