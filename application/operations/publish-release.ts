import type { Product } from '../../domain/catalog/product.ts';
import { formatOf } from '../../domain/delivery/artifact-format.ts';
import type { Channel, Platform } from '../../domain/delivery/channel.ts';
import { keepsFeedWhole } from '../../domain/delivery/feed-publication.ts';
import { isFileName, type Publication, type Published, publishInto } from '../../domain/delivery/publication.ts';
import type { Artifact, Delta } from '../../domain/delivery/release.ts';
import type { SparkleTerms } from '../../domain/delivery/sparkle-terms.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { ReleaseEditor, Releases, Versions } from '../../ports/outbound/releases.ts';
import type { FileFacts, StoreFiles } from '../../ports/outbound/store-files.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { artifactFault, type FileIntake } from './file-intake.ts';
import type { FindProduct } from './find-product.ts';
import { counted, type Progress, unseen } from './progress.ts';

type Ports = {
  findProduct: FindProduct;
  releases: Releases;
  releaseEditor: ReleaseEditor;
  versions: Versions;
  fileIntake: FileIntake;
  ids: Ids;
  clock: Clock;
  pauses: Pauses;
};

export type PublishWish = {
  /** The product's id, or its slug. */
  readonly product: string;
  readonly file: string;
  /** The name that it is downloaded under. */
  readonly filename: string;
  readonly version: string;
  /** Null is what the release has, or `stable` for a new one. */
  readonly channel: Channel | null;
  readonly platform: Platform | null;
  readonly build: string | null;
  readonly notes_en: string | null;
  readonly notes_ko: string | null;
  /** What is told to Sparkle; members left out are those that the release has. */
  readonly sparkle: Partial<SparkleTerms>;
  /** Patches that make an older build into this file. */
  readonly deltas: readonly PatchFile[];
};

export type PatchFile = { readonly from_build: string; readonly file: string; readonly filename: string };

type Input = PublishWish & { readonly files: StoreFiles; readonly progress?: Progress };

export type PublishedFile = Published & { readonly artifact: Artifact };

type Refusal =
  | 'product_not_found'
  | 'invalid_version'
  | 'file_not_found'
  | 'unfit_file'
  | 'version_exists'
  | 'release_differs'
  | 'build_required'
  | 'breaks_feed';

/** A file that was read, with what it is to be called. */
type ReadFile = Pick<PatchFile, 'file' | 'filename'> & { readonly facts: FileFacts };

type Reading = 'file_not_found' | 'unfit_file';

/**
 * Publishes one file as a product's version for one platform, from now on. The same file again changes nothing; what
 * was published under the version before is never replaced. What would break the appcast of an application is refused.
 */
