import { join } from 'node:path';
import { isCounter } from '../../adapters/store/table-dump.ts';
import { contentsOf } from '../aws/migration/contents-of.ts';

export const SHAPES = join(import.meta.dirname, 'shapes.txt');

const isName = (text: string): boolean => /^[a-z]+(?:_[a-z]+)*$/i.test(text) && text.length < 40;

/** A key with a star for each part that is an id. */
const kindOf = (key: string, parts: RegExp): string =>
  key.replaceAll(parts, (part) => (/^[A-Z]+$/.test(part) ? part : '*'));

/**
 * The paths of a value's fields with their types, as `lines[].price string`. Fields that are named by ids count as one.
 */
function* pathsOf(value: unknown, path = ''): Generator<string> {
  if (Array.isArray(value)) {
    yield `${path || '.'} array`;
    for (const one of value) yield* pathsOf(one, `${path}[]`);
  } else if (typeof value === 'object' && value !== null) {
    if (path !== '') yield `${path} object`;
    for (const [name, one] of Object.entries(value)) yield* pathsOf(one, `${path}.${isName(name) ? name : '*'}`);
  } else yield `${path} ${value === null ? 'null' : typeof value}`;
}

/**
 * The shapes of everything in a store's folder: a line for each field of each kind of record, and each folder of files.
 */
export const shapesOf = async (dataDir: string): Promise<string> => {
  const { entries, objects } = await contentsOf(`folder:${dataDir}`);
  const lines = new Set<string>();
  for (const [key, entry] of entries) {
    const kind = kindOf(key, /[^# ]+/g);
    if (entry.expires_at !== undefined) lines.add(`${kind}: expires`);
    for (const path of isCounter(entry) ? ['counter'] : pathsOf(entry.data)) lines.add(`${kind}: ${path}`);
  }
  for (const key of objects.keys()) lines.add(`file: ${key.split('/')[0]}`);
  return `${[...lines].sort().join('\n')}\n`;
};
