import { EXAMPLE_SHA256, inGroup } from '../documented.ts';

export const designCollectTexts = inGroup('Collect', {
  openCollectRun: {
    summary: 'Open a collect run',
    description:
      'Opens a run, which takes the lock on collecting: one run collects at a time. Another run that holds the lock is named by the 409. The lock is a lease, which uploads renew; a run without uploads expires when its lease ends, and the next run can open. `apps` is null for all of them.',
    bodyExample: { viewports: ['desktop', 'mobile'], langs: ['ko', 'en'], apps: ['core', 'support'] },
  },
  getCollectRun: {
    summary: 'Get a collect run',
    description:
      'The state of a run that this agent opened, the number of its uploads, and the progress of its replay with the first problems.',
  },
  uploadCollectAsset: {
    summary: 'Upload an asset',
    description:
      'Keeps a style sheet or script that pages of the run load from `url`. `sha256` must be that of the file. The same bytes at the same address are kept once and answered as `duplicate`. A run takes 5000 assets.',
    bodyExample: { sha256: EXAMPLE_SHA256, type: 'css', url: 'https://app.example.com/main.css' },
  },
  uploadCollectCapture: {
    summary: 'Upload a capture',
    description:
      'Keeps one page: its facts, its `image` (PNG or JPEG of at most 40 megapixels) and its `html`. A capture that failed or was redirected needs neither. `key` names the page, its viewport and language in every run; the same key again replaces the capture and keeps its number. `meta` is a JSON object with `title`, `app` (one that the run collects), `flow`, `step`, `platform`, `mode`, `kind` and `patterns`, each of which may be missing. `assets` is a JSON array of `{url, sha256}`, at most 300, that names the assets of the run which the page loads. A file that is too large for the way to the server may be promised: without the file, `image_sha256` and `image_size` (or `html_sha256` and `html_size`) are answered by `uploads`, which takes the bytes for 15 minutes. A run takes 5000 captures.',
    bodyExample: {
      key: 'b3c6e0d4a8f14e5c9d2b7a6f0e1c3d5b7f9a1c2e',
      url: 'https://app.example.com/orders',
      viewport: 'desktop',
      lang: 'en',
      auth: true,
      outcome: 'ok',
      meta: '{"title":"Your orders","app":"core","flow":"Buying","step":4}',
    },
  },
  failCollectRun: {
    summary: 'Give a collect run up',
    description: 'Closes a run before its submission, as failed, and frees the lock. The body may be left out.',
    bodyExample: { error: 'The browser was closed.' },
  },
  submitCollectRun: {
    summary: 'Submit a collect run',
    description:
      'Closes a run, frees the lock, and queues the replay, which turns the captures into screens of the gallery in the order of their numbers. The run tells its progress. The body may be left out.',
    bodyExample: { accounts: [{ found: true, reason: null }], build_versions: ['2026.11.3'] },
  },
});
