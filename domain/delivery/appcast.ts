import type { Product } from '../catalog/product.ts';
import type { Instant } from '../shared/instant.ts';
import { LOCALES, type Locale, localeServed, textOrNull } from '../shared/locale.ts';
import { type Channel, channelOffers } from './channel.ts';
import {
  type Artifact,
  type Delta,
  formatContentType,
  formatOf,
  type InstallationType,
  isCovered,
  isOffered,
  type Release,
} from './release.ts';
import { inThreeParts, NO_TERMS, type SparkleTerms } from './sparkle-terms.ts';
import { sparkleOrder } from './version-order.ts';

/** A file that Sparkle downloads. */
export type Enclosure = {
  readonly url: string;
  /** Bytes. */
  readonly length: number;
  readonly type: string;
  /** Ed25519 signature of the file (RFC 8032), base64; null if the file was published without a signing key. */
  readonly signature: string | null;
  /** Null for an application, and for a patch. */
  readonly installation_type: InstallationType | null;
};

/** One `<item>` of a feed: a release for all Macs, or for the Macs of one architecture. */
export type AppcastItem = Omit<SparkleTerms, 'release_notes_link'> & {
  readonly release_id: number;
  /** The build number. Sparkle compares nothing else. */
  readonly version: string;
  readonly short_version: string;
  /** Null means Sparkle's default channel, which every client reads. */
  readonly channel: Channel | null;
  readonly published_at: Instant;
  /** Release notes; empty if `notes_links` has pages instead. */
  readonly notes: readonly { readonly locale: Locale; readonly html: string }[];
  readonly notes_links: readonly { readonly locale: Locale; readonly url: string }[];
  /** True if the release is for Apple silicon only; an Intel Mac skips the item. */
  readonly requires_arm64: boolean;
  readonly enclosure: Enclosure;
  readonly deltas: readonly (Enclosure & { readonly from_build: string })[];
};

/** The content of a feed for Sparkle 2, before it is serialized as XML. */
export type Appcast = {
  readonly title: string;
  readonly link: string;
  readonly language: Locale;
  /** Newest first. */
  readonly items: readonly AppcastItem[];
};

/** The URL of a file of a release. `delta` selects a patch; null means the whole file. */
export type DownloadAddress = (release: Release, artifact: Artifact, delta: Delta | null) => string;

/**
 * A release's artifacts for Macs: the one for every platform, a universal binary, or else one per architecture, Apple
 * silicon first. The order matters, because Sparkle takes the first matching item of two with the same build: an Intel
 * Mac skips the first (from Sparkle 2.9 on), and Apple silicon never reaches the second.
 */
export const feedArtifacts = ({ artifacts }: Release): readonly Artifact[] => {
  const neutral = artifacts.filter(({ platform }) => platform === null);
  if (neutral.length > 0) return neutral;
  return (['darwin-arm64', 'darwin-amd64'] as const).flatMap((one) => artifacts.filter((a) => a.platform === one));
};

/** True if the release has a build number and a file for Macs, which an appcast needs. */
export const hasFeedFile = (release: Release): boolean => release.build !== null && feedArtifacts(release).length > 0;

/** True if the appcast contains the release, from its release time on. */
export const isInFeed = (release: Release): boolean => release.withdrawn === undefined && hasFeedFile(release);

const enclosureOf = (
  url: string,
  { filename, size, signature }: Omit<Delta, 'from_build'>,
  installation_type: InstallationType | null = null,
): Enclosure => ({ url, length: size, type: formatContentType(formatOf(filename)), signature, installation_type });

const itemOf = (release: Release, build: string, artifact: Artifact, address: DownloadAddress): AppcastItem => {
  const { release_notes_link, minimum_system_version, maximum_system_version, ...terms } = release.sparkle ?? NO_TERMS;
  const notes = { en: release.notes_en, ko: release.notes_ko };
  return {
    ...terms,
    minimum_system_version: minimum_system_version === null ? null : inThreeParts(minimum_system_version),
    maximum_system_version: maximum_system_version === null ? null : inThreeParts(maximum_system_version),
    release_id: release.id,
    version: build,
    short_version: release.version,
    channel: release.channel === 'stable' ? null : release.channel,
    published_at: release.released_at,
    notes_links: LOCALES.flatMap((locale) => {
      const url = release_notes_link?.[locale];
      return url === undefined ? [] : [{ locale, url }];
    }),
    notes: LOCALES.flatMap((locale) => {
      const text = textOrNull(notes[locale]);
      return text === null || release_notes_link ? [] : [{ locale, html: notesHtml(text) }];
    }),
    requires_arm64: artifact.platform === 'darwin-arm64',
    enclosure: enclosureOf(address(release, artifact, null), artifact, installationTypeOf(artifact)),
    deltas: (artifact.deltas ?? []).map((delta) => ({
      from_build: delta.from_build,
      ...enclosureOf(address(release, artifact, delta), delta),
    })),
  };
};

