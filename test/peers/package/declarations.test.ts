import { existsSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { expect, inject, test } from 'vitest';
import { ENTRIES, PROJECT } from './entries.ts';

const dist = join(inject('consumer'), 'node_modules', 'account-service', 'dist');
const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));

const IMPORTED = /(?:\bfrom |\bimport\(|\bimport )["']([^"']+)["']/g;

/** The packages and Node modules that the declarations of the entries name, in all the files that they lead to. */
const named = (): ReadonlySet<string> => {
  const outside = new Set<string>();
  const waiting = ENTRIES.map(({ source }) => join(dist, source.replace(/\.ts$/, '.d.ts')));
  const seen = new Set(waiting);
  for (const file of waiting) {
    for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(IMPORTED)) {
      const next = join(dirname(file), to.replace(/\.ts$/, '.d.ts'));
      if (!to.startsWith('.'))
        outside.add(isBuiltin(to) ? 'node' : to.split('/', to.startsWith('@') ? 2 : 1).join('/'));
      else if (!seen.has(next) && existsSync(next)) {
        seen.add(next);
        waiting.push(next);
      }
    }
  }
  return outside;
};

const typesOf = (name: string): string => `@types/${name.replace(/^@(.+)\/(.+)$/, '$1__$2')}`;

test('the public declarations name only Node and dependencies', () => {
  const allowed = ['node', ...Object.keys(manifest.dependencies)];
  const names = [...named()];
  expect(names).toEqual(expect.arrayContaining(['node', 'express', 'zod']));
  expect(names.filter((name) => !allowed.includes(name))).toEqual([]);
});

test('the types that DefinitelyTyped has of these packages are dependencies, and no others are', () => {
  const typed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const needed = [...named()].map(typesOf).filter((types) => typed.includes(types));
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith('@types/'))).toEqual(needed.sort());
});
