import { randomBytes } from 'node:crypto';
import { resolve } from 'node:path';
import { DownloadSignature } from '../../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../../adapters/filesystem/filesystem-objects.ts';
import type { Table } from '../../../adapters/store/table.ts';
import type { TableDump } from '../../../adapters/store/table-dump.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import { openNamed } from '../../composition/engines/choose.ts';
import { type Chosen, isInDataDir, type ObjectsEngine, type TableEngine } from '../../composition/engines/kinds.ts';
import { makeFolder } from '../../composition/make-folder.ts';
import { passingSignatures } from '../../composition/signatures.ts';
import type { Objects } from './objects.ts';

/** A store to copy from or to. */
export type Place = Objects & {
  /** The name for messages. It is the same for every way of writing the place. */
  readonly name: string;
  readonly table: Table;
  readonly dump: TableDump;
  /** The folder of the signing keys; undefined if they are not beside the table. */
  readonly keysFolder?: string | undefined;
};

/** The engines of a table and of its objects, and the places of both. */
export type PlaceSpec = { readonly table: Chosen<TableEngine>; readonly objects: Chosen<ObjectsEngine> };

type Engine = TableEngine | ObjectsEngine;

const halfName = ({ name, place, engine }: Chosen<Engine>): string =>
  `${name}:${isInDataDir(engine) ? resolve(place) : place}`;

/** The name of a place. It is the same for every way of writing the place. */
export const placeName = ({ table, objects }: PlaceSpec): string =>
  isInDataDir(table.engine) && isInDataDir(objects.engine) && resolve(table.place) === resolve(objects.place)
    ? `folder:${resolve(table.place)}`
    : `${halfName(table)},${halfName(objects)}`;

/** True if both places share a table or objects. */
export const overlap = (a: PlaceSpec, b: PlaceSpec): boolean =>
  halfName(a.table) === halfName(b.table) || halfName(a.objects) === halfName(b.objects);

/** Creates the folders of a target. Throws a one-line error if a source does not exist. */
const prepare = ({ table, objects }: PlaceSpec, as: 'source' | 'target'): void => {
  if (as === 'source') {
    if (table.engine.exists?.(table.place) === false) throw new Error(`There is no store in ${table.place}.`);
    if (objects.engine.exists?.(objects.place) === false) throw new Error(`There are no objects in ${objects.place}.`);
    return;
  }
  for (const { engine, place } of [table, objects]) {
    try {
      if (isInDataDir(engine)) makeFolder(resolve(place));
    } catch (error) {
      throw new Error(`The folder ${place} can't be made (${(error as NodeJS.ErrnoException).code}).`);
    }
  }
};

/** Opens a place to copy from or to. Throws a one-line error if that fails. */
export const openPlace = async (
  spec: PlaceSpec,
  as: 'source' | 'target',
): Promise<Place & { readonly close: () => Promise<void> }> => {
  prepare(spec, as);
  await using opened = new AsyncDisposableStack();
  const { table, dump } = await openNamed(spec.table.name, () => spec.table.engine.open(spec.table.place, 'copying'));
  opened.defer(() => table.close());
  const { name, engine, place } = spec.objects;
  // A copy signs no URL, so that any address will do.
  const sign = async () => passingSignatures({ api: '', design: '' });
  const { objects, listing, close } = await openNamed(name, () => engine.open(place, sign));
  if (close) opened.defer(close);
  if (!isInDataDir(engine)) await objects.ping();
  // A store has its keys in its data folder, whichever half lies there.
  const half = [spec.table, spec.objects].find((one) => isInDataDir(one.engine));
  const keysFolder = half && dataFiles(half.place).keys;
  const open = opened.move();
  return { name: placeName(spec), table, dump, objects, listing, keysFolder, close: () => open.disposeAsync() };
};

/** The objects in the folder of a store or of a backup. Nobody downloads them here, so that any secret will do. */
export const objectsIn = (folder: string): Objects => {
  const signature = new DownloadSignature({ secret: randomBytes(32), baseUrl: '' });
  const objects = new FilesystemObjects(dataFiles(folder).objects, signature);
  return { objects, listing: objects };
};
