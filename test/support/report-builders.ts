import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReceivedFile } from '../../application/shared/files.ts';
import type { ErrorDetails } from '../../domain/support/error-report.ts';
import type { SupportReport } from '../../domain/support/ticket.ts';

/** The address of a sender of error reports. */
export const SENDER = { kind: 'address', address: '192.0.2.1' } as const;

/** A buyer's report about the application Clock. */
export const aReport = (overrides: Partial<SupportReport> = {}): SupportReport => ({
  kind: 'app_report',
  summary: 'It stops',
  detail: 'After a minute the clock stops.',
  app_bundle_id: 'com.example.clock',
  app_version: '1.0.0',
  macos_version: null,
  device_id: null,
  ...overrides,
});

/** A file in a report. */
export const aFile = (text: string, overrides: Partial<ReceivedFile> = {}): ReceivedFile => ({
  name: 'clock.log',
  type: 'text/plain',
  size: Buffer.byteLength(text),
  sha256: hash('sha256', text),
  open: () => Readable.from([Buffer.from(text)]),
  ...overrides,
});

/** A crash of the application Clock, in a function with this name. */
export const aCrash = (at: string, overrides: Partial<ErrorDetails> = {}): ErrorDetails => ({
  app_bundle_id: 'com.example.clock',
  app_version: '1.0.0',
  os_version: null,
  device_model: null,
  error_type: 'crash',
  error_message: 'TypeError: no hands',
  stack_trace: `TypeError: no hands\n    at ${at} (clock.js:1:1)`,
  context: null,
  ...overrides,
});