export class PublishRelease {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ files, progress = unseen, ...wish }: Input): Promise<Outcome<PublishedFile, Refusal>> {
    const found = await this.#ports.findProduct.execute(wish.product);
    if (!found.ok) return found;
    const product = found.value;
    const version = await this.#version(product, wish.version);
    if (version === undefined) {
      return refuse('invalid_version', {
        message: `"${wish.version}" is no version of the scheme ${product.version_scheme}, which ${product.slug} has.`,
      });
    }
    const whole = await this.#read(files, wish, progress);
    if (!whole.ok) return whole;
    const patches: (ReadFile & PatchFile)[] = [];
    for (const patch of wish.deltas) {
      const read = await this.#read(files, patch, progress);
      if (!read.ok) return read;
      patches.push({ ...patch, ...read.value });
    }
    return this.#publish({ ...wish, version }, product, { whole: whole.value, patches }, files, progress);
  }

  /** The version as the scheme writes it, or as a release that ranks the same has it. */
  async #version({ id, version_scheme }: Product, version: string): Promise<string | undefined> {
    const { releases, versions } = this.#ports;
    const { normalize, compare } = versions.order(version_scheme);
    const normal = normalize(version);
    if (normal === undefined) return undefined;
    const released = (await releases.of([id])).get(id) ?? [];
    return released.find((release) => compare(release.version, normal) === 0)?.version ?? normal;
  }

  async #read(
    files: StoreFiles,
    { file, filename }: Pick<PatchFile, 'file' | 'filename'>,
    progress: Progress,
  ): Promise<Outcome<ReadFile, Reading>> {
    const size = await files.size(file);
    const unfit = isFileName(filename) ? artifactFault(size ?? 1) : 'has a name that can’t be downloaded under';
    if (unfit) return refuse('unfit_file', { message: `The file ${file} ${unfit}.` });
    const facts = size === undefined ? undefined : await files.facts(file, counted(progress, 'Reading files', size));
    return facts ? ok({ file, filename, facts }) : refuse('file_not_found', { message: `There is no file ${file}.` });
  }

  async #publish(
    { platform, version, channel, build, notes_en, notes_ko, sparkle }: PublishWish,
    product: Product,
    { whole, patches }: { whole: ReadFile; patches: readonly (ReadFile & PatchFile)[] },
    files: StoreFiles,
    progress: Progress,
  ): Promise<Outcome<PublishedFile, Exclude<Refusal, Reading>>> {
    const { releaseEditor, fileIntake, pauses } = this.#ports;
    const described = ({ filename, facts: { sha256, size } }: ReadFile) => ({
      filename,
      sha256,
      size,
      signature: null,
    });
    const unsigned: Artifact = {
      platform,
      ...described(whole),
      format: formatOf(whole.filename),
      ...(patches.length > 0 && {
        deltas: patches.map((patch) => ({ from_build: patch.from_build, ...described(patch) })),
      }),
    };
    const details = { product_id: product.id, version, channel, build, notes_en, notes_ko, sparkle };

    const decided = await this.#decide(product, { ...details, artifact: unsigned });
    if (!decided.published.ok) return decided.published;
    for (const { file, facts } of [whole, ...patches]) {
      await fileIntake.keep(files, file, facts, counted(progress, 'Storing files', facts.size));
    }
    if (decided.published.value.result === 'unchanged') return ok(withItsFile(decided.published.value, unsigned));
    const artifact = await this.#signed(unsigned, whole, patches, files);

    return untilWritten(pauses, async () => {
      const { published, read } = await this.#decide(product, { ...details, artifact });
      if (!published.ok) return published;
      const { release, result } = published.value;
      const written = result === 'unchanged' || (await releaseEditor.save(release, read));
      return written ? ok(withItsFile(published.value, artifact)) : CONFLICT;
    });
  }

  /** The release as it would be, held against the product's others: it is saved only while they are these. */
  async #decide(product: Product, publication: Publication) {
    const { releaseEditor, versions, ids, clock } = this.#ports;
    const read = await releaseEditor.read(product.id, publication.version);
    const released = await releaseEditor.released(product.id);
    const published = publishInto(read.release, publication, { id: ids.next(), released_at: clock.now() });
    if (!published.ok) return { read, published };
    const kept = keepsFeedWhole(product, published.value, released, versions.order(product.version_scheme));
    return { read, published: kept.ok ? published : kept };
  }

  async #signed(
    artifact: Artifact,
    whole: ReadFile,
    patches: readonly ReadFile[],
    files: StoreFiles,
  ): Promise<Artifact> {
    const { fileIntake } = this.#ports;
    const signature = await fileIntake.sign(files, whole.file, whole.facts);
    const deltas: Delta[] = [];
    for (const [n, delta] of (artifact.deltas ?? []).entries()) {
      const { file, facts } = patches[n] as ReadFile;
      deltas.push({ ...delta, signature: await fileIntake.sign(files, file, facts) });
    }
    return { ...artifact, signature, ...(deltas.length > 0 && { deltas }) };
  }
}

/** The file as the release has it: one that was there before keeps its name and its signature. */
const withItsFile = (published: Published, sent: Artifact): PublishedFile => ({
  ...published,
  artifact: published.release.artifacts.find(({ platform }) => platform === sent.platform) ?? sent,
});
