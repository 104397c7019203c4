import type { Permit } from '../../domain/access/permit.ts';
import type { Platform } from '../../domain/catalog/platform.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import { feedReadersOf } from '../../domain/delivery/feed-access.ts';
import { type BackwardPair, pairsLaidOpen } from '../../domain/delivery/feed-builds.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { releaseLine } from '../../domain/delivery/offered-release.ts';
import { isFileName, type Publication, type PublicationResult } from '../../domain/delivery/publication.ts';
import {
  artifactAsPublished,
  changedRelease,
  judgePublication,
  keepsFeedWhole,
  type PlatformBehind,
  platformsBehind,
  type ReleaseChange,
  type Replacement,
  replacements,
  signedArtifact,
  unsignedArtifact,
  versionToPublish,
} from '../../domain/delivery/publishing.ts';
import type { Artifact, InstallationType, Release } from '../../domain/delivery/release.ts';
import type { SparkleTerms } from '../../domain/delivery/sparkle-terms.ts';
import { type Instant, millis, toInstant } from '../../domain/shared/instant.ts';
import { textOrNull } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { UPLOAD_MS } from '../../domain/shared/stored-file.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { SignedUpload } from '../../ports/outbound/object-store.ts';
import { type FileSignature, MAX_SIGNED_BYTES } from '../../ports/outbound/signing.ts';
import type { FileFacts, ReadBytes, StoreFiles } from '../../ports/outbound/store-document.ts';
import type { FindProduct } from '../catalog/shop-products.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { ReceivedFile } from '../shared/files.ts';
import { OneAtATime } from '../shared/one-at-a-time.ts';
import { counted, type Progress, unseen } from '../shared/progress.ts';
import { signUpload } from '../shared/sign-upload.ts';

/**
 * Explains why a file of this size (bytes) can't be the artifact of a release, as the end of a sentence; undefined if
 * it can.
 */
export const artifactFault = (size: number): string | undefined => {
  if (size === 0) return 'is empty';
  return size > MAX_SIGNED_BYTES ? 'is larger than 2 GiB and so can’t be signed in one piece' : undefined;
};

/** Reads and stores an operator's files. */
export const fileIntake = ({ objects, artifactSigner }: Needs<'artifactSigner' | 'objects'>) => {
  // A file is read into memory as a whole, because signing needs it.
  const whole = new OneAtATime();

  /**
   * Stores the file under its SHA-256, unless the store has it intact: lost or damaged bytes are written again. Returns
   * whether it stored the file. Throws ChecksumMismatch if the file has changed since it was measured.
   */
  const keep = async (
    permit: Permit,
    files: StoreFiles,
    path: string,
    { sha256, size }: FileFacts,
    read: ReadBytes,
  ): Promise<boolean> => {
    const key = objectKeyOf(sha256);
    const isWhole = (await objects.examine(key, { sha256, size }, { depth: 'doubtful' })) === 'whole';
    if (isWhole) read(size);
    else await objects.put(permit, key, await files.open(path, read), { sha256, size });
    return !isWhole;
  };

  /** Refuses the id of a key that can't sign; null is the current key. */
  const signer = async (kid: string | null): Promise<Outcome<string | undefined, 'no_such_key'>> => {
    if (kid === null || (await artifactSigner.canSign(kid))) return ok(kid ?? undefined);
    return refuse('no_such_key', {
      message: `No key called ${kid} can sign files; artifact-key --all lists the keys: the one in use and the next one sign.`,
    });
  };

  /** Signs an artifact with the current key, or the one named by `kid`. One file is in memory at a time. */
  const sign = (files: StoreFiles, path: string, { sha256 }: FileFacts, kid?: string): Promise<FileSignature> =>
    whole.run('', async () => artifactSigner.sign(await files.read(path, sha256), kid));

  /** The `SUPublicEDKey` of the key in use. */
  const publicKey = (): Promise<string> => artifactSigner.publicKey();

  /**
   * Returns the signature if one of the store's keys made it for this artifact; otherwise refuses, naming the current
   * key.
   */
  const checked = async (
    files: StoreFiles,
    { file, facts }: { file: string; facts: FileFacts },
    signature: string,
  ): Promise<Outcome<FileSignature, 'wrong_signature'>> => {
    const signed_by = await whole.run('', async () =>
      artifactSigner.signerOf(await files.read(file, facts.sha256), signature),
    );
    if (signed_by !== undefined) return ok({ signature, signed_by });
    return refuse('wrong_signature', {
      message: `The signature of ${file} was not made with the store’s key, whose SUPublicEDKey is ${await publicKey()}; sign this file with that key, or omit the signature.`,
    });
  };

  return { keep, signer, sign, publicKey, checked };
};

export type FileIntake = ReturnType<typeof fileIntake>;