/** The items of the releases, newest build first. Releases without a build number or a file for Macs are omitted. */
export const appcastItems = (releases: readonly Release[], address: DownloadAddress): readonly AppcastItem[] => {
  const { compare } = sparkleOrder();
  return releases
    .flatMap((release) => {
      const { build } = release;
      return build === null ? [] : feedArtifacts(release).map((file) => itemOf(release, build, file, address));
    })
    .sort((a, b) => compare(b.version, a.version) || b.release_id - a.release_id);
};

export type FeedInput = {
  /** Null: one feed with all channels. Otherwise this channel and every more stable one, without channel tags. */
  readonly channel: Channel | null;
  /** The end of the reader's update window; null means never. */
  readonly updates_until: Instant | null;
  /** Releases after this time and withdrawn ones are omitted. */
  readonly now: Instant;
};

export const appcastOf = (
  product: Product,
  releases: readonly Release[],
  { channel, updates_until, now }: FeedInput,
  link: string,
  address: DownloadAddress,
): Appcast => {
  const language = localeServed(product.name, 'en') ?? 'en';
  const offered = releases.filter(
    (release) =>
      isOffered(release, now) &&
      isCovered(release, updates_until) &&
      (channel === null || channelOffers(channel, release.channel)),
  );
  const items = appcastItems(offered, address);
  return {
    title: product.name[language] ?? product.slug,
    link,
    language,
    items: channel === null ? items : items.map((item) => ({ ...item, channel: null })),
  };
};

/**
 * The extensions of files that Sparkle can unpack (SUUnarchiver), matched only in lower case. Apple Archives need
 * Sparkle 2.7 and macOS 10.15.
 */
const INSTALLABLE = [
  '.zip',
  '.dmg',
  '.tar',
  '.tar.gz',
  '.tgz',
  '.tar.bz2',
  '.tbz',
  '.tar.xz',
  '.txz',
  '.tar.lzma',
  '.aar',
  '.yaa',
  '.pkg',
  '.mpkg',
] as const;

const listed = `${INSTALLABLE.slice(0, -1).join(', ')} or ${INSTALLABLE.at(-1)}`;

const endsIn = (filename: string, endings: readonly string[]): boolean =>
  endings.some((ending) => filename.endsWith(ending) && filename !== ending);

/** True for an installer package that is not in an archive. */
const isBarePackage = (filename: string): boolean => endsIn(filename, ['.pkg', '.mpkg']);

/**
 * The way in which Sparkle installs a file; null for a plain application. Sparkle recognizes a bare package by the
 * extension in its URL, which ours lack.
 */
export const installationTypeOf = ({
  filename,
  installation_type,
}: Pick<Artifact, 'filename' | 'installation_type'>): InstallationType | null =>
  installation_type ?? (isBarePackage(filename) ? 'package' : null);

/** A fault that would break an appcast: a field of the release (`sparkle.link`) and the end of a sentence about it. */
export type FeedFault = { readonly member: string; readonly message: string };

/**
 * The faults of a file in a feed: Sparkle decides by the file extension how to install it. `member` is the path of the
 * artifact in its release.
 */
export const sparkleFileFaults = (artifact: Artifact, member: string): FeedFault[] => {
  const { filename, installation_type, deltas = [] } = artifact;
  const unfit = deltas.flatMap((delta, n) =>
    endsIn(delta.filename, ['.delta'])
      ? []
      : [
          {
            member: `${member}.deltas.${n}`,
            message: `"${delta.filename}" is not a Sparkle patch, whose name ends in .delta`,
          },
        ],
  );
  if (!endsIn(filename, INSTALLABLE)) {
    const message = `Sparkle can’t install "${filename}"; the name must end in ${listed}, in lower case`;
    return [{ member, message }, ...unfit];
  }
  if (installation_type === 'interactive-package' && isBarePackage(filename)) {
    const message = 'Sparkle opens an interactive package from an archive only; put the package into a .zip';
    return [{ member: `${member}.installation_type`, message }, ...unfit];
  }
  if (installationTypeOf(artifact) !== null && deltas.length > 0) {
    return [{ member: `${member}.deltas`, message: 'Sparkle applies patches to applications, not to packages' }];
  }
  return unfit;
};

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);

const ITEM = /^[-*] +/;

/** One paragraph, or one list where every line is an item. */
const block = (lines: readonly string[]): string =>
  lines.every((line) => ITEM.test(line))
    ? `<ul>${lines.map((line) => `<li>${escaped(line.replace(ITEM, ''))}</li>`).join('')}</ul>`
    : `<p>${lines.map(escaped).join('<br>')}</p>`;

/**
 * Release notes as HTML that every version of Sparkle shows the same way. Lines that begin with `- ` or `* ` become
 * lists, other lines become paragraphs, and empty lines separate them. Markup in the notes is escaped.
 */
export const notesHtml = (notes: string): string => {
  const blocks: string[][] = [];
  let before: string | undefined;
  for (const line of notes.split(/\r\n?|\n/).map((text) => text.trim())) {
    const begins = before === undefined || before === '' || ITEM.test(before) !== ITEM.test(line);
    if (line !== '' && begins) blocks.push([line]);
    else if (line !== '') blocks.at(-1)?.push(line);
    before = line;
  }
  return blocks.map(block).join('');
};
