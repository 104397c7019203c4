import * as z from 'zod';
import { ASSET_TYPES, MODES, OUTCOMES, PLATFORMS_SHOWN } from '../../../domain/design/collect/capture.ts';
import { APPS, LANGS, PROBLEM_CODES, RUN_STATES, VIEWPORTS } from '../../../domain/design/collect/run.ts';
import { component, dateTime, EXAMPLE_SHA256, id, inGroup, nullableText } from './fields.ts';

const count = z.int();
const sha256 = z.string();

const replay = component('ReplayProgressData', {
  total: count,
  done: count.describe('captures that the replay has dealt with, of `total`'),
  screens_added: count,
  screens_changed: count,
  screens_unchanged: count,
  skipped: count.describe('captures that the collector reported as failed or redirected'),
  problems: count,
});

const problem = component('ReplayProblemData', {
  capture: count,
  key: z.string(),
  code: z.enum(PROBLEM_CODES),
  message: z.string(),
});

const CollectRunData = component('CollectRunData', {
  run: z.object({
    id,
    state: z
      .enum([...RUN_STATES, 'expired'])
      .describe(
        '`collecting` until it is submitted, fails, or expires because no upload renewed its lease; then `submitted`, `replaying` and `replayed`',
      ),
    agent: z.object({ id, name: z.string() }),
    viewports: z.array(z.enum(VIEWPORTS)),
    langs: z.array(z.enum(LANGS)),
    apps: z.array(z.enum(APPS)).nullable(),
    opened_at: dateTime,
    lease_expires_at: dateTime.nullable().describe('null once the run collects no more'),
    submitted_at: dateTime.nullable(),
    ended_at: dateTime.nullable(),
    error: nullableText,
    accounts: z.array(z.object({ found: z.boolean(), reason: nullableText })).nullable(),
    build_versions: z.array(z.string()).nullable(),
    uploads: z.object({ assets: count, captures: count }),
    replay: replay.nullable(),
    problems: z.array(problem).describe('the first 50; `replay.problems` counts them all'),
  }),
});

const signedUpload = component(
  'SignedUploadData',
  {
    method: z.literal('PUT'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).describe('send exactly these, and no Authorization'),
    expires_at: dateTime,
  },
  'a request that takes exactly the promised bytes, once',
);

export const collectDocumentation = inGroup('Collect', {
  openCollectRun: {
    summary: 'Open a collect run',
    description:
      'Opens a run, which takes the lock on collecting: one run collects at a time. Another run that holds the lock is named by the 409. The lock is a lease, which uploads renew; a run without uploads expires when its lease ends, and the next run can open. `apps` is null for all of them.',
    bodyExample: { viewports: ['desktop', 'mobile'], langs: ['ko', 'en'], apps: ['core', 'support'] },
    answer: CollectRunData,
  },
  getCollectRun: {
    summary: 'Get a collect run',
    description:
      'The state of a run that this agent opened, the number of its uploads, and the progress of its replay with the first problems.',
    answer: CollectRunData,
  },
  uploadCollectAsset: {
    summary: 'Upload an asset',
    description:
      'Keeps a style sheet or script that pages of the run load from `url`. `sha256` must be that of the file. The same bytes at the same address are kept once and answered as `duplicate`. A run takes 5000 assets.',
    bodyExample: { sha256: EXAMPLE_SHA256, type: 'css', url: 'https://app.example.com/main.css' },
    answer: component('CollectAssetData', {
      asset: z.object({ sha256, type: z.enum(ASSET_TYPES), url: z.string(), size: z.int() }),
      duplicate: z.boolean().describe('true if the run had these bytes at this address'),
    }),
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
    answer: component('CollectCaptureData', {
      capture: z.object({
        number: z.int().describe('the place in the run, from 1 on'),
        key: z.string(),
        url: z.string(),
        viewport: z.enum(VIEWPORTS),
        lang: z.enum(LANGS),
        outcome: z.enum(OUTCOMES),
        meta: component(
          'CaptureMetaData',
          {
            title: nullableText,
            app: z.enum(APPS).nullable(),
            flow: nullableText,
            step: z.int().nullable(),
            platform: z.enum(PLATFORMS_SHOWN).nullable(),
            mode: z.enum(MODES).nullable(),
            kind: nullableText,
            patterns: z.array(z.string()),
          },
          'the facts that were read from `meta`',
        ),
        image: z
          .object({
            sha256,
            size: z.int(),
            type: z.enum(['image/png', 'image/jpeg']).nullable().describe('null for a promised image'),
            width: z.int().nullable(),
            height: z.int().nullable(),
          })
          .nullable(),
        html: z.object({ sha256, size: z.int() }).nullable(),
        received_at: dateTime,
      }),
      replaced: z.boolean().describe('true if the run had a capture of this key'),
      uploads: z
        .object({ image: signedUpload.optional(), html: signedUpload.optional() })
        .nullable()
        .describe('requests that upload the promised files; null if the store lacks none of them'),
    }),
  },
  failCollectRun: {
    summary: 'Give a collect run up',
    description: 'Closes a run before its submission, as failed, and frees the lock. The body may be left out.',
    bodyExample: { error: 'The browser was closed.' },
    answer: CollectRunData,
  },
  submitCollectRun: {
    summary: 'Submit a collect run',
    description:
      'Closes a run, frees the lock, and queues the replay, which turns the captures into screens of the gallery in the order of their numbers. The run tells its progress. The body may be left out.',
    bodyExample: { accounts: [{ found: true, reason: null }], build_versions: ['2026.11.3'] },
    answer: CollectRunData,
  },
});

const message = z.string();

/** The answers to a run beside which another one collects, and to a run that takes nothing more. */
export const collectRefusals = {
  collect_run_held: {
    schema: component(
      'HeldRunData',
      { message, run: z.object({ id, agent: z.string(), opened_at: dateTime, lease_expires_at: dateTime }) },
      'the run that holds the lock on collecting',
    ),
  },
  collect_run_closed: {
    schema: component('ClosedRunData', { message, run: z.object({ id, state: z.enum([...RUN_STATES, 'expired']) }) }),
  },
};
