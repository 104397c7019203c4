import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PatchFile } from '../../application/operations/read-artifact.ts';
import { INSTALLATION_TYPES, type InstallationType } from '../../domain/delivery/artifact-format.ts';
import { isSystemVersion, type SparkleTerms } from '../../domain/delivery/sparkle-terms.ts';
import { isLocale, type Localized } from '../../domain/shared/locale.ts';
import { build, count } from './values.ts';

/** The options of `publish` for the appcast of an application. */
export type SparkleOptions = {
  minimumSystem?: string;
  maximumSystem?: string;
  minimumAutoupdate?: string;
  critical?: string | true;
  informational?: string | true;
  link?: string;
  phasedRollout?: number;
  releaseNotesLink?: Localized;
  fullReleaseNotesLink?: string;
  installationType?: InstallationType;
  signature?: string;
  signWith?: string;
  delta?: readonly Omit<PatchFile, 'filename'>[];
};

const systemVersion = (text: string): string => {
  if (isSystemVersion(text)) return text;
  throw new InvalidArgumentError('It takes a version of macOS such as 13.0.0.');
};

const webAddress = (text: string): string => {
  if (/^https?:$/.test(URL.parse(text)?.protocol ?? '')) return text;
  throw new InvalidArgumentError('It takes an address that begins with https:// or http://.');
};

/** Reads `en=https://example.com/notes`: the language of a page of release notes, and its address. */
const notesLink = (text: string, before: Localized | undefined): Localized => {
  const [, locale = '', address = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!isLocale(locale)) {
    throw new InvalidArgumentError('It takes a language and an address, such as en=https://example.com/notes.');
  }
  return { ...before, [locale]: webAddress(address) };
};

const signature = (text: string): string => {
  if (/^[A-Za-z0-9+/]{86}==$/.test(text)) return text;
  throw new InvalidArgumentError('It takes the edSignature that sign_update prints: 64 bytes in base64.');
};

/** Reads `210=App-210.delta`: the build that a patch updates, and the file of the patch. */
const patch = (text: string, before: readonly Omit<PatchFile, 'filename'>[] | undefined) => {
  const [, from = '', file = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (file === '') throw new InvalidArgumentError('It takes a build and a file, such as 210=App-210.delta.');
  return [...(before ?? []), { from_build: build(from), file }];
};

export const withSparkleOptions = (command: Command): Command =>
  command
    .option('--minimum-system <version>', 'lowest version of macOS for the release', systemVersion)
    .option('--maximum-system <version>', 'highest version of macOS for the release', systemVersion)
    .option('--minimum-autoupdate <build>', 'offer the release to builds below this one as a major upgrade', build)
    .option('--critical [below]', 'an update that can’t be skipped: by any build, or by builds below this one', build)
    .option(
      '--informational [below]',
      'lead to --link instead of installing: for any build, or for builds below this one',
      build,
    )
    .option('--link <address>', 'a page about the release', webAddress)
    .option(
      '--phased-rollout <seconds>',
      'seconds between the seven groups that are offered the release in turn',
      count,
    )
    .option(
      '--release-notes-link <language=address>',
      'a page that replaces the notes of a language (en, ko); repeatable',
      notesLink,
    )
    .option('--full-release-notes-link <address>', 'a page with the notes of all releases', webAddress)
    .addOption(
      new Option('--installation-type <type>', 'for an archive with an installer package').choices(INSTALLATION_TYPES),
    )
    .option(
      '--signature <base64>',
      'the edSignature that sign_update made with the store’s key; signed here if left out',
      signature,
    )
    .option('--sign-with <kid>', 'sign with the next key, which these applications have already (artifact-key --all)')
    .option('--delta <build=file>', 'a patch from an older build, in the folder of the file; repeatable', patch);

const below = (value: string | true): string | null => (value === true ? null : value);

/** The options as Sparkle terms. */
export const sparkleTerms = (options: SparkleOptions): Partial<SparkleTerms> => ({
  ...(options.minimumSystem !== undefined && { minimum_system_version: options.minimumSystem }),
  ...(options.maximumSystem !== undefined && { maximum_system_version: options.maximumSystem }),
  ...(options.minimumAutoupdate !== undefined && { minimum_autoupdate_version: options.minimumAutoupdate }),
  ...(options.critical !== undefined && { critical: { below_version: below(options.critical) } }),
  ...(options.informational !== undefined && {
    informational: { versions: [], below_version: below(options.informational) },
  }),
  ...(options.link !== undefined && { link: options.link }),
  ...(options.releaseNotesLink && { release_notes_link: options.releaseNotesLink }),
  ...(options.fullReleaseNotesLink !== undefined && { full_release_notes_link: options.fullReleaseNotesLink }),
  ...(options.phasedRollout && { phased_rollout_interval: options.phasedRollout }),
});
