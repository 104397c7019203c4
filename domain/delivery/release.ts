import type { Platform } from '../catalog/platform.ts';
import type { Instant } from '../shared/instant.ts';
import type { Channel } from './channel.ts';
import type { SparkleTerms } from './sparkle-terms.ts';

/** A patch from an older build to its artifact. The object store has its bytes under its sha256. */
export type Delta = {
  readonly from_build: string;
  readonly filename: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Like the signature of an artifact. */
  readonly signature: string | null;
  readonly signed_by?: string | undefined;
};

/** Further checksums by which updaters verify a download. */
export type FileSums = {
  /** Lower-case hex. */
  readonly sha1: string;
  /** Base64. */
  readonly sha512: string;
};

/** One file of a release. The object store has its bytes under its sha256. */
export type Artifact = {
  /** Null means every platform. */
  readonly platform: Platform | null;
  readonly filename: string;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** File format such as `zip`, `vsix`, `tar.gz`, `bin`. */
  readonly format: string;
  /** Ed25519 signature of the file (RFC 8032), base64, as Sparkle's `edSignature`; null if no signing key was set. */
  readonly signature: string | null;
  /** The id of the key that signed the file; absent if it has no signature. */
  readonly signed_by?: string | undefined;
  readonly deltas?: readonly Delta[] | undefined;
  /** Present if the file is an archive with an installer package, which Sparkle can't tell from an application. */
  readonly installation_type?: InstallationType | undefined;
  /** Absent if unknown; then only feeds that need no checksums offer the file. */
  readonly sums?: FileSums | undefined;
  /** The content of the `.sig` file of Tauri's signer (`updater-signature.ts`); absent if there is none. */
  readonly updater_signature?: string | undefined;
};

export type Withdrawal = { readonly at: Instant; readonly reason: string };

export type Release = {
  readonly id: number;
  readonly product_id: number;
  readonly version: string;
  /** Build number (`CFBundleVersion`) of digits and dots; a release without one is not in the appcast. */
  readonly build: string | null;
  readonly channel: Channel;
  readonly notes_en: string | null;
  readonly notes_ko: string | null;
  /** The source of the release, such as a commit. */
  readonly source_ref: string | null;
  /** The release is offered from this time on. */
  readonly released_at: Instant;
  readonly artifacts: readonly Artifact[];
  /** Absent if there are no terms for Sparkle. */
  readonly sparkle?: SparkleTerms | undefined;
  readonly withdrawn?: Withdrawal | undefined;
};

/** `scheduled`: the release comes out later. `withdrawn`: it was withdrawn, whether it was out or not. */
export type ReleaseState = 'offered' | 'scheduled' | 'withdrawn';

export const releaseState = (
  { released_at, withdrawn }: Pick<Release, 'released_at' | 'withdrawn'>,
  now: Instant,
): ReleaseState => (withdrawn !== undefined ? 'withdrawn' : released_at > now ? 'scheduled' : 'offered');

/** True if clients are offered the release: it is out and not withdrawn. Installed copies keep running in any case. */
export const isOffered = (release: Release, now: Instant): boolean => releaseState(release, now) === 'offered';

/**
 * The platform's own artifact, or else the neutral one if the product runs on the platform (`runsOn`). Without a
 * platform: the neutral artifact, or else the only one.
 */
export const artifactFor = (
  release: Release,
  platform: Platform | null,
  runsOn: readonly Platform[],
): Artifact | undefined => {
  const neutral = release.artifacts.find((artifact) => artifact.platform === null);
  if (platform === null) return neutral ?? (release.artifacts.length === 1 ? release.artifacts[0] : undefined);
  const own = release.artifacts.find((artifact) => artifact.platform === platform);
  return own ?? (runsOn.includes(platform) ? neutral : undefined);
};

/** True if the update window includes the release; null is a window without an end. */
export const isCovered = (release: Pick<Release, 'released_at'>, updatesUntil: Instant | null): boolean =>
  updatesUntil === null || release.released_at <= updatesUntil;

/** File extensions, longest first, with their format and media type. */
const FORMATS: readonly (readonly [ending: string, format: string, contentType: string])[] = [
  ['.tar.gz', 'tar.gz', 'application/gzip'],
  ['.tgz', 'tar.gz', 'application/gzip'],
  ['.zip', 'zip', 'application/zip'],
  ['.vsix', 'vsix', 'application/vsix'],
  ['.dmg', 'dmg', 'application/x-apple-diskimage'],
  ['.pkg', 'pkg', 'application/octet-stream'],
  ['.exe', 'exe', 'application/vnd.microsoft.portable-executable'],
  ['.msi', 'msi', 'application/x-msi'],
];

/** The format for the file name's extension; `bin` if it is unknown. */
export const formatOf = (filename: string): string =>
  FORMATS.find(([ending]) => filename.toLowerCase().endsWith(ending))?.[1] ?? 'bin';

export const formatContentType = (format: string): string =>
  FORMATS.find(([, name]) => name === format)?.[2] ?? 'application/octet-stream';

/**
 * Kinds of updates other than a plain application (Sparkle, "Package updates"). `interactive-package` is deprecated.
 */
export const INSTALLATION_TYPES = ['package', 'interactive-package'] as const;
export type InstallationType = (typeof INSTALLATION_TYPES)[number];

/**
 * The content of a `.sig` file of Tauri's signer: a minisign signature in base64, whose text begins with `untrusted
 * comment:`. It is not made with a key of the store, so only the application can verify it.
 */
export const UPDATER_SIGNATURE = /^dW50cnVzdGVkIGNvbW1lbnQ6[A-Za-z0-9+/]+={0,2}$/;

export const LONGEST_UPDATER_SIGNATURE = 2000;

export const isUpdaterSignature = (text: string): boolean =>
  text.length <= LONGEST_UPDATER_SIGNATURE && UPDATER_SIGNATURE.test(text);
