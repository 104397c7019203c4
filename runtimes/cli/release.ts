import { realpath, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { PatchFile, PublishInput } from '../../application/delivery/releases.ts';
import { PLATFORMS, type Platform } from '../../domain/catalog/platform.ts';
import { CHANNELS, type Channel } from '../../domain/delivery/channel.ts';
import {
  INSTALLATION_TYPES,
  type InstallationType,
  isUpdaterSignature,
  releaseState,
} from '../../domain/delivery/release.ts';
import { isSystemVersion, type SparkleTerms } from '../../domain/delivery/sparkle-terms.ts';
import { type Instant, toInstant } from '../../domain/shared/instant.ts';
import { isLocale, type Localized } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { readText } from '../files/read-text.ts';
import {
  type AnswerOutcome,
  addCommand,
  answerAnywhere,
  answerFrom,
  calls,
  lists,
  type Named,
  onShop,
  operatorPermit,
} from './command.ts';
import { remoteServer } from './options.ts';
import { facts, tableOf, withProgress } from './print.ts';
import type { AnswerOf, EntryOf } from './send.ts';
import { publishUploaded } from './upload.ts';
import { build, count, line, matching, OFFSET_MOMENT_HELP, offsetMoment, PRODUCT_HELP, productName } from './values.ts';

/** The options of `publish` for an application's appcast. */
type SparkleOptions = {
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
  updaterSignature?: string;
};

const systemVersion = matching('a version of macOS such as 13.0.0', isSystemVersion);

const webAddress = matching('an address that begins with https:// or http://', (text) =>
  /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
);

/** Parses `en=https://example.com/notes`: the language and the URL of a page of release notes. */
const notesLink = (text: string, before: Localized | undefined): Localized => {
  const [, locale = '', address = ''] = /^(\w+)=(.+)$/.exec(text) ?? [];
  if (!isLocale(locale)) {
    throw new InvalidArgumentError('It takes a language and an address, such as en=https://example.com/notes.');
  }
  return { ...before, [locale]: webAddress(address) };
};

const signature = matching('the edSignature that sign_update prints: 64 bytes in base64', (text) =>
  /^[A-Za-z0-9+/]{86}==$/.test(text),
);

/** Parses `210=App-210.delta`: the build that a patch updates, and the file of the patch. */
const patch = (text: string, before: readonly Omit<PatchFile, 'filename'>[] | undefined) => {
  const [, from = '', file = ''] = /^([^=]*)=(.+)$/.exec(text) ?? [];
  if (file === '') throw new InvalidArgumentError('It takes a build and a file, such as 210=App-210.delta.');
  return [...(before ?? []), { from_build: build(from), file }];
};

const withSparkleOptions = (command: Command): Command =>
  command
    .option('--minimum-system <version>', 'lowest version of macOS for the release', systemVersion)
    .option('--maximum-system <version>', 'highest version of macOS for the release', systemVersion)
    .option('--minimum-autoupdate <build>', 'offer the release as a major upgrade to builds below this one', build)
    .option('--critical [below]', 'an update that can’t be skipped: by any build, or by builds below this one', build)
    .option(
      '--informational [below]',
      'open --link instead of installing: for any build, or for builds below this one',
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
      'the edSignature made by sign_update with the store’s key; by default, the store signs',
      signature,
    )
    .option('--sign-with <kid>', 'sign with the next key, which these applications already have (artifact-key --all)')
    .option('--updater-signature <file>', 'the .sig file of Tauri’s signer for the file')
    .option('--delta <build=file>', 'a patch from an older build, in the folder of the file; repeatable', patch);

const below = (value: string | true): string | null => (value === true ? null : value);

/** The options as Sparkle terms. */
const sparkleTerms = (options: SparkleOptions): Partial<SparkleTerms> => ({
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

/** The maximum length of release notes in characters, as in a store document. */
const MOST_NOTES = 20_000;

type PublishOptions = SparkleOptions & {
  json?: boolean;
  version: string;
  channel?: Channel;
  platform: Platform | 'any';
  build?: string;
  notesEn?: string;
  notesKo?: string;
  releasedAt?: Instant;
};

type PublishedFile = AnswerOf<'publishRelease'>;

const DONE: Readonly<Record<PublishedFile['result'], string>> = {
  created: 'Published',
  platform_added: 'Added to the release',
  patches_added: 'Added the patches to the release',
  signature_added: 'Added the updater’s signature to the release',
  notes_added: 'Added the notes to the release',
  unchanged: 'Nothing changed: the file is already published',
};

const whenOut = (releasedAt: Instant): string =>
  releasedAt > toInstant(Date.now()) ? ` Nobody is offered the release before ${releasedAt}.` : '';

const publishedAs = (requested: string, { release, result }: PublishedFile): string => {
  if (requested === release.version) return '';
  return ` "${requested}" is ${result === 'created' ? 'published as ' : 'version '}${release.version}.`;
};

const doneOf = ({ result, mended, release }: PublishedFile): string => {
  if (!mended) return DONE[result];
  const mend = 'The stored file was damaged and is repaired';
  return release.withdrawn ? `${mend}. The release stays withdrawn` : mend;
};

const behindNote = (behind: PublishedFile['behind']): string => {
  if (behind.length === 0) return '';
  const platforms = behind.map(({ platform, version }) => `${platform} (${version})`).join(', ');
  return `\n\nThese platforms stay on an older version until you publish their files too: ${platforms}.`;
};

const publishedText = (requested: string, published: PublishedFile): string => {
  const { release, artifact } = published;
  return `${doneOf(published)}.${publishedAs(requested, published)}${whenOut(release.released_at)}\n\n${facts({ release: release.id, version: release.version, build: release.build, channel: release.channel, platform: artifact.platform ?? 'any', file: artifact.filename, size: artifact.size, sha256: artifact.sha256, released: release.released_at })}${behindNote(published.behind)}`;
};

const missing = (file: string) => refuse('file_not_found', { message: `There is no file ${file}.` });

const whereItIs = async (file: string): Promise<string | undefined> => {
  try {
    return await realpath(file);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
};

const readBeside = async (file: string): Promise<Outcome<string, string>> => {
  if ((await whereItIs(file)) === undefined) return missing(file);
  const read = await readText({ file }, 'unreadable_file', 'nothing was published');
  return read.ok ? ok(read.value.trim()) : read;
};

const readNotes = async (file: string | undefined): Promise<Outcome<string | null, string>> => {
  if (file === undefined) return ok(null);
  const read = await readBeside(file);
  if (!read.ok) return read;
  const notes = read.value;
  return notes.length > MOST_NOTES
    ? refuse('notes_too_long', { message: `The notes in ${file} are longer than ${MOST_NOTES} characters.` })
    : ok(notes === '' ? null : notes);
};

const readSignature = async (file: string | undefined): Promise<Outcome<string | null, string>> => {
  if (file === undefined) return ok(null);
  const read = await readBeside(file);
  return !read.ok || isUpdaterSignature(read.value)
    ? read
    : refuse('no_signature', { message: `${file} is not a .sig file of Tauri’s signer.` });
};

/** Finds the patches, which must be in the folder of the published file. */
const findPatches = async (
  folder: string,
  named: SparkleOptions['delta'] = [],
): Promise<Outcome<PatchFile[], string>> => {
  const found: PatchFile[] = [];
  for (const { from_build, file } of named) {
    const real = await whereItIs(file);
    if (real === undefined) return missing(file);
    if (dirname(real) !== folder)
      return refuse('patch_elsewhere', { message: `Put the patch ${file} into the folder of the published file.` });
    found.push({ from_build, file: basename(real), filename: basename(file) });
  }
  return ok(found);
};

const publish = async (product: string, file: string, options: PublishOptions): AnswerOutcome => {
  const real = await whereItIs(file);
  if (real === undefined || !(await stat(real)).isFile()) return missing(file);
  const [english, korean] = [await readNotes(options.notesEn), await readNotes(options.notesKo)];
  if (!english.ok) return english;
  if (!korean.ok) return korean;
  const patches = await findPatches(dirname(real), options.delta);
  if (!patches.ok) return patches;
  const updater = await readSignature(options.updaterSignature);
  if (!updater.ok) return updater;
  const input: PublishInput = {
    product,
    file: basename(real),
    filename: basename(file),
    version: options.version,
    channel: options.channel ?? null,
    platform: options.platform === 'any' ? null : options.platform,
    build: options.build ?? null,
    notes_en: english.value,
    notes_ko: korean.value,
    released_at: options.releasedAt ?? null,
    sparkle: sparkleTerms(options),
    deltas: patches.value,
    signature: options.signature ?? null,
    sign_with: options.signWith ?? null,
    installation_type: options.installationType ?? null,
    updater_signature: updater.value,
  };
  return onShop(async (service) => {
    const { FilesystemStoreFiles } = await import('../../adapters/filesystem/store-files.ts');
    const files = new FilesystemStoreFiles(dirname(real));
    // On the machine of the store, the command reads its files directly, so they may exceed the size of an upload.
    const published =
      remoteServer() === undefined
        ? await withProgress((progress) =>
            service.get('publishRelease')(operatorPermit(), { ...input, files, progress }),
          )
        : await publishUploaded(service, input, files);
    return answerFrom(
      published,
      (done) => publishedText(options.version, done),
      ({ release, artifact, ...rest }) => ({ ...release, ...artifact, requested_version: options.version, ...rest }),
    );
  });
};

export const publishCommand = (program: Command): void => {
  const command = addCommand(
    program,
    'publish',
    'publish a file as a version of a product; a published file is never replaced',
  )
    .argument('<product>', PRODUCT_HELP, productName)
    .argument('<file>', 'the file to publish')
    .requiredOption('--version <version>', 'version in the product’s version scheme')
    .addOption(
      new Option(
        '--channel <channel>',
        'default: the channel of the published version, or stable for a new one',
      ).choices(CHANNELS),
    )
    .addOption(
      new Option('--platform <platform>', 'any means every platform of the product')
        .choices([...PLATFORMS, 'any'])
        .default('any'),
    )
    .option('--build <build>', 'build number (CFBundleVersion), which an appcast needs', build)
    .option('--notes-en <file>', 'a file with release notes in English')
    .option('--notes-ko <file>', 'a file with release notes in Korean')
    .option('--released-at <moment>', `default: now; may be later: ${OFFSET_MOMENT_HELP}`, offsetMoment);
  withSparkleOptions(command).action((product: string, file: string, options: PublishOptions) =>
    answerAnywhere(options, () => publish(product, file, options)),
  );
};

type ChangedRelease = AnswerOf<'changeRelease'>;

/** The sentence about the versions that a channel offers its clients instead of a release, or including it. */
const offeredOn = (channel: Channel, offered: ChangedRelease['offered'], are: 'are' | 'would be' = 'are'): string => {
  const versions = [...new Set(offered.map(({ version }) => version))];
  const [only = null] = versions;
  const what =
    versions.length > 1
      ? offered.map(({ platform, version }) => `${version ?? 'nothing'} for ${platform ?? 'any'}`).join(', ')
      : (only ?? 'nothing');
  return `Buyers on channel ${channel} ${are} offered ${what}.`;
};

/** The sentences about a release's channel, and about the channel that it left. */
const offers = ({ release, offered, left }: ChangedRelease, are?: 'would be'): string =>
  [offeredOn(release.channel, offered, are), ...(left ? [offeredOn(left.channel, left.offered, are)] : [])].join(' ');

/** The sentences about the versions between which Sparkle would downgrade copies once the release leaves a channel. */
const ledBack = ({ led_back }: ChangedRelease, leads: 'leads' | 'would lead' = 'leads'): string =>
  led_back
    .map(
      ({ newer, older }) =>
        ` Sparkle ${leads} copies of version ${newer.version} back to version ${older.version}, because ${older.version} has the higher build (${older.build}, against ${newer.build}): publish a later version in the channel ${newer.channel} with a build above ${older.build}, or withdraw version ${newer.version}.`,
    )
    .join('');

const state = (changed: ChangedRelease): string => {
  const { release, product } = changed;
  const name = `Version ${release.version} of ${product.slug}`;
  switch (releaseState(release, toInstant(Date.now()))) {
    case 'withdrawn':
      return `${name} is withdrawn. ${offers(changed)}`;
    case 'scheduled':
      return `${name} is on channel ${release.channel} and is offered from ${release.released_at} on.`;
    case 'offered':
      return `${name} is offered on channel ${release.channel} since ${release.released_at}. ${offers(changed)}`;
  }
};

/** The sentence that names the version of the operator's text; empty if both are the same. */
const versionNote = (requested: Named[string], { release }: ChangedRelease): string =>
  requested === release.version ? '' : `"${requested}" is version ${release.version}. `;

/** The versions of the pairs, for JSON. */
const pairs = ({ led_back }: ChangedRelease) =>
  led_back.map(({ newer, older }) => ({ from: newer.version, to: older.version }));

const shownText = (changed: ChangedRelease, { version }: Named): string =>
  `${versionNote(version, changed)}${changed.result === 'unchanged' ? 'Nothing changed. ' : ''}${state(changed)}${ledBack(changed)}`;

const shownJson = (changed: ChangedRelease, { version: requested_version }: Named) => {
  const { release, result, offered } = changed;
  return { ...release, requested_version, result, offered, led_back: pairs(changed) };
};

/** The action that changes a release: `changeOf` derives the change from the command's options. */
const change = (changeOf: (named: Named) => object) =>
  calls('changeRelease', {
    fields: (named) => ({ named: named['product'], change: changeOf(named) }),
    text: shownText,
    json: shownJson,
  });

/** The sentence about a withdrawal that was only tried. */
const wouldWithdraw = (changed: ChangedRelease, { version }: Named): string =>
  `${versionNote(version, changed)}Version ${changed.release.version} of ${changed.product.slug} would be withdrawn. ${offers(changed, 'would be')}${ledBack(changed, 'would lead')}`;

const isTried = ({ result }: ChangedRelease, { dry_run }: Named): boolean => dry_run === true && result !== 'unchanged';

const withdraw = calls('changeRelease', {
  fields: ({ product, reason }) => ({ named: product, change: { kind: 'withdraw', reason } }),
  lossAfter: (tried, named) => (tried.result === 'unchanged' ? null : wouldWithdraw(tried, named)),
  lossData: ({ offered }) => ({ offered }),
  text: (changed, named) =>
    isTried(changed, named) ? `Nothing has changed. ${wouldWithdraw(changed, named)}` : shownText(changed, named),
  json: (changed, named) => {
    const shown = shownJson(changed, named);
    const { version, requested_version, offered, led_back } = shown;
    return isTried(changed, named) ? { version, requested_version, result: 'dry_run', offered, led_back } : shown;
  },
});

type ListedRelease = EntryOf<'listProductReleases'>;

const releasesText = tableOf<ListedRelease>('id', 'version', 'build', 'channel', 'state', 'released_at', {
  files: ({ artifacts }) => artifacts.map(({ platform }) => platform ?? 'any').join(', '),
  'withdrawn because': ({ withdrawn }) => withdrawn?.reason ?? null,
});

const changing = (group: Command, name: string, description: string): Command =>
  addCommand(group, name, description)
    .argument('<product>', PRODUCT_HELP, productName)
    .argument('<version>', 'version of the release', line);

export const releaseCommands = (program: Command): void => {
  const group = program.command('release').description('published releases');
  addCommand(group, 'list', 'list all releases of a product, newest first, with their states')
    .argument('<product>', PRODUCT_HELP, productName)
    .action(lists('listProductReleases', { text: releasesText }));
  changing(group, 'withdraw', 'withdraw a release: nobody is offered it, installed copies keep running')
    .requiredOption('--reason <text>', 'a sentence for the buyers who ask for this release', line)
    .option('--yes', 'do not ask for confirmation')
    .option('--dry-run', 'change nothing, and say what buyers would be offered')
    .action(withdraw);
  changing(group, 'restore', 'offer a withdrawn release again').action(change(() => ({ kind: 'restore' })));
  changing(group, 'move', 'move a release to another channel')
    .addOption(new Option('--channel <channel>', 'the channel to move it to').choices(CHANNELS).makeOptionMandatory())
    .action(change(({ channel }) => ({ kind: 'move', channel })));
  changing(group, 'schedule', 'change the release time of a release that is not out yet')
    .requiredOption('--released-at <moment>', OFFSET_MOMENT_HELP, offsetMoment)
    .action(change(({ released_at }) => ({ kind: 'schedule', released_at })));
};
