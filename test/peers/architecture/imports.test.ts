import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Cruise, cruiseLayers, explain, layerFiles, PROJECT, RULES } from './cruise.ts';
import { BREACHES, PERMITTED } from './plants.ts';

/** Fewer than the files of the project, and far more than an ineffective run would report. */
const FLOOR = 100;

describe('the layers of the sources', () => {
  let cruised: Cruise;
  beforeAll(async () => {
    cruised = await cruiseLayers(PROJECT);
  });

  test('every file imports only modules that its layer may import', () => {
    expect(cruised.breaches.map(explain)).toEqual([]);
  });

  test('the check sees every file of the layers', () => {
    const unseen = layerFiles().filter((file) => !cruised.modules.includes(file));
    expect(unseen).toEqual([]);
    expect(cruised.modules.length).toBeGreaterThan(FLOOR);
  });
});

describe('the import rules', () => {
  let planted: string;
  let cruised: Cruise;

  const target = /['"](\.{1,2}\/[^'"]+)['"]/g;
  const sow = async ({ file, imports }: { file: string; imports: string }) => {
    const path = join(planted, file);
    const targets = [...imports.matchAll(target)].map(([, to]) => join(dirname(path), to ?? ''));
    for (const empty of targets) {
      await mkdir(dirname(empty), { recursive: true });
      await writeFile(empty, 'export type A = number;\n', { flag: 'a' });
    }
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, `${imports}\nexport type A = number;\n`);
  };

  beforeAll(async () => {
    planted = await mkdtemp(join(tmpdir(), 'import-rules-'));
    await symlink(join(PROJECT, 'node_modules'), join(planted, 'node_modules'));
    await symlink(join(PROJECT, 'package.json'), join(planted, 'package.json'));
    for (const plant of [...BREACHES, ...PERMITTED]) await sow(plant);
    cruised = await cruiseLayers(planted);
  });
  afterAll(() => rm(planted, { recursive: true, force: true }));

  test('every import rule says how to fix a violation', () => {
    for (const { name, comment } of RULES) expect(comment.length, name).toBeGreaterThan(30);
  });

  test.each(RULES.map(({ name }) => name))('the rule %s has a planted violation', (name) => {
    expect(BREACHES.map(({ rule }) => rule)).toContain(name);
  });

  test.each(BREACHES)('the rule $rule reports $file: $imports', ({ rule, file }) => {
    const places = [file, dirname(file)];
    const reported = cruised.breaches.filter(({ from, to }) => places.includes(from) || places.includes(to));
    expect(reported.map((breach) => breach.rule)).toContain(rule);
  });

  test.each(PERMITTED)('the import rules let $file pass', ({ file }) => {
    expect(cruised.modules).toContain(file);
    expect(cruised.breaches.filter(({ from }) => from === file)).toEqual([]);
  });
});
