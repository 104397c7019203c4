import * as z from 'zod';
import { CHANNELS, PLATFORMS } from '../../../domain/delivery/channel.ts';
import {
  BUILD,
  LONGEST_BUILD,
  LONGEST_SYSTEM_VERSION,
  SYSTEM_VERSION,
} from '../../../domain/delivery/sparkle-terms.ts';
import { id, instant, line, localized, optionalText, relativePath } from './fields.ts';

const file = {
  file: relativePath,
  filename: line
    .nullable()
    .default(null)
    .meta({ description: 'the name it is downloaded under; the file’s own if left out' }),
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')
    .nullable()
    .default(null),
};

const build = z.string().max(LONGEST_BUILD).regex(BUILD, 'must be digits and dots');

const artifact = z.strictObject({
  platform: z.enum(PLATFORMS).nullable().default(null).meta({ description: 'null serves every platform' }),
  ...file,
  deltas: z
    .array(z.strictObject({ from_build: build, ...file }))
    .max(50)
    .optional()
    .meta({ description: 'patches by Sparkle’s BinaryDelta, each from one older build to this file' }),
});

const systemVersion = z
  .string()
  .max(LONGEST_SYSTEM_VERSION)
  .regex(SYSTEM_VERSION, 'must be a version of macOS such as 13.0.0');
const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

const sparkle = z.strictObject({
  minimum_system_version: systemVersion.nullable().default(null),
  maximum_system_version: systemVersion.nullable().default(null),
  minimum_autoupdate_version: build
    .nullable()
    .default(null)
    .meta({ description: 'for builds below it this is a major upgrade, never installed without asking' }),
  ignore_skipped_upgrades_below_version: build.nullable().default(null),
  critical: z
    .strictObject({ below_version: build.nullable().default(null) })
    .nullable()
    .default(null)
    .meta({ description: 'an update that can’t be skipped: {} for all, or below a build' }),
  informational: z
    .strictObject({ versions: z.array(build).max(100).default([]), below_version: build.nullable().default(null) })
    .nullable()
    .default(null)
    .meta({ description: 'leads to the link instead of installing itself: {} for all, or for some builds' }),
  link: webAddress.nullable().default(null),
  release_notes_link: localized(webAddress)
    .nullable()
    .default(null)
    .meta({ description: 'pages that take the place of the notes' }),
  full_release_notes_link: webAddress.nullable().default(null),
  phased_rollout_interval: z
    .int()
    .min(1)
    .max(2_592_000)
    .nullable()
    .default(null)
    .meta({ description: 'seconds between each of the seven groups that are told one after another' }),
});

/** A release of a store document, with its files and what Sparkle is told of it. */
export const release = z.strictObject({
  id,
  product_id: id,
  version: z.string().min(1).max(64),
  build: build.nullable().default(null).meta({ description: 'CFBundleVersion; without it, it is in no appcast' }),
  channel: z.enum(CHANNELS).default('stable'),
  notes_en: optionalText,
  notes_ko: optionalText,
  source_ref: line.nullable().default(null),
  released_at: instant,
  artifacts: z.array(artifact).min(1).max(20),
  sparkle: sparkle.optional().meta({ description: 'what the appcast of an application says of the release' }),
});
