import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Licenses under which a package may be redistributed with a work under Apache-2.0, if its notice is included. */
const PERMITTED = [
  '(MIT OR CC0-1.0)',
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
  'Unlicense',
];

/** Packages without a license in their manifest, and the license in their own file. */
const BY_FILE: Readonly<Record<string, string>> = { 'node_modules/exif-parser': 'MIT' };

type Names = Readonly<Record<string, string>>;
type Locked = { readonly license?: string; readonly dependencies?: Names; readonly peerDependencies?: Names };

/** The packages that the service may run with, including optional ones, by their paths in the lock file. */
const installed = (): [string, Locked][] => {
  const { packages } = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  const found = new Set<string>();
  const place = (from: string, name: string): string => {
    const path = join(from, 'node_modules', name);
    return path in packages || from === '' ? path : place(from.slice(0, from.lastIndexOf('node_modules') - 1), name);
  };
  const walk = (from: string): void => {
    const { vitest: _, ...names } = { ...packages[from]?.peerDependencies, ...packages[from]?.dependencies };
    for (const path of Object.keys(names).map((name) => place(from, name))) {
      if (!(path in packages) || found.has(path)) continue;
      found.add(path);
      walk(path);
    }
  };
  walk('');
  return [...found].map((path) => [path, packages[path] as Locked]);
};

describe('the license of the project', () => {
  test('every production package’s license permits distribution with a work under Apache-2.0', () => {
    const packages = installed();
    expect(packages.map(([path]) => path)).toEqual(
      expect.arrayContaining(['node_modules/express', 'node_modules/@aws-sdk/client-s3', 'node_modules/@jimp/core']),
    );
    const others = packages.filter(([path, { license }]) => !PERMITTED.includes(license ?? BY_FILE[path] ?? ''));
    expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
  });

  test('the manifest and the file name the same license', () => {
    const manifest = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { readonly license: string };
    expect(manifest.license).toBe('Apache-2.0');
    expect(readFileSync(join(PROJECT, 'LICENSE'), 'utf8')).toMatch(
      /^\s+Apache License\n\s+Version 2\.0, January 2004\n/,
    );
  });
});
