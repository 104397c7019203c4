import { resolve } from 'node:path';
import type { Table } from '../../adapters/store/table.ts';
import type { TableDump } from '../../adapters/store/table-dump.ts';
import { dataFiles, makeFolder } from '../configuration/data-dir.ts';
import { BUILT_IN } from '../engines/built-in.ts';
import { openNamed } from '../engines/choose.ts';
import {
  type Chosen,
  type EngineKinds,
  isInDataDir,
  type ObjectsEngine,
  shownPlace,
  type TableEngine,
} from '../engines/kinds.ts';
import type { Objects } from './objects.ts';

/** A store to copy from or to. */
export type Place = Objects & {
  /** The name for messages, the same for every notation of the place. */
  readonly name: string;
  readonly table: Table;
  readonly dump: TableDump;
  /** The folder of the signing keys; undefined if they are not beside the table. */
  readonly keysFolder?: string | undefined;
};

/** The engines of a table and of its objects, and the locations of both. */
export type PlaceSpec = { readonly table: Chosen<TableEngine>; readonly objects: Chosen<ObjectsEngine> };

type Engine = TableEngine | ObjectsEngine;

/** The notations of a place, for help and error messages. `kinds` may have a team's own engines. */
export const waysToWrite = ({ tables, objects }: EngineKinds): string => {
  const builtIn = { ...BUILT_IN.tables, ...BUILT_IN.objects };
  const own = [...Object.entries(tables), ...Object.entries(objects)].flatMap(([name, { variable, takes }]) =>
    variable === null || Object.hasOwn(builtIn, name) ? [] : [`${name}:X, where X is ${takes}`],
  );
  return `a folder (folder:DIR or just DIR), or a table and objects such as postgres://USER@HOST/DATABASE,s3:BUCKET or dynamodb:TABLE,s3:BUCKET; sqlite:DIR and filesystem:DIR stand for either half of a folder${own.length === 0 ? '' : `; also ${own.join(', and ')}`}`;
};

const SCHEME = /^([a-z0-9]{2,}):(.*)$/s;

/** One half of a place; undefined for any other text, and for an engine whose data end with the process. */
const half = <E extends Engine>(kinds: Readonly<Record<string, E>>, text: string): Chosen<E> | undefined => {
  const [, name = '', rest = ''] = SCHEME.exec(text) ?? [];
  const engine = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  // The URL of a database begins with the name of its engine.
  const place = engine && !isInDataDir(engine) && rest.startsWith('//') ? text : rest;
  return engine && engine.variable !== null && place !== '' ? { name, place, engine } : undefined;
};

/**
 * Parses the notation of a place. `folder:DIR`, or `DIR` alone, is a data folder with its database, objects and keys.
 * `TABLE,OBJECTS` names both halves, such as `dynamodb:shop,s3:shop-files`, in either order; each half may be in a
 * folder. `sqlite:DIR` alone is the whole folder too. Undefined for any other text.
 */
export const parsePlace = (text: string, kinds: EngineKinds): PlaceSpec | undefined => {
  const ofHalves = (one: string, other: string): PlaceSpec | undefined => {
    const [table, objects] = [half(kinds.tables, one), half(kinds.objects, other)];
    return table && objects && { table, objects };
  };
  const inFolder = (folder: string) => ofHalves(`sqlite:${folder}`, `filesystem:${folder}`);
  const [, scheme, rest = ''] = SCHEME.exec(text) ?? [];
  // A bare engine name means that its place was forgotten, not a folder.
  if (Object.hasOwn({ ...kinds.tables, ...kinds.objects }, text)) return undefined;
  if (scheme === undefined) return inFolder(text);
  if (scheme === 'folder') return inFolder(rest);
  const [one = '', other, ...more] = text.split(/,(?=[a-z0-9]{2,}:)/);
  if (more.length > 0) return undefined;
  if (other === undefined) return scheme === 'sqlite' ? inFolder(rest) : undefined;
  return ofHalves(one, other) ?? ofHalves(other, one);
};

const halfName = ({ name, place, engine }: Chosen<Engine>): string =>
  `${name}:${isInDataDir(engine) ? resolve(place) : shownPlace(place)}`;

/** The name of a place, the same for every notation of it. */
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
  // A copy signs no URL, so any address will do.
  const sign = async () => (await import('../engines/signatures.ts')).passingSignatures({ api: '', design: '' });
  const { objects, listing, close } = await openNamed(name, () => engine.open(place, sign));
  if (close) opened.defer(close);
  if (!isInDataDir(engine)) await objects.ping();
  // A store keeps its keys in its data folder, whichever half is stored there.
  const half = [spec.table, spec.objects].find((one) => isInDataDir(one.engine));
  const keysFolder = half && dataFiles(half.place).keys;
  const open = opened.move();
  return { name: placeName(spec), table, dump, objects, listing, keysFolder, close: () => open.disposeAsync() };
};
