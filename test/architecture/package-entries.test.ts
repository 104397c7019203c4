import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');
const sourceOf = (path: string): string => readFileSync(join(PROJECT, path), 'utf8');

const ENTRY = sourceOf('runtimes/package/use-cases.ts');

/** The files behind the entry, and the names that it takes from each; undefined means all. */
const FILES = [...ENTRY.matchAll(/export (\*|\{[^}]*\}) from '..\/..\/(.*)';/g)].map(([, names = '', path = '']) => ({
  path,
  names: names === '*' ? undefined : new Set(names.match(/(?<=type )\w+/g)),
}));

/** The parameters of each function that an exported function returns, that is, of a use case with its ports. */
const INPUTS = /^ {2}(?:return )?(?:async )?(?:function \w+)?\(((?:[^()]|\([^()]*\))*)\)[^\n]*(?:=>|: Promise<$|\{$)/gm;

/** The types in the inputs of a file's use cases. */
const inputTypes = (source: string): string[] =>
  source
    .split(/^(?=export const )/m)
    .slice(1)
    .flatMap((statement) => [...(statement.split(/^(?:const|type|class) /m)[0] as string).matchAll(INPUTS)])
    .filter(([list]) => !/Ports\b|Needs</.test(list))
    .flatMap(([, list = '']) => list.match(/(?<=: (?:readonly )?|& |\| |<)[A-Z]\w+/g) ?? []);

test('each input type of a use case is exported by the entry of use cases, or comes from the domain or a port', () => {
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

const MANIFEST: { readonly exports: Readonly<Record<string, string>>; readonly files: readonly string[] } = JSON.parse(
  sourceOf('package.json'),
);

test('each entry has a source of its name, each source is an entry, and each folder and file of the package exists', () => {
  const targets = Object.values(MANIFEST.exports).filter((target) => target.startsWith('./dist/'));
  const sources = targets.map((target) => target.replace('./dist/', '').replace(/js$/, 'ts'));
  expect(sources.toSorted()).toEqual(globSync('runtimes/package/*.ts', { cwd: PROJECT }).toSorted());
  const there = MANIFEST.files.filter((path) => path === 'dist' || existsSync(join(PROJECT, path)));
  expect(there).toEqual(MANIFEST.files);
});

/** The names that a module exports, including those of modules that it re-exports whole. */
const namesOf = (path: string): string[] => {
  const source = sourceOf(path);
  const lists = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)];
  const named = lists.flatMap(([, list = '']) => list.split(',').map((one) => one.trim().split(/\s+/).at(-1) ?? ''));
  const own = [...source.matchAll(/^export (?:async |abstract )*(?:const|function\*?|class|interface|type) (\w+)/gm)];
  const whole = [...source.matchAll(/^export (?:type )?\* from '(.*)';/gm)];
  return [
    ...named,
    ...own.map(([, name = '']) => name),
    ...whole.flatMap(([, from = '']) => namesOf(join(path, '..', from))),
  ];
};

test('each name that an example or a page imports from an entry exists', () => {
  const users = globSync(['examples/*/*.ts', 'docs/*.md', 'README.md'], { cwd: PROJECT });
  const taken = users.flatMap((user) =>
    [...sourceOf(user).matchAll(/import (?:type )?\{([^}]*)\} from 'account-service(\/[\w-]+)?'/g)].flatMap(
      ([, list = '', entry = '']) =>
        list.split(',').flatMap((one) => {
          const [name = ''] = one
            .trim()
            .replace(/^type /, '')
            .split(' ');
          return name === '' ? [] : [{ user, entry: `.${entry}`, name }];
        }),
    ),
  );
  expect(taken.length).toBeGreaterThan(20);
  const sourceOfEntry = (entry: string) => MANIFEST.exports[entry]?.replace('./dist/', '').replace(/js$/, 'ts') ?? '';
  const missing = taken.filter(({ entry, name }) => !namesOf(sourceOfEntry(entry)).includes(name));
  expect(missing).toEqual([]);
});
