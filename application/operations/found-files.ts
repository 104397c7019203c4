import type { ContentAsset } from '../../domain/catalog/product.ts';
import { filesOf } from '../../domain/operations/release-faults.ts';
import type { StoreDocument } from '../../domain/operations/store-document.ts';
import type { FileFacts, StoreFiles } from '../../ports/outbound/store-files.ts';
import { counted, type Progress } from './progress.ts';

/** The files that a document names, with their facts. A missing file or folder has no entry. */
export type FoundFiles = {
  readonly facts: ReadonlyMap<string, FileFacts>;
  /** The paths in each folder of assets, relative to it. */
  readonly folders: ReadonlyMap<string, readonly string[]>;
};

const within = (folder: string, path: string): string => `${folder}/${path}`;

/** The file that each content asset of a folder is read from, by the asset's path. */
export const assetFiles = (folder: string | null, { folders }: FoundFiles): { path: string; file: string }[] =>
  folder === null ? [] : (folders.get(folder) ?? []).map((path) => ({ path, file: within(folder, path) }));

export const assetsOf = (folder: string | null, found: FoundFiles): ContentAsset[] =>
  assetFiles(folder, found).flatMap(({ path, file }) => {
    const facts = found.facts.get(file);
    return facts ? [{ path, ...facts }] : [];
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

/** Reads each file that a document names once, for its facts. */
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
