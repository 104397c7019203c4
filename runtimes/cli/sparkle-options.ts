import { type Command, InvalidArgumentError } from 'commander';
import type { PatchFile } from '../../application/operations/publish-release.ts';
import { isSystemVersion, type SparkleTerms } from '../../domain/delivery/sparkle-terms.ts';
import { build, count } from './values.ts';

/** The options of `publish` that go into the appcast of an application. */
export type SparkleOptions = {
  minimumSystem?: string;
  maximumSystem?: string;
  minimumAutoupdate?: string;
  critical?: string | true;
  informational?: string | true;
  link?: string;
  phasedRollout?: number;
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

/** `210=App-210.delta`: the build that a patch is from, and its file. */
const patch = (text: string, before: readonly Omit<PatchFile, 'filename'>[] = []) => {
  const [, from = '', file = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (file === '') throw new InvalidArgumentError('It takes a build and a file, such as 210=App-210.delta.');
  return [...before, { from_build: build(from), file }];
};

export const withSparkleOptions = (command: Command): Command =>
  command
    .option('--minimum-system <version>', 'of macOS that it runs on', systemVersion)
    .option('--maximum-system <version>', 'of macOS that it runs on', systemVersion)
    .option('--minimum-autoupdate <build>', 'a major upgrade for builds below this one', build)
    .option('--critical [below]', 'an update that can’t be skipped, by any build or by those below this one', build)
    .option(
      '--informational [below]',
      'leads to --link instead of installing itself, for any build or those below',
      build,
    )
    .option('--link <address>', 'a page about the release', webAddress)
    .option('--phased-rollout <seconds>', 'between each of the seven groups that are told of it', count)
    .option('--delta <build=file>', 'a patch from an older build, beside the file; may be given more than once', patch);

const below = (value: string | true): string | null => (value === true ? null : value);

/** What the options tell Sparkle. */
export const sparkleTerms = (options: SparkleOptions): Partial<SparkleTerms> => ({
  ...(options.minimumSystem !== undefined && { minimum_system_version: options.minimumSystem }),
  ...(options.maximumSystem !== undefined && { maximum_system_version: options.maximumSystem }),
  ...(options.minimumAutoupdate !== undefined && { minimum_autoupdate_version: options.minimumAutoupdate }),
  ...(options.critical !== undefined && { critical: { below_version: below(options.critical) } }),
  ...(options.informational !== undefined && {
    informational: { versions: [], below_version: below(options.informational) },
  }),
  ...(options.link !== undefined && { link: options.link }),
  ...(options.phasedRollout && { phased_rollout_interval: options.phasedRollout }),
});
