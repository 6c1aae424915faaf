/**
 * What tests are written in. The command line needs the names for `--help`, so this file loads
 * nothing.
 */
export const EXPORT_FORMATS = ['go-envtest', 'kubectl', 'node-test'] as const;

export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export function isExportFormat(word: string): word is ExportFormat {
  return EXPORT_FORMATS.some((format) => format === word);
}
