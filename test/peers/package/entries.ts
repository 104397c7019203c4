import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const PROJECT = join(import.meta.dirname, '..', '..', '..');

/** A module that may be imported from the package: its name there, and its source. */
export type Entry = { readonly name: string; readonly source: string };

type Manifest = { readonly name: string; readonly exports: Readonly<Record<string, string | null>> };

const manifest: Manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

const sourceOf = (target: string): string => target.replace('./dist/', '').replace(/\.js$/, '.ts');

/** The key that Node takes for a name: the name itself, or else the pattern with the longest part before its asterisk. */
const keyOf = (name: string): string | undefined => {
  if (name in manifest.exports) return name;
  const patterns = Object.keys(manifest.exports).filter(
    (key) => key.includes('*') && name.startsWith(key.split('*')[0] ?? ''),
  );
  return patterns.sort((a, b) => b.length - a.length)[0];
};

const expanded = (key: string, target: string): readonly Entry[] => {
  const [before = '', after = ''] = sourceOf(target).split('*');
  return globSync(`${before}**/*${after}`, { cwd: PROJECT })
    .map((source) => ({
      name: key.replace('*', source.slice(before.length, source.length - after.length)),
      source,
    }))
    .filter(({ name }) => keyOf(name) === key);
};

/** Every module that package.json lets others import, by its name, in the order of the names. */
export const ENTRIES: readonly Entry[] = Object.entries(manifest.exports)
  .flatMap(([key, target]) => {
    if (target === null || !target.endsWith('.js')) return [];
    return key.includes('*') ? expanded(key, target) : [{ name: key, source: sourceOf(target) }];
  })
  .map(({ name, source }) => ({ name: name.replace(/^\./, manifest.name), source }))
  .sort((a, b) => (a.name < b.name ? -1 : 1));
