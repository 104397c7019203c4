import { BUILT_IN } from '../../composition/engines/built-in.ts';
import type { Chosen, EngineKinds, ObjectsEngine, TableEngine } from '../../composition/engines/kinds.ts';
import type { PlaceSpec } from './place.ts';

/** The ways to write a place, for help and error messages. `kinds` may have engines of a team's own. */
export const waysToWrite = ({ tables, objects }: EngineKinds): string => {
  const builtIn = { ...BUILT_IN.tables, ...BUILT_IN.objects };
  const own = [...Object.entries(tables), ...Object.entries(objects)].flatMap(([name, { variable, takes }]) =>
    variable === null || Object.hasOwn(builtIn, name) ? [] : [`${name}:X, where X is ${takes}`],
  );
  return `a folder (folder:DIR or just DIR), or a table and objects such as dynamodb:TABLE,s3:BUCKET; sqlite:DIR and filesystem:DIR stand for either half of a folder${own.length === 0 ? '' : `; also ${own.join(', and ')}`}`;
};

const SCHEME = /^([a-z0-9]{2,}):(.*)$/s;

/** One half of a place; undefined for any other text, and for an engine whose data end with the process. */
const half = <E extends TableEngine | ObjectsEngine>(
  kinds: Readonly<Record<string, E>>,
  text: string,
): Chosen<E> | undefined => {
  const [, name = '', place = ''] = SCHEME.exec(text) ?? [];
  const engine = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return engine && engine.variable !== null && place !== '' ? { name, place, engine } : undefined;
};

/**
 * Parses the text of a place. `folder:DIR`, or `DIR` alone, is a data folder with its database, objects and keys.
 * `TABLE,OBJECTS` are both halves, such as `dynamodb:shop,s3:shop-files`, in either order; each half may be in a
 * folder. `sqlite:DIR` alone is the whole folder too. Undefined for any other text.
 */
export const parsePlace = (text: string, kinds: EngineKinds): PlaceSpec | undefined => {
  const ofHalves = (one: string, other: string): PlaceSpec | undefined => {
    const [table, objects] = [half(kinds.tables, one), half(kinds.objects, other)];
    return table && objects && { table, objects };
  };
  const inFolder = (folder: string) => ofHalves(`sqlite:${folder}`, `filesystem:${folder}`);
  const [, scheme, rest = ''] = SCHEME.exec(text) ?? [];
  // A name alone is a place that was forgotten, and no folder.
  if (Object.hasOwn({ ...kinds.tables, ...kinds.objects }, text)) return undefined;
  if (scheme === undefined) return inFolder(text);
  if (scheme === 'folder') return inFolder(rest);
  const [one = '', other, ...more] = text.split(/,(?=[a-z0-9]{2,}:)/);
  if (more.length > 0) return undefined;
  if (other === undefined) return scheme === 'sqlite' ? inFolder(rest) : undefined;
  return ofHalves(one, other) ?? ofHalves(other, one);
};
