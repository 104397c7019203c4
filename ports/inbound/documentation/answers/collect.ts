import * as z from 'zod';
import { ASSET_TYPES, MODES, OUTCOMES, PLATFORMS_SHOWN } from '../../../../domain/collect/capture.ts';
import { APPS, LANGS, PROBLEM_CODES, RUN_STATES, VIEWPORTS } from '../../../../domain/collect/run.ts';
import { dateTime, id, nullableText } from './fields.ts';

const count = z.int();
const sha256 = z.string();

const replay = z
  .object({
    total: count,
    done: count.meta({ description: 'captures that the replay has dealt with, of `total`' }),
    screens_added: count,
    screens_changed: count,
    screens_unchanged: count,
    skipped: count.meta({ description: 'captures that the collector reported as failed or redirected' }),
    problems: count,
  })
  .meta({ id: 'ReplayProgressData' });

const problem = z
  .object({ capture: count, key: z.string(), code: z.enum(PROBLEM_CODES), message: z.string() })
  .meta({ id: 'ReplayProblemData' });

export const CollectRunData = z
  .object({
    run: z.object({
      id,
      state: z.enum([...RUN_STATES, 'expired']).meta({
        description:
          '`collecting` until it is submitted, fails, or expires because no upload renewed its lease; then `submitted`, `replaying` and `replayed`',
      }),
      agent: z.object({ id, name: z.string() }),
      viewports: z.array(z.enum(VIEWPORTS)),
      langs: z.array(z.enum(LANGS)),
      apps: z.array(z.enum(APPS)).nullable(),
      opened_at: dateTime,
      lease_expires_at: dateTime.nullable().meta({ description: 'null once the run collects no more' }),
      submitted_at: dateTime.nullable(),
      ended_at: dateTime.nullable(),
      error: nullableText,
      accounts: z.array(z.object({ found: z.boolean(), reason: nullableText })).nullable(),
      build_versions: z.array(z.string()).nullable(),
      uploads: z.object({ assets: count, captures: count }),
      replay: replay.nullable(),
      problems: z.array(problem).meta({ description: 'the first 50; `replay.problems` counts them all' }),
    }),
  })
  .meta({ id: 'CollectRunData' });

export const CollectAssetData = z
  .object({
    asset: z.object({ sha256, type: z.enum(ASSET_TYPES), url: z.string(), size: z.int() }),
    duplicate: z.boolean().meta({ description: 'true if the run had these bytes at this address' }),
  })
  .meta({ id: 'CollectAssetData' });

const meta = z
  .object({
    title: nullableText,
    app: z.enum(APPS).nullable(),
    flow: nullableText,
    step: z.int().nullable(),
    platform: z.enum(PLATFORMS_SHOWN).nullable(),
    mode: z.enum(MODES).nullable(),
    kind: nullableText,
    patterns: z.array(z.string()),
  })
  .meta({ id: 'CaptureMetaData', description: 'the facts that were read from `meta`' });

const signedUpload = z
  .object({
    method: z.literal('PUT'),
    url: z.string(),
    headers: z.record(z.string(), z.string()).meta({ description: 'send exactly these, and no Authorization' }),
    expires_at: dateTime,
  })
  .meta({ id: 'SignedUploadData', description: 'a request that takes exactly the promised bytes, once' });

export const CollectCaptureData = z
  .object({
    capture: z.object({
      number: z.int().meta({ description: 'the place in the run, from 1 on' }),
      key: z.string(),
      url: z.string(),
      viewport: z.enum(VIEWPORTS),
      lang: z.enum(LANGS),
      outcome: z.enum(OUTCOMES),
      meta,
      image: z
        .object({
          sha256,
          size: z.int(),
          type: z.enum(['image/png', 'image/jpeg']).nullable().meta({ description: 'null for a promised image' }),
          width: z.int().nullable(),
          height: z.int().nullable(),
        })
        .nullable(),
      html: z.object({ sha256, size: z.int() }).nullable(),
      received_at: dateTime,
    }),
    replaced: z.boolean().meta({ description: 'true if the run had a capture of this key' }),
    uploads: z
      .object({ image: signedUpload.optional(), html: signedUpload.optional() })
      .nullable()
      .meta({ description: 'requests that upload the promised files; null if the store lacks none of them' }),
  })
  .meta({ id: 'CollectCaptureData' });
