import { picturesNamed } from '../../domain/catalog/pictures.ts';
import type { ContentAsset, Product, ProductContent } from '../../domain/catalog/product.ts';
import { otherBytes, otherPatch, platformName } from '../../domain/delivery/publication.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { type Fault, faultsAt, type Rule } from '../../domain/shared/fault.ts';
import { filesOf } from '../../domain/store-document/release-faults.ts';
import type {
  ArtifactEntry,
  FileEntry,
  ProductEntry,
  ReleaseEntry,
  StoreDocument,
} from '../../domain/store-document/store-document.ts';
import type { FileFacts, StoreFiles } from '../../ports/outbound/store-document.ts';
import { artifactFault, type FileIntake } from '../delivery/releases.ts';
import { counted, type Progress } from '../shared/progress.ts';

/** The files that a document names, with their size and hash. A missing file or folder has no entry. */
export type FoundFiles = {
  readonly facts: ReadonlyMap<string, FileFacts>;
  /** The paths in each folder of assets, relative to it. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
};

const within = (folder: string, path: string): string => `${folder}/${path}`;

/** The file of each content asset in a folder, by the asset's path. */
const assetFiles = (folder: string | null, { folders }: FoundFiles): { path: string; file: string }[] =>
  folder === null ? [] : (folders.get(folder) ?? []).map((path) => ({ path, file: within(folder, path) }));

const assetsOf = (folder: string | null, found: FoundFiles): ContentAsset[] =>
  assetFiles(folder, found).flatMap(({ path, file }) => {
    const facts = found.facts.get(file);
    if (!facts) return [];
    const { size, sha256, content_type } = facts;
    return [{ path, size, sha256, content_type }];
  });

const foldersOf = async ({ products }: StoreDocument, files: StoreFiles): Promise<FoundFiles['folders']> => {
  const folders = new Map<string, readonly string[]>();
  for (const { content } of products) {
    const folder = content.assets_dir;
    if (folder === null || folders.has(folder)) continue;
    const paths = await files.list(folder);
    if (paths) folders.set(folder, paths);
  }
  return folders;
};

/** Reads each file that a document names once, to measure it. */
export const findFiles = async (
  document: StoreDocument,
  files: StoreFiles,
  progress: Progress,
): Promise<FoundFiles> => {
  const folders = await foldersOf(document, files);
  const assets = [...folders].flatMap(([folder, paths]) => paths.map((path) => within(folder, path)));
  const artifacts = document.releases.flatMap((release) =>
    release.artifacts.flatMap((artifact) => filesOf(artifact).map(({ entry }) => entry.file)),
  );
  const sizes = new Map<string, number>();
  for (const path of [...assets, ...artifacts]) {
    const size = sizes.has(path) ? undefined : await files.size(path);
    if (size !== undefined) sizes.set(path, size);
  }
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const read = counted(progress, 'Reading files', total);
  const facts = new Map<string, FileFacts>();
  for (const path of sizes.keys()) {
    const found = await files.facts(path, read);
    if (found) facts.set(path, found);
  }
  return { facts, folders };
};

const fileFault = ({ file, sha256 }: FileEntry, at: string, { facts }: FoundFiles): Fault[] => {
  const found = facts.get(file);
  const unfit = found && artifactFault(found.size);
  return faultsAt(at, [
    [!found, 'file', `there is no file "${file}" in the document’s folder`],
    [unfit, 'file', `"${file}" ${unfit}`],
    [found && sha256 !== null && sha256 !== found.sha256, 'sha256', `the sha256 of "${file}" is ${found?.sha256}`],
  ]);
};

/** Faults of files that differ from already published ones. */
const replacedFaults = (
  { platform, file, deltas = [] }: ArtifactEntry,
  at: string,
  before: Release | undefined,
  { facts }: FoundFiles,
): Fault[] => {
  const sumOf = (path: string): string => facts.get(path)?.sha256 ?? '';
  const there = facts.has(file) ? otherBytes(before, { platform, sha256: sumOf(file) }) : undefined;
  const same = before?.artifacts.find((one) => one.platform === platform);
  const other = there && `this version has another file for ${platformName(there)} already (sha256 ${there.sha256})`;
  const patches = deltas.map(({ from_build, file: patch }, n): Rule => {
    const existing = facts.has(patch) ? otherPatch(same, { from_build, sha256: sumOf(patch) }) : undefined;
    const why = `this version has another patch from build ${from_build} already (sha256 ${existing?.sha256})`;
    return [existing, `deltas.${n}.file`, why];
  });
  return faultsAt(at, [[there, 'file', other ?? ''], ...patches]);
};

const releaseFileFaults = (
  { artifacts }: ReleaseEntry,
  path: string,
  before: Release | undefined,
  found: FoundFiles,
): Fault[] =>
  artifacts.flatMap((artifact, n) => {
    const within = `${path}.artifacts.${n}`;
    return [
      ...filesOf(artifact).flatMap(({ at, entry }) => fileFault(entry, within + at, found)),
      ...replacedFaults(artifact, within, before, found),
    ];
  });

/** The fields of a product that name a content asset, each with the path. */
const assetNames = ({ hero, install_assets, content }: ProductEntry): (readonly [string, string | null])[] => [
  ['hero.path', hero?.path ?? null],
  ...install_assets.map(({ path }, n) => [`install_assets.${n}.path`, path] as const),
  ...content.gallery.map(({ path }, n) => [`content.gallery.${n}.path`, path] as const),
  ['content.usage_path', content.usage_path],
  ['content.architecture_path', content.architecture_path],
  ['content.ai_prompt_path', content.ai_prompt_path],
];

const assetFaults = (entry: ProductEntry, path: string, found: FoundFiles): Fault[] => {
  const folder = entry.content.assets_dir;
  if (folder !== null && !found.folders.has(folder)) {
    return [{ path: `${path}.content.assets_dir`, message: `there is no folder "${folder}" in the document’s folder` }];
  }
  const assets = assetFiles(folder, found);
  const paths = new Set<string | null>([null, ...assets.map((asset) => asset.path)]);
  const why =
    folder === null
      ? 'is named without an assets_dir; set assets_dir to its folder'
      : `is no file of assets_dir "${folder}"`;
  const outside = 'is not a file of the document’s folder, or a link that leads out of it';
  return faultsAt(path, [
    ...assets.map(({ file }): Rule => [!found.facts.has(file), 'content.assets_dir', `"${file}" ${outside}`]),
    ...assetNames(entry).map(([member, named]): Rule => [!paths.has(named), member, `"${named}" ${why}`]),
  ]);
};

/**
 * The faults of a document's files: missing, unsuitable, with another SHA-256, or different from the published ones.
 */
export const fileFaults = (
  { products, releases }: { products: readonly ProductEntry[]; releases: readonly ReleaseEntry[] },
  stored: ReadonlyMap<number, readonly Release[]>,
  found: FoundFiles,
): Fault[] => [
  ...products.flatMap((entry, i) => assetFaults(entry, `products.${i}`, found)),
  ...releases.flatMap((entry, i) => {
    const before = stored.get(entry.product_id)?.find(({ id }) => id === entry.id);
    return releaseFileFaults(entry, `releases.${i}`, before, found);
  }),
];

/** The SHA-256 sums of a version's signed files, whose signatures stay. */
const signedSums = (before: Release | undefined): Set<string> =>
  new Set(
    (before?.artifacts ?? [])
      .flatMap((artifact) => [artifact, ...(artifact.deltas ?? [])])
      .flatMap(({ sha256, signature }) => (signature === null ? [] : [sha256])),
  );

/**
 * The signatures in a checked document that an import replaces, because no key of this store made them. The operator
 * must know, because an installed application refuses a file that its own key did not sign.
 */
export const signatureWarnings = async (
  entries: readonly ReleaseEntry[],
  stored: ReadonlyMap<number, readonly Release[]>,
  { facts }: FoundFiles,
  files: StoreFiles,
  fileIntake: FileIntake,
): Promise<Fault[]> => {
  const warnings: Fault[] = [];
  for (const [i, { id, product_id, artifacts }] of entries.entries()) {
    const signed = signedSums(stored.get(product_id)?.find((release) => release.id === id));
    for (const [n, artifact] of artifacts.entries()) {
      for (const { at, entry } of filesOf(artifact)) {
        const { file, signature } = entry;
        const known = facts.get(file);
        if (!signature || !known || signed.has(known.sha256)) continue;
        if ((await fileIntake.checked(files, { file, facts: known }, signature)).ok) continue;
        const message = `is of no key of this store, or of another file; the file was signed with the SUPublicEDKey ${await fileIntake.publicKey()}, and applications that have another key refuse it`;
        warnings.push({ path: `releases.${i}.artifacts.${n}${at}.signature`, message });
      }
    }
  }
  return warnings;
};

/** The maximum size of one record in bytes of JSON, which every store can hold. */
export const MAX_RECORD_BYTES = 400_000;

/** The two records that a product is stored as. */
export const productRecords = (
  { content: { assets_dir, ...content }, ...product }: ProductEntry,
  found: FoundFiles,
): { product: Product; content: ProductContent } => {
  const assets = assetsOf(assets_dir, found);
  const pictures = picturesNamed(product.thumbnail_html, assets);
  return {
    product: pictures.length === 0 ? product : { ...product, pictures },
    content: { product_id: product.id, ...content, assets },
  };
};

export const tooLarge = (path: string, record: object): Fault[] => {
  const why = `is larger than the ${MAX_RECORD_BYTES} bytes that a store holds in one piece; shorten its texts`;
  return faultsAt(path, [[Buffer.byteLength(JSON.stringify(record)) > MAX_RECORD_BYTES, '', why]]);
};

/** Faults of records that exceed the size of a store's record. The schema of the document bounds all other records. */
export const recordFaults = ({ products, policy }: StoreDocument, found: FoundFiles): Fault[] => [
  ...products.flatMap((entry, i) => {
    const { product, content } = productRecords(entry, found);
    return [...tooLarge(`products.${i}`, product), ...tooLarge(`products.${i}.content`, content)];
  }),
  ...(policy ? tooLarge('policy', policy) : []),
];
