import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const PROJECT = join(import.meta.dirname, '..', '..');

/** Licenses that allow a package to be passed on with a work under Apache-2.0, if its notice goes with it. */
const PERMITTED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'PSF-2.0',
];

/** Packages that name no license in their manifest, and the license that their own file has. */
const BY_FILE: Readonly<Record<string, string>> = { 'node_modules/exif-parser': 'MIT' };

type Locked = { readonly license?: string; readonly dev?: boolean };

const installed = (): [string, Locked][] => {
  const lock = JSON.parse(readFileSync(join(PROJECT, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, Locked>>;
  };
  return Object.entries(lock.packages).filter(([path, { dev }]) => path !== '' && !dev);
};

describe('the license of the project', () => {
  test('every package that runs in production may be passed on with a work under Apache-2.0', () => {
    const packages = installed();
    expect(packages.length).toBeGreaterThan(100);
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
