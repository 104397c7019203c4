import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { CaptureFields } from '../../application/design/collect/uploads.ts';
import type { ReceivedFile } from '../../application/shared/files.ts';
import type { CollectLock, CollectRun } from '../../domain/design/collect/run.ts';
import { newRun, type RunInput } from '../../domain/design/collect/run-rules.ts';
import { NOW } from './builders.ts';

/** The agent of these builders. */
export const AGENT = { id: 3, name: 'Nightly collector' };

export const aRunInput = (overrides: Partial<RunInput> = {}): RunInput => ({
  viewports: ['desktop'],
  langs: ['en'],
  apps: ['core', 'app'],
  ...overrides,
});

/** A run that started collecting now. */
export const aRun = (overrides: Partial<CollectRun> = {}): CollectRun => ({
  ...newRun(aRunInput(), { id: 5, agent: AGENT }, NOW),
  ...overrides,
});

/** The lock of that run until this moment. */
export const aLock = (expires_at: string, overrides: Partial<CollectLock> = {}): CollectLock => ({
  run_id: 5,
  agent_name: AGENT.name,
  opened_at: NOW,
  expires_at,
  ...overrides,
});

/** The key of the n-th page. */
export const captureKey = (n: number): string => String(n).padStart(40, '0');

/** The fields of the n-th page's capture. */
export const someFields = (n: number, overrides: Partial<CaptureFields> = {}): CaptureFields => ({
  key: captureKey(n),
  url: `https://app.example.com/pages/${n}`,
  viewport: 'desktop',
  lang: 'en',
  auth: false,
  outcome: 'ok',
  message: null,
  login_stage: null,
  saved_state: null,
  final_url: null,
  http_status: 200,
  meta: null,
  assets: null,
  ...overrides,
});

/** An uploaded file of these bytes. */
export const anUpload = (bytes: Uint8Array | string): ReceivedFile => {
  const kept = Buffer.from(bytes);
  return {
    name: 'file',
    type: 'application/octet-stream',
    size: kept.length,
    sha256: createHash('sha256').update(kept).digest('hex'),
    open: () => Readable.from([kept]),
  };
};
