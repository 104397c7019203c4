import type { Product } from '../../domain/catalog/product.ts';
import { formatOf } from '../../domain/delivery/artifact-format.ts';
import type { Channel, Platform } from '../../domain/delivery/channel.ts';
import { isFileName, type Publication, type Published, publishInto } from '../../domain/delivery/publication.ts';
import type { Artifact } from '../../domain/delivery/release.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Catalogs } from '../../ports/outbound/catalogs.ts';
import type { Clock } from '../../ports/outbound/clock.ts';
import type { Ids } from '../../ports/outbound/ids.ts';
import type { Pauses } from '../../ports/outbound/pauses.ts';
import type { ReleaseEditor, Releases, Versions } from '../../ports/outbound/releases.ts';
import type { FileFacts, StoreFiles } from '../../ports/outbound/store-files.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { artifactFault, type FileIntake } from './file-intake.ts';
import { counted, type Progress, unseen } from './progress.ts';

type Ports = {
  catalogs: Catalogs;
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
};

type Input = PublishWish & { readonly files: StoreFiles; readonly progress?: Progress };

export type PublishedFile = Published & { readonly artifact: Artifact };

type Refusal =
  | 'product_not_found'
  | 'invalid_version'
  | 'file_not_found'
  | 'unfit_file'
  | 'version_exists'
  | 'release_differs';

/**
 * Publishes one file as a product's version for one platform, from now on. The same file again changes nothing; what
 * was published under the version before is never replaced.
 */
export class PublishRelease {
  readonly #ports: Ports;

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  async execute({ files, progress = unseen, ...wish }: Input): Promise<Outcome<PublishedFile, Refusal>> {
    const product = await this.#product(wish.product);
    if (!product) return refuse('product_not_found', { message: `There is no product ${wish.product}.` });
    const version = await this.#version(product, wish.version);
    if (version === undefined) {
      return refuse('invalid_version', {
        message: `"${wish.version}" is no version of the scheme ${product.version_scheme}, which ${product.slug} has.`,
      });
    }
    const read = await this.#read(files, wish, progress);
    if (!read.ok) return read;
    return this.#publish({ ...wish, version }, product, read.value, files, progress);
  }

  async #product(named: string): Promise<Product | undefined> {
    const { products } = await this.#ports.catalogs.current();
    return products.get(Number(named)) ?? [...products.values()].find(({ slug }) => slug === named);
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
    { file, filename }: PublishWish,
    progress: Progress,
  ): Promise<Outcome<FileFacts, 'file_not_found' | 'unfit_file'>> {
    const size = await files.size(file);
    const unfit = isFileName(filename) ? artifactFault(size ?? 1) : 'has a name that can’t be downloaded under';
    if (unfit) return refuse('unfit_file', { message: `The file ${file} ${unfit}.` });
    const facts = size === undefined ? undefined : await files.facts(file, counted(progress, 'Reading files', size));
    return facts ? ok(facts) : refuse('file_not_found', { message: `There is no file ${file}.` });
  }

  async #publish(
    { file, filename, platform, ...wish }: PublishWish,
    product: Product,
    facts: FileFacts,
    files: StoreFiles,
    progress: Progress,
  ): Promise<Outcome<PublishedFile, 'version_exists' | 'release_differs'>> {
    const { releaseEditor, fileIntake, ids, clock, pauses } = this.#ports;
    const { sha256, size } = facts;
    const unsigned = { platform, filename, sha256, size, format: formatOf(filename), signature: null };
    const { version, channel, build, notes_en, notes_ko } = wish;
    const publication: Publication = {
      product_id: product.id,
      version,
      channel,
      build,
      notes_en,
      notes_ko,
      artifact: unsigned,
    };
    const fresh = () => ({ id: ids.next(), released_at: clock.now() });

    const decided = publishInto((await releaseEditor.read(product.id, version)).release, publication, fresh());
    if (!decided.ok) return decided;
    await fileIntake.keep(files, file, facts, counted(progress, 'Storing files', size));
    if (decided.value.result === 'unchanged') return ok(withItsFile(decided.value, unsigned));
    const artifact = { ...unsigned, signature: await fileIntake.sign(files, file, facts) };

    return untilWritten(pauses, async () => {
      const read = await releaseEditor.read(product.id, version);
      const published = publishInto(read.release, { ...publication, artifact }, fresh());
      if (!published.ok) return published;
      const { release, result } = published.value;
      const written = result === 'unchanged' || (await releaseEditor.save(release, read));
      return written ? ok(withItsFile(published.value, artifact)) : CONFLICT;
    });
  }
}

/** The file as the release has it: one that was there before keeps its name and its signature. */
const withItsFile = (published: Published, sent: Artifact): PublishedFile => ({
  ...published,
  artifact: published.release.artifacts.find(({ platform }) => platform === sent.platform) ?? sent,
});
