import { BUILT_IN } from '../../composition/engines/built-in.ts';
import type { Chosen, EngineKinds, ObjectsEngine, TableEngine } from '../../composition/engines/kinds.ts';

/** The engines of a table and of its objects, and the places of both. */
export type PlaceSpec = { readonly table: Chosen<TableEngine>; readonly objects: Chosen<ObjectsEngine> };

/** The ways to write a place, for help and error messages. `kinds` may have engines of a team's own. */
export const waysToWrite = ({ tables, objects }: EngineKinds): string =>
  `a folder (folder:DIR or just DIR), or a table and objects such as dynamodb:TABLE,s3:BUCKET; sqlite:DIR and filesystem:DIR stand for either half of a folder${alsoOf([...placed(tables), ...placed(objects)])}`;

const placed = (kinds: Readonly<Record<string, TableEngine | ObjectsEngine>>): string[] =>
  Object.entries(kinds).flatMap(([name, { variable, takes }]) =>
    variable === null || Object.hasOwn({ ...BUILT_IN.tables, ...BUILT_IN.objects }, name)
      ? []
      : [`${name}:X, where X is ${takes}`],
  );

const alsoOf = (own: readonly string[]): string => (own.length === 0 ? '' : `; also ${own.join(', and ')}`);

const SCHEME = /^([a-z0-9]{2,}):(.*)$/s;

/** A folder has both halves of a store. */
const inFolder = ({ tables, objects }: EngineKinds, folder: string): PlaceSpec | undefined => {
  const { sqlite } = tables;
  const { filesystem } = objects;
  if (folder === '' || !sqlite || !filesystem) return undefined;
  return {
    table: { name: 'sqlite', place: folder, engine: sqlite },
    objects: { name: 'filesystem', place: folder, engine: filesystem },
  };
};

/** One half of a place; undefined for any other text, and for an engine whose data end with the process. */
const half = <E extends TableEngine | ObjectsEngine>(
  kinds: Readonly<Record<string, E>>,
  text: string,
): Chosen<E> | undefined => {
  const [, name = '', place = ''] = SCHEME.exec(text) ?? [];
  const engine = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return engine && engine.variable !== null && place !== '' ? { name, place, engine } : undefined;
};

const ofHalves = ({ tables, objects }: EngineKinds, one: string, other: string): PlaceSpec | undefined => {
  const [table, files] = [half(tables, one), half(objects, other)];
  return table && files && { table, objects: files };
};

/**
 * Parses the text of a place. `folder:DIR`, or `DIR` alone, is a data folder with its database, objects and keys.
 * `TABLE,OBJECTS` are both halves, such as `dynamodb:shop,s3:shop-files`, in either order; each half may be in a
 * folder. `sqlite:DIR` alone is the whole folder too. Undefined for any other text.
 */
export const parsePlace = (text: string, kinds: EngineKinds): PlaceSpec | undefined => {
  const [, scheme, rest = ''] = SCHEME.exec(text) ?? [];
  // A name alone is a place that was forgotten, and no folder.
  if (Object.hasOwn({ ...kinds.tables, ...kinds.objects }, text)) return undefined;
  if (scheme === undefined) return inFolder(kinds, text);
  if (scheme === 'folder') return inFolder(kinds, rest);
  const [one = '', other, ...more] = text.split(/,(?=[a-z0-9]{2,}:)/);
  if (more.length > 0) return undefined;
  if (other === undefined) return half(kinds.tables, one)?.name === 'sqlite' ? inFolder(kinds, rest) : undefined;
  return ofHalves(kinds, one, other) ?? ofHalves(kinds, other, one);
};