/** A file and its name in downloads. */
export type NamedFile = { readonly file: string; readonly filename: string };

/** A patch that turns an older build into the file. */
export type PatchFile = NamedFile & { readonly from_build: string };

type ReadFile = NamedFile & { readonly facts: FileFacts };

type ReadArtifact = { readonly whole: ReadFile; readonly patches: readonly (PatchFile & ReadFile)[] };

type ReadingRefusal = 'file_not_found' | 'unfit_file';

export type PublishInput = NamedFile & {
  /** The product's id, or its slug. */
  readonly product: string;
  readonly version: string;
  /** Null keeps the release's channel; `stable` for a new release. */
  readonly channel: Channel | null;
  readonly platform: Platform | null;
  readonly build: string | null;
  readonly notes_en: string | null;
  readonly notes_ko: string | null;
  /** Null releases a new version immediately. */
  readonly released_at: Instant | null;
  /** Terms for Sparkle. An absent field keeps the release's value. */
  readonly sparkle: Partial<SparkleTerms>;
  /** Patches that turn an older build into this file. */
  readonly deltas: readonly PatchFile[];
  /** A signature of the file by a key of the store's (base64), as `sign_update` prints it; null signs here. */
  readonly signature: string | null;
  /** The id of the signing key: the next key, for applications that already know it. Null means the current key. */
  readonly sign_with: string | null;
  /** Set for an archive with an installer package; null for an application and for a bare package. */
  readonly installation_type: InstallationType | null;
  /** The content of the `.sig` file that Tauri's signer created for the file. */
  readonly updater_signature?: string | null | undefined;
};

export type PublishedFile = PublicationResult & {
  readonly artifact: Artifact;
  /** True if the release already had the file, and lost or damaged bytes were repaired. */
  readonly mended: boolean;
  /** The platforms whose clients stay on an older version until their file is published too. */
  readonly behind: readonly PlatformBehind[];
};

type FilePublication = Omit<PublishedFile, 'behind'>;

export type PublishRefusal =
  | 'release_withdrawn'
  | 'version_exists'
  | 'release_differs'
  | 'build_required'
  | 'breaks_feed';

type Refusal =
  | 'product_not_found'
  | 'invalid_version'
  | 'wrong_signature'
  | 'no_such_key'
  | ReadingRefusal
  | PublishRefusal;

const readFile = async (
  files: StoreFiles,
  { file, filename }: NamedFile,
  progress: Progress,
): Promise<Outcome<ReadFile, ReadingRefusal>> => {
  const size = await files.size(file);
  const unfit = isFileName(filename) ? artifactFault(size ?? 1) : 'has a name that no download can have; rename it';
  if (unfit) return refuse('unfit_file', { message: `The file ${file} ${unfit}.` });
  const facts = size === undefined ? undefined : await files.facts(file, counted(progress, 'Reading files', size));
  return facts ? ok({ file, filename, facts }) : refuse('file_not_found', { message: `There is no file ${file}.` });
};

/** Measures a file and its patches. The refusal names the first missing or unsuitable file. */
const readArtifact = async (
  files: StoreFiles,
  input: NamedFile & { readonly deltas: readonly PatchFile[] },
  progress: Progress,
): Promise<Outcome<ReadArtifact, ReadingRefusal>> => {
  const whole = await readFile(files, input, progress);
  if (!whole.ok) return whole;
  const patches: (PatchFile & ReadFile)[] = [];
  for (const patch of input.deltas) {
    const read = await readFile(files, patch, progress);
    if (!read.ok) return read;
    patches.push({ ...patch, ...read.value });
  }
  return ok({ whole: whole.value, patches });
};

/**
 * Publishes one file as a product's version for one platform; it is offered immediately unless a time is given.
 * Publishing the same file again changes no record, but repairs lost or damaged bytes, even of a withdrawn release. A
 * published file is never replaced. A release that would break an appcast is refused.
 */
