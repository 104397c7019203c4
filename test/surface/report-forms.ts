import { randomUUID } from 'node:crypto';

export const REPORTS = '/api/support/reports';
export const MIB = 1024 * 1024;

/** The maximum size of a report's file in bytes. */
export const MAX_FILE = 20 * MIB;

/** The fields of a new report. */
export const reportFields = (more: Record<string, string> = {}): Record<string, string> => ({
  kind: 'app_report',
  summary: 'The timer stops',
  detail: randomUUID(),
  ...more,
});

type Part = { name?: string; bytes: Buffer; filename?: string; type?: string };

/** A form with these fields and files. */
export const reportForm = (texts: Record<string, string>, ...files: Part[]): FormData => {
  const made = new FormData();
  for (const [name, text] of Object.entries(texts)) made.append(name, text);
  for (const { name = 'bundle', bytes, filename = 'bundle.zip', type = 'application/zip' } of files) {
    made.append(name, new Blob([new Uint8Array(bytes)], { type }), filename);
  }
  return made;
};
