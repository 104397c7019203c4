import * as z from 'zod';
import { PLATFORMS } from '../../../domain/catalog/platform.ts';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { isFileName, platformName } from '../../../domain/delivery/publication.ts';
import { INSTALLATION_TYPES, LONGEST_UPDATER_SIGNATURE, UPDATER_SIGNATURE } from '../../../domain/delivery/release.ts';
import {
  BUILD,
  LONGEST_BUILD,
  LONGEST_SYSTEM_VERSION,
  SYSTEM_VERSION,
} from '../../../domain/delivery/sparkle-terms.ts';
import type { Rule } from '../../../domain/shared/fault.ts';
import { downloadName, type FileEntry } from '../../../domain/store-document/store-document.ts';
import { id, instant, line, localized, optionalText, orNull, relativePath, ruled, rules } from './fields.ts';

const file = {
  file: relativePath,
  filename: orNull(line, 'the name of the download; the name of the file if left out'),
  sha256: orNull(z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 lower-case hex digits')),
  signature: z
    .string()
    .regex(/^[A-Za-z0-9+/]{86}==$/, 'must be an Ed25519 signature in base64')
    .nullable()
    .optional()
    .meta({
      description:
        'the edSignature, as sign_update or an export has it; the file is signed anew where no key here made it',
    }),
};

/** A download's name must be valid on every system. */
const nameRules = ({ file, filename }: Pick<FileEntry, 'file' | 'filename'>): Rule[] => [
  [
    !isFileName(downloadName({ file, filename })),
    filename === null ? 'file' : 'filename',
    'must be a file name without slashes and control characters',
  ],
];

const build = z.string().max(LONGEST_BUILD).regex(BUILD, 'must be digits and dots');

const artifact = ruled(
  {
    platform: orNull(z.enum(PLATFORMS), 'null serves every platform'),
    ...file,
    deltas: z
      .array(ruled({ from_build: build, ...file }, nameRules))
      .max(50)
      .optional()
      .meta({ description: 'patches by Sparkle’s BinaryDelta, each from one older build to this file' }),
    installation_type: z
      .enum(INSTALLATION_TYPES)
      .optional()
      .meta({ description: 'for an archive with an installer package in place of an application' }),
    updater_signature: z
      .string()
      .max(LONGEST_UPDATER_SIGNATURE)
      .regex(UPDATER_SIGNATURE, 'must be the content of a .sig file of Tauri’s signer')
      .optional()
      .meta({ description: 'the content of the .sig file that Tauri’s signer made of the file' }),
  },
  nameRules,
);

const artifacts = z
  .array(artifact)
  .min(1)
  .max(20)
  .superRefine(
    rules((all) =>
      all.map((one, n) => {
        const first = all.findIndex(({ platform }) => platform === one.platform);
        return [first < n, `${n}.platform`, `artifacts.${first} is the file for ${platformName(one)} already`];
      }),
    ),
  );

const systemVersion = z
  .string()
  .max(LONGEST_SYSTEM_VERSION)
  .regex(SYSTEM_VERSION, 'must be a version of macOS such as 13.0.0');
const webAddress = z.url({ protocol: /^https?$/ }).max(2000);

const sparkle = z.strictObject({
  minimum_system_version: orNull(systemVersion),
  maximum_system_version: orNull(systemVersion),
  minimum_autoupdate_version: orNull(
    build,
    'a major upgrade for builds below this one, which Sparkle never installs without asking',
  ),
  ignore_skipped_upgrades_below_version: orNull(build),
  critical: orNull(
    z.strictObject({ below_version: orNull(build) }),
    'an update that can’t be skipped: {} for every build, or only for those below a build',
  ),
  informational: orNull(
    z.strictObject({ versions: z.array(build).max(100).default([]), below_version: orNull(build) }),
    'an update that shows the link and is not installed: {} for every build, or for some',
  ),
  link: orNull(webAddress),
  release_notes_link: orNull(localized(webAddress), 'pages that replace the notes'),
  full_release_notes_link: orNull(webAddress),
  phased_rollout_interval: orNull(
    z.int().min(1).max(2_592_000),
    'seconds between the seven groups of users that get the update one after another',
  ),
});

/** Blank notes count as none. */
const notes = optionalText.transform((text) => (text?.trim() === '' ? null : text));

/** Without Unicode classes, which regular expressions in some other languages lack. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern refuses them
const ONE_LINE = /^(?=.*\S)[^\u0000-\u001f\u007f-\u009f]*$/;

const withdrawn = z
  .strictObject({
    at: instant,
    reason: line.regex(ONE_LINE, 'must be one line of text').meta({
      description: 'one line, which a client that asks for the release gets',
    }),
  })
  .nullable()
  .optional()
  .meta({
    description:
      'the moment at which the release was taken back, and why; null offers it again, and left out changes nothing',
  });

/** A release of a store document, with its files and its terms for Sparkle. */
export const release = z.strictObject({
  id,
  product_id: id,
  version: z.string().min(1).max(64),
  build: orNull(build, 'CFBundleVersion; a release without a build is in no appcast'),
  channel: z.enum(CHANNELS).default('stable'),
  notes_en: notes,
  notes_ko: notes,
  source_ref: orNull(line),
  released_at: instant.meta({
    description: 'ISO 8601 date and time with an offset; a release with a later moment is offered from then on',
  }),
  withdrawn,
  artifacts,
  sparkle: sparkle.optional().meta({ description: 'terms for Sparkle in the appcast of an application' }),
});
