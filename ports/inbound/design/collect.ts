import * as z from 'zod';
import {
  ASSET_TYPES,
  MAX_ASSET_BYTES,
  MAX_HTML_BYTES,
  MAX_IMAGE_BYTES,
  MODES,
  OUTCOMES,
  PLATFORMS_SHOWN,
} from '../../../domain/design/collect/capture.ts';
import { APPS, LANGS, PROBLEM_CODES, RUN_STATES, VIEWPORTS } from '../../../domain/design/collect/run.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, laxBoolean, line, orNull, pathId, prose } from '../fields.ts';

const KIB = 1024;

const sha256Named = (field: string) =>
  z.string().regex(/^[0-9a-f]{64}$/, `The ${field} field must be 64 characters of lower-case hex.`);
const sha256 = sha256Named('sha256');
const promised = (part: string, maxBytes: number) => ({
  sha256: orNull(sha256Named(`${part}_sha256`)).meta({
    description: `SHA-256 of the ${part}; without the file itself, the ${part} is promised`,
  }),
  size: orNull(bodyInteger({ minimum: 1, maximum: maxBytes })).meta({ description: `bytes of the promised ${part}` }),
});
const image = promised('image', MAX_IMAGE_BYTES);
const html = promised('html', MAX_HTML_BYTES);
const some = <T extends readonly [string, ...string[]]>(values: T) => z.array(z.enum(values)).max(values.length);

const collects = { host: 'design', method: 'POST', access: { credential: 'agent', role: 'collect' } } as const;
const collecting = endpointsOf(collects);
const onRun = endpointsOf({ ...collects, params: () => z.object({ run: pathId('id of the run') }) });
const created = { kind: 'json', status: 201 } as const;

const RunBody = () =>
  component('CollectRunBody', {
    viewports: some(VIEWPORTS).min(1),
    langs: some(LANGS).min(1),
    apps: orNull(some(APPS)),
  });

const AssetBody = () => component('CollectAssetBody', { sha256, type: z.enum(ASSET_TYPES), url: line(2000, 1) });

/** The URL of a page, which the gallery shows as a link. */
const pageAddress = (least?: number) =>
  line(2000, least).refine(
    (text) => /^https?:$/.test(URL.parse(text, 'https://page.invalid')?.protocol ?? ''),
    'must be an address of http or https.',
  );

const CaptureBody = () =>
  component('CollectCaptureBody', {
    key: line(40, 40),
    url: pageAddress(1),
    viewport: z.enum(VIEWPORTS),
    lang: z.enum(LANGS),
    auth: laxBoolean,
    outcome: z.enum(OUTCOMES),
    message: orNull(prose(2000)),
    login_stage: orNull(laxBoolean),
    saved_state: orNull(laxBoolean),
    final_url: orNull(pageAddress()),
    http_status: orNull(bodyInteger({ minimum: 100, maximum: 599 })),
    meta: orNull(z.string().max(16 * KIB)).meta({ description: 'JSON' }),
    assets: orNull(z.string().max(200 * KIB)).meta({ description: 'JSON' }),
    image_sha256: image.sha256,
    image_size: image.size,
    html_sha256: html.sha256,
    html_size: html.size,
  });

const count = z.int();

const keptSha256 = z.string();

const replay = once(() =>
  component('ReplayProgressData', {
    total: count,
    done: count.describe('captures that the replay has dealt with, of `total`'),
    screens_added: count,
    screens_changed: count,
    screens_unchanged: count,
    skipped: count.describe('captures that the collector reported as failed or redirected'),
    problems: count,
  }),
);

const problem = once(() =>
  component('ReplayProblemData', {
    capture: count,
    key: z.string(),
    code: z.enum(PROBLEM_CODES),
    message: z.string(),
  }),
);

const collectRunData = once(() =>
  component('CollectRunData', {
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
      replay: replay().nullable(),
      problems: z.array(problem()).describe('the first 50; `replay.problems` counts them all'),
    }),
  }),
);

const signedUpload = once(() =>
  component(
    'SignedUploadData',
    {
      method: z.literal('PUT'),
      url: z.string(),
      headers: z.record(z.string(), z.string()).describe('send exactly these, and no Authorization'),
      expires_at: dateTime,
    },
    'a request that takes exactly the promised bytes, once',
  ),
);

export const openCollectRun = collecting({
  id: 'openCollectRun',
  path: '/api/agent/collect/runs',
  body: RunBody,
  answer: collectRunData,
  output: created,
  refusals: ['collect_run_held'],
});

export const getCollectRun = onRun({
  id: 'getCollectRun',
  method: 'GET',
  path: '/api/agent/collect/runs/{run}',
  answer: collectRunData,
  refusals: ['not_found'],
});

export const uploadCollectAsset = onRun({
  id: 'uploadCollectAsset',
  path: '/api/agent/collect/runs/{run}/assets',
  body: AssetBody,
  files: { file: { maxBytes: MAX_ASSET_BYTES, required: true } },
  answer: () =>
    component('CollectAssetData', {
      asset: z.object({ sha256: keptSha256, type: z.enum(ASSET_TYPES), url: z.string(), size: z.int() }),
      duplicate: z.boolean().describe('true if the run had these bytes at this address'),
    }),
  output: created,
  refusals: ['not_found', 'collect_run_closed', 'validation_failed'],
});

export const uploadCollectCapture = onRun({
  id: 'uploadCollectCapture',
  path: '/api/agent/collect/runs/{run}/captures',
  body: CaptureBody,
  bodyLimit: 512 * KIB,
  files: {
    image: { maxBytes: MAX_IMAGE_BYTES, required: false },
    html: { maxBytes: MAX_HTML_BYTES, required: false },
  },
  answer: () =>
    component('CollectCaptureData', {
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
            sha256: keptSha256,
            size: z.int(),
            type: z.enum(['image/png', 'image/jpeg']).nullable().describe('null for a promised image'),
            width: z.int().nullable(),
            height: z.int().nullable(),
          })
          .nullable(),
        html: z.object({ sha256: keptSha256, size: z.int() }).nullable(),
        received_at: dateTime,
      }),
      replaced: z.boolean().describe('true if the run had a capture of this key'),
      uploads: z
        .object({ image: signedUpload().optional(), html: signedUpload().optional() })
        .nullable()
        .describe('requests that upload the promised files; null if the store lacks none of them'),
    }),
  output: created,
  refusals: ['not_found', 'collect_run_closed', 'validation_failed'],
});

export const failCollectRun = onRun({
  id: 'failCollectRun',
  path: '/api/agent/collect/runs/{run}/fail',
  body: () => component('CollectFailureBody', { error: orNull(prose(2000)) }),
  answer: collectRunData,
  refusals: ['not_found', 'collect_run_closed'],
});

export const submitCollectRun = onRun({
  id: 'submitCollectRun',
  path: '/api/agent/collect/runs/{run}/submit',
  body: () =>
    component('CollectSubmissionBody', {
      accounts: orNull(z.array(z.object({ found: laxBoolean, reason: orNull(prose(200)) })).max(100)),
      build_versions: orNull(z.array(line(64)).max(100)),
    }),
  answer: collectRunData,
  refusals: ['not_found', 'collect_run_closed'],
});
