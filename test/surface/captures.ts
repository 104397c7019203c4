import { createHash } from 'node:crypto';

/* Requests of collectors: valid fields and forms, and images of any size. */

export const RUNS = '/api/agent/collect/runs';

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

/** A PNG of one pixel and this many bytes; readers ignore the bytes after its end. */
export const aPng = (bytes = PIXEL.length): Buffer => Buffer.concat([PIXEL, Buffer.alloc(bytes - PIXEL.length)]);

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** The key of the n-th page. */
export const aCaptureKey = (n: number): string => String(n).padStart(40, '0');

export const runBody = { viewports: ['desktop'], langs: ['ko', 'en'], apps: ['core', 'app'] } as const;

/** The fields of a page's capture, as a form sends them. */
export const captureFields = (more: Record<string, string> = {}): Record<string, string> => ({
  key: aCaptureKey(1),
  url: 'https://app.example.com/orders',
  viewport: 'desktop',
  lang: 'en',
  auth: '1',
  outcome: 'ok',
  meta: JSON.stringify({ title: 'Your orders', app: 'core', flow: 'Buying', step: 4 }),
  ...more,
});

/** The fields of an asset with these bytes. */
export const assetFields = (bytes: Uint8Array, more: Record<string, string> = {}): Record<string, string> => ({
  sha256: sha256Of(bytes),
  type: 'css',
  url: 'https://app.example.com/main.css',
  ...more,
});

/** A form with these fields, and files by the name of their part. */
export const uploadForm = (
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Uint8Array>> = {},
): FormData => {
  const form = new FormData();
  for (const [name, text] of Object.entries(fields)) form.append(name, text);
  for (const [name, bytes] of Object.entries(files)) form.append(name, new Blob([new Uint8Array(bytes)]), name);
  return form;
};