export const publishRelease = ({
  findProduct,
  releases,
  versions,
  fileIntake,
  clock,
  releaseEditor,
  pauses,
  ids,
}: Needs<'clock' | 'ids' | 'pauses' | 'releaseEditor' | 'releases' | 'versions'> & {
  findProduct: FindProduct;
  fileIntake: FileIntake;
}) => {
  const publish = async (
    permit: Permit,
    product: Product,
    unsigned: Publication,
    { whole, patches, sign }: ReadArtifact & { readonly sign: () => Promise<Artifact> },
    files: StoreFiles,
    progress: Progress,
  ): Promise<Outcome<FilePublication, PublishRefusal>> => {
    const { published: planned, read: before } = await decide(product, unsigned);
    const keep = async (all: readonly ReadFile[]): Promise<boolean> => {
      let stored = false;
      for (const { file, facts } of all) {
        const read = counted(progress, 'Storing files', facts.size);
        stored = (await fileIntake.keep(permit, files, file, facts, read)) || stored;
      }
      return stored;
    };
    if (!planned.ok) {
      // Nothing is added to a withdrawn release, but its bytes may be repaired.
      const release = before.release?.withdrawn && before.release;
      const own = release ? [whole, ...patches].filter(({ facts }) => hasFile(release, facts.sha256)) : [];
      if (!release || !hasFile(release, whole.facts.sha256) || !(await keep(own))) return planned;
      return ok(publicationOf({ release, result: 'unchanged' }, unsigned, true));
    }
    const stored = await keep([whole, ...patches]);
    if (planned.value.result === 'unchanged') return ok(publicationOf(planned.value, unsigned, stored));
    const publication = { ...unsigned, artifact: await sign() };
    return untilWritten(pauses, async () => {
      const { published, read } = await decide(product, publication);
      if (!published.ok) return published;
      const { release, result } = published.value;
      const written = result === 'unchanged' || (await releaseEditor.save(permit, release, read));
      return written ? ok(publicationOf(published.value, publication)) : CONFLICT;
    });
  };

  /**
   * The release to save, checked against the product's other releases. The save requires them to be unchanged since the
   * read.
   */
  const decide = async (product: Product, publication: Publication) => {
    const read = await releaseEditor.read(product.id, publication.version);
    const released = await releaseEditor.released(product.id);
    const fresh = { id: ids.next(), released_at: clock.now() };
    const order = versions.order(product.version_scheme);
    return {
      read,
      published: judgePublication(product, publication, { before: read.release, released }, fresh, order),
    };
  };

  return async function publishRelease(
    permit: Permit,
    input: PublishInput & { readonly files: StoreFiles; readonly progress?: Progress },
  ): Promise<Outcome<PublishedFile, Refusal>> {
    const { files, progress = unseen, platform, channel, build, released_at, sparkle } = input;
    const { installation_type, updater_signature } = input;
    const [notes_en, notes_ko] = [textOrNull(input.notes_en), textOrNull(input.notes_ko)];
    const found = await findProduct(input.product);
    if (!found.ok) return found;
    const product = found.value;
    const { id: product_id, slug, version_scheme } = product;
    const released = (await releases.of([product_id])).get(product_id) ?? [];
    const version = versionToPublish(input.version, released, versions.order(version_scheme));
    if (version === undefined) {
      return refuse('invalid_version', {
        message: `"${input.version}" is not a version of the scheme ${version_scheme}, which ${slug} uses.`,
      });
    }
    const signer = await fileIntake.signer(input.sign_with);
    if (!signer.ok) return signer;
    const read = await readArtifact(files, input, progress);
    if (!read.ok) return read;
    const { whole, patches } = read.value;
    const checked = input.signature === null ? ok(null) : await fileIntake.checked(files, whole, input.signature);
    if (!checked.ok) return checked;
    const artifact = unsignedArtifact(
      platform,
      { filename: whole.filename, ...whole.facts, installation_type, updater_signature },
      patches.map(({ from_build, filename, facts }) => ({ from_build, filename, ...facts })),
    );
    const details = { product_id, version, channel, build, notes_en, notes_ko, released_at, sparkle };
    const sign = async (): Promise<Artifact> => {
      const first = checked.value ?? (await fileIntake.sign(files, whole.file, whole.facts, signer.value));
      const others: FileSignature[] = [];
      // Only one file at a time is in memory.
      for (const { file, facts } of patches) others.push(await fileIntake.sign(files, file, facts, signer.value));
      return signedArtifact(artifact, first, others);
    };
    const publication = { ...details, artifact };
    const published = await publish(permit, product, publication, { ...read.value, sign }, files, progress);
    if (!published.ok) return published;
    const line = releaseLine(product, released, clock.now(), versions.order(version_scheme));
    return ok({ ...published.value, behind: platformsBehind(published.value.release, line) });
  };
};

const hasFile = ({ artifacts }: Release, sha256: string): boolean =>
  artifacts.some((artifact) => [artifact, ...(artifact.deltas ?? [])].some((file) => file.sha256 === sha256));

const publicationOf = (published: PublicationResult, { artifact }: Publication, mended = false): FilePublication => ({
  ...published,
  artifact: artifactAsPublished(published, artifact),
  mended,
});

/** Signs the upload of a file for a future release, valid for 15 minutes; null if the store already has the file. */
export const signReleaseUpload = ({ clock, objects }: Needs<'clock' | 'objects'>) =>
  function signReleaseUpload(
    permit: Permit,
    { sha256, size }: Pick<FileFacts, 'sha256' | 'size'>,
  ): Promise<SignedUpload | null> {
    return signUpload(permit, objects, objectKeyOf(sha256), {
      sha256,
      size,
      expiresAt: toInstant(millis(clock.now()) + UPLOAD_MS),
    });
  };

