import { StoreUnavailable } from '../../adapters/store/table.ts';
import { BUILT_IN } from './built-in.ts';
import type { Chosen, EngineKinds, ObjectsEngine, OwnEngines, TableEngine } from './kinds.ts';

type Engine = TableEngine | ObjectsEngine;

/** The name of an engine. A single letter would be a drive in a place such as `C:\shop`. */
const NAME = /^[a-z][a-z0-9]+$/;

const RESERVED: readonly string[] = ['folder'];

const withOwn = <E>(builtIn: Readonly<Record<string, E>>, own: Readonly<Record<string, E>> = {}) => {
  for (const name of Object.keys(own)) {
    if (!NAME.test(name)) throw new RangeError(`An engine's name has 2 or more of a-z and 0-9; "${name}" has others.`);
    if (Object.hasOwn(builtIn, name) || RESERVED.includes(name)) {
      throw new RangeError(`The package has an engine named "${name}"; give your own another name.`);
    }
  }
  return { ...builtIn, ...own };
};

/** The engines of this package and a team's own. Throws RangeError if one of those has an invalid name. */
export const kindsWith = (own: OwnEngines = {}): EngineKinds => ({
  tables: withOwn<TableEngine>(BUILT_IN.tables, own.tables),
  objects: withOwn<ObjectsEngine>(BUILT_IN.objects, own.objects),
});

/** Opens an engine. If a team's own engine fails, the error names it. */
export const openNamed = async <T>(name: string, opening: () => Promise<T>): Promise<T> => {
  try {
    return await opening();
  } catch (error) {
    if (isBuiltIn(name) || error instanceof StoreUnavailable) throw error;
    throw new Error(`The engine ${name} can't be opened: ${(error as Error).message}`, { cause: error });
  }
};

const isBuiltIn = (name: string): boolean => Object.hasOwn({ ...BUILT_IN.tables, ...BUILT_IN.objects }, name);

/** The engine that a setting names. Each fault is a line for people; without faults, an engine is chosen. */
export type Choice<E> = {
  readonly chosen: Chosen<E> | undefined;
  readonly unknown: readonly string[];
  readonly missing: readonly string[];
};

/** Finds the engine that `setting` names by `name`, and the location in its variable. */
export const chooseEngine = <E extends Engine>(
  setting: 'STORE' | 'OBJECTS',
  name: string,
  kinds: Readonly<Record<string, E>>,
  set: Readonly<Record<string, string | undefined>>,
): Choice<E> => {
  const engine = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  if (!engine) {
    const unknown = `${setting} takes one of ${Object.keys(kinds).join(', ')}; it is "${name}".`;
    return { chosen: undefined, unknown: [unknown], missing: [] };
  }
  const { variable, takes } = engine;
  const place = variable === null ? '' : set[variable];
  if (place !== undefined) return { chosen: { name, place, engine }, unknown: [], missing: [] };
  const missing = `${variable} takes ${takes} where ${setting} is ${name}; it is not set.`;
  return { chosen: undefined, unknown: [], missing: [missing] };
};
