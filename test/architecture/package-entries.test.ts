import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');
const sourceOf = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

const ENTRY = sourceOf('runtimes/package/use-cases.ts');

/** The files behind the entry, and the names that it takes from each; undefined if it takes all. */
const FILES = [...ENTRY.matchAll(/export (\*|\{[^}]*\}) from '..\/..\/(.*)';/g)].map(([, names = '', path = '']) => ({
  path,
  names: names === '*' ? undefined : new Set(names.match(/(?<=type )\w+/g)),
}));

/** The list of parameters of each function that an exported function returns, which is a use case that has its ports. */
const INPUTS = /^ {2}(?:return )?(?:async )?(?:function \w+)?\(((?:[^()]|\([^()]*\))*)\)[^\n]*(?:=>|: Promise<$|\{$)/gm;

/** The types that the inputs of a file's use cases name. */
const inputTypes = (source: string): string[] =>
  source
    .split(/^(?=export const )/m)
    .slice(1)
    .flatMap((statement) => [...(statement.split(/^(?:const|type|class) /m)[0] as string).matchAll(INPUTS)])
    .filter(([list]) => !/Ports\b|Needs</.test(list))
    .flatMap(([, list = '']) => list.match(/(?<=: (?:readonly )?|& |\| |<)[A-Z]\w+/g) ?? []);

test('each type of the input of a use case is exported by the entry of use cases, or comes from the domain or a port', () => {
  const all = FILES.flatMap(({ path, names }) => inputTypes(sourceOf(path)).map((type) => ({ path, names, type })));
  expect(all.length).toBeGreaterThan(100);
  const hidden = all.filter(({ path, names, type }) => {
    const source = sourceOf(path);
    if (new RegExp(`^type ${type}\\b`, 'm').test(source)) return true;
    if (new RegExp(`^export type ${type}\\b`, 'm').test(source)) return names !== undefined && !names.has(type);
    const from = new RegExp(`import [^;]*\\b${type}\\b[^;]*? from '(.*)';`).exec(source)?.[1] ?? '';
    if (!from || /\/(?:domain|ports)\//.test(from)) return false;
    const imported = join(path, '..', from);
    return !FILES.some((one) => one.path === imported && (one.names === undefined || one.names.has(type)));
  });
  expect(hidden.map(({ path, type }) => `${path}: ${type}`)).toEqual([]);
});

test('each rule, port and use case is in its entry', () => {
  for (const [entry, pattern] of [
    ['rules', 'domain/**/*.ts'],
    ['ports', 'ports/outbound/**/*.ts'],
    ['use-cases', 'application/!(shared)/**/*.ts'],
  ] as const) {
    const barrel = sourceOf(`runtimes/package/${entry}.ts`);
    const missing = globSync(pattern, { cwd: PROJECT }).filter((path) => {
      const exports = /^export /m.test(sourceOf(path));
      return exports && !barrel.includes(`'../../${path}'`);
    });
    expect([entry, missing]).toEqual([entry, []]);
  }
});
