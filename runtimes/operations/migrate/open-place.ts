import { dirname, resolve } from 'node:path';
import { dataFiles } from '../../composition/data-dir.ts';
import { openNamed } from '../../composition/engines/choose.ts';
import {
  type Chosen,
  isInDataDir,
  type ObjectsEngine,
  type OpenedStore,
  type TableEngine,
} from '../../composition/engines/kinds.ts';
import { makeFolder } from '../../composition/make-folder.ts';
import { passingSignatures } from '../../composition/signatures.ts';
import type { PlaceSpec } from './parse-place.ts';
import type { Place } from './place.ts';

export type OpenedPlace = Place & { readonly close: () => Promise<void> };

type Half = Chosen<TableEngine | ObjectsEngine>;

const halfName = ({ name, place, engine }: Half): string => `${name}:${isInDataDir(engine) ? resolve(place) : place}`;

/** The name of a place. It is the same for every way of writing the place. */
export const placeName = ({ table, objects }: PlaceSpec): string =>
  isInDataDir(table.engine) && isInDataDir(objects.engine) && resolve(table.place) === resolve(objects.place)
    ? `folder:${resolve(table.place)}`
    : `${halfName(table)},${halfName(objects)}`;

/** True if both places share a table or objects. */
export const overlap = (a: PlaceSpec, b: PlaceSpec): boolean =>
  halfName(a.table) === halfName(b.table) || halfName(a.objects) === halfName(b.objects);

const openObjects = ({ name, engine, place }: Chosen<ObjectsEngine>): Promise<OpenedStore> =>
  // A copy signs no URL, so that any address will do.
  openNamed(name, () => engine.open(place, async () => passingSignatures({ api: '', design: '' })));

/** The folder of the keys: a store has them in its data folder, whichever half lies there. */
const keysFolderOf = ({ table, objects }: PlaceSpec): string | undefined => {
  const half = [table, objects].find(({ engine }) => isInDataDir(engine));
  return half && dirname(dataFiles(half.place).licenseKey);
};

const makeTarget = (folder: string): void => {
  try {
    makeFolder(resolve(folder));
  } catch (error) {
    throw new Error(`The folder ${folder} can't be made (${(error as NodeJS.ErrnoException).code}).`);
  }
};

/** Creates the folders of a target. Throws a one-line error if a source does not exist. */
const prepare = ({ table, objects }: PlaceSpec, as: 'source' | 'target'): void => {
  if (as === 'target') {
    for (const { engine, place } of [table, objects]) if (isInDataDir(engine)) makeTarget(place);
    return;
  }
  if (table.engine.exists?.(table.place) === false) throw new Error(`There is no store in ${table.place}.`);
  if (objects.engine.exists?.(objects.place) === false) throw new Error(`There are no objects in ${objects.place}.`);
};

/** Opens a place to copy from or to. Throws a one-line error if that fails. */
export const openPlace = async (spec: PlaceSpec, as: 'source' | 'target'): Promise<OpenedPlace> => {
  prepare(spec, as);
  await using opened = new AsyncDisposableStack();
  const { name: tableName, place, engine } = spec.table;
  const { table, dump } = await openNamed(tableName, () => engine.open(place, 'copying'));
  opened.defer(() => table.close());
  const { objects, listing, close } = await openObjects(spec.objects);
  if (close) opened.defer(close);
  if (!isInDataDir(spec.objects.engine)) await objects.ping();
  const open = opened.move();
  const name = placeName(spec);
  return { name, table, dump, objects, listing, keysFolder: keysFolderOf(spec), close: () => open.disposeAsync() };
};