/** Stores a received file for a future release or picture. The same bytes are stored once. */
export const uploadReleaseFile = ({ objects }: Needs<'objects'>) =>
  async function uploadReleaseFile(
    permit: Permit,
    { name, sha256, size, open }: ReceivedFile,
    expected: string | null,
  ): Promise<Outcome<{ readonly sha256: string; readonly size: number; readonly filename: string }, 'other_file'>> {
    if (expected !== null && expected !== sha256)
      return refuse('other_file', { message: `The uploaded file has the SHA-256 ${sha256}.` });
    await objects.put(permit, objectKeyOf(sha256), open(), { sha256, size });
    return ok({ sha256, size, filename: name });
  };

export type ChangeInput = {
  /** The product's id, or its slug. */
  readonly product: string;
  readonly version: string;
  readonly change: ReleaseChange;
  /** True only returns the decision, and writes nothing. */
  readonly trial?: boolean;
};

export type ChangedRelease = {
  readonly release: Release;
  readonly product: Product;
  readonly result: 'changed' | 'unchanged';
  /** The versions that the clients of the release are offered after the change. */
  readonly offered: readonly Replacement[];
  /**
   * The channel that the release left, and the versions that its clients are offered from then on; null if the channel
   * stays.
   */
  readonly left: { readonly channel: Channel; readonly offered: readonly Replacement[] } | null;
  /** The versions between which Sparkle would now downgrade clients, because the release outranked both before. */
  readonly led_back: readonly BackwardPair[];
};

type NotChanged =
  | 'product_not_found'
  | 'invalid_version'
  | 'release_not_found'
  | 'release_is_out'
  | 'moment_has_passed'
  | 'build_required'
  | 'breaks_feed';

type ChangeReleasePorts = Needs<'clock' | 'pauses' | 'releaseEditor' | 'versions'> & { findProduct: FindProduct };

/**
 * Withdraws, restores, moves or schedules a release, checked against the product's other releases at the time of the
 * write. A change by which the release would break the appcast is refused; a withdrawal never is.
 */
export const changeRelease = ({ findProduct, pauses, releaseEditor, versions, clock }: ChangeReleasePorts) => {
  const readRelease = async (product: Product, version: string) => {
    const { id, slug, version_scheme } = product;
    const known = versionToPublish(version, await releaseEditor.released(id), versions.order(version_scheme));
    if (known === undefined) {
      return refuse('invalid_version', {
        message: `"${version}" is not a version of the scheme ${version_scheme}, which ${slug} uses.`,
      });
    }
    const read = await releaseEditor.read(id, known);
    const { release } = read;
    return release
      ? ok({ read, release, released: await releaseEditor.released(id) })
      : refuse('release_not_found', { message: `${slug} has no version ${known}; "release list ${slug}" shows them.` });
  };

  const decide = (
    product: Product,
    before: Release,
    released: readonly Release[],
    change: ReleaseChange,
  ): Outcome<ChangedRelease, 'release_is_out' | 'moment_has_passed' | 'build_required' | 'breaks_feed'> => {
    const now = clock.now();
    const order = versions.order(product.version_scheme);
    const changed = changedRelease(before, change, now);
    if (!changed.ok) return changed;
    const release = changed.value;
    const result = release === before ? 'unchanged' : 'changed';
    if (result === 'changed' && change.kind !== 'withdraw') {
      const whole = keepsFeedWhole(product, { release, result: 'unchanged' }, released, order);
      if (!whole.ok) return whole;
    }
    const all = released.map((one) => (one.id === release.id ? release : one));
    const line = releaseLine(product, all, now, order);
    const { channel } = before;
    const left = channel === release.channel ? null : { channel, offered: replacements({ ...release, channel }, line) };
    const led_back = feedReadersOf(product) === null ? [] : pairsLaidOpen(released, all, order);
    return ok({ release, product, result, offered: replacements(release, line), left, led_back });
  };

  return async function changeRelease(
    permit: Permit,
    { product: named, version, change, trial = false }: ChangeInput,
  ): Promise<Outcome<ChangedRelease, NotChanged>> {
    const found = await findProduct(named);
    if (!found.ok) return found;
    return untilWritten(pauses, async () => {
      const read = await readRelease(found.value, version);
      if (!read.ok) return read;
      const changed = decide(found.value, read.value.release, read.value.released, change);
      if (!changed.ok || trial || changed.value.result === 'unchanged') return changed;
      return (await releaseEditor.save(permit, changed.value.release, read.value.read)) ? changed : CONFLICT;
    });
  };
};
