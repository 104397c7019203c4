const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

const run = {
  id: 373_283_905_540_002,
  state: 'collecting',
  agent: { id: 373_283_905_530_001, name: 'Nightly collector' },
  viewports: ['desktop', 'mobile'],
  langs: ['ko', 'en'],
  apps: ['core', 'support'],
  opened_at: '2026-11-21T08:00:00.000Z',
  lease_expires_at: '2026-11-21T08:10:00.000Z',
  submitted_at: null,
  ended_at: null,
  error: null,
  accounts: null,
  build_versions: null,
  uploads: { assets: 0, captures: 0 },
  replay: null,
  problems: [],
};

const uploads = { assets: 12, captures: 48 };
const closed = { lease_expires_at: null, uploads };
const submitted = {
  ...run,
  ...closed,
  state: 'submitted',
  submitted_at: '2026-11-21T08:20:00.000Z',
  accounts: [{ found: true, reason: null }],
  build_versions: ['2026.11.3'],
};

/** Example answers of the endpoints for collectors. */
export const collectExamples = {
  collectRun: { run },
  collectRunReplayed: {
    run: {
      ...submitted,
      state: 'replayed',
      ended_at: '2026-11-21T08:21:30.000Z',
      replay: {
        total: 48,
        done: 48,
        screens_added: 3,
        screens_changed: 5,
        screens_unchanged: 38,
        skipped: 2,
        problems: 1,
      },
      problems: [
        {
          capture: 7,
          key: 'b3c6e0d4a8f14e5c9d2b7a6f0e1c3d5b7f9a1c2e',
          code: 'asset_missing',
          message: 'The run has no style sheet https://app.example.com/main.css; upload it as an asset.',
        },
      ],
    },
  },
  collectRunFailed: {
    run: {
      ...run,
      ...closed,
      state: 'failed',
      ended_at: '2026-11-21T08:05:00.000Z',
      error: 'The browser was closed.',
    },
  },
  collectRunSubmitted: { run: submitted },
  collectAsset: {
    asset: { sha256, type: 'css', url: 'https://app.example.com/main.css', size: 18_204 },
    duplicate: false,
  },
  collectCapture: {
    capture: {
      number: 7,
      key: 'b3c6e0d4a8f14e5c9d2b7a6f0e1c3d5b7f9a1c2e',
      url: 'https://app.example.com/orders',
      viewport: 'desktop',
      lang: 'en',
      outcome: 'ok',
      meta: {
        title: 'Your orders',
        app: 'core',
        flow: 'Buying',
        step: 4,
        platform: 'web',
        mode: 'light',
        kind: 'list',
        patterns: [],
      },
      image: { sha256, size: 284_113, type: 'image/png', width: 1440, height: 900 },
      html: { sha256, size: 41_022 },
      received_at: '2026-11-21T08:04:12.000Z',
    },
    replaced: false,
    uploads: null,
  },
} as const;
