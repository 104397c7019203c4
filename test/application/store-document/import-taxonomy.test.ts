import { beforeEach, expect, test } from 'vitest';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { memoryService } from '../../support/service.ts';
import { aFolder, faultLines, importInto } from '../../support/store-folder.ts';

let service: Service;
let folder: string;

beforeEach(async () => {
  service = memoryService();
  folder = await aFolder();
});

const load = (taxonomy: object) => importInto(service, folder, { taxonomy });
const aTerm = (key: string, en = key) => ({ key, name: { en } });
const patterns = async () => (await service.get('showTaxonomy')()).patterns;

test('an imported term is listed in the taxonomy beside the gallery’s own', async () => {
  const own = await patterns();
  expect(await load({ patterns: [aTerm('release-notes')] })).toMatchObject({ value: { taxonomy: { created: 1 } } });
  expect(await patterns()).toEqual([...own, { ...aTerm('release-notes'), screens: 0 }]);
});

test('an imported term replaces the gallery’s own term of the same key', async () => {
  const own = await patterns();
  await load({ patterns: [aTerm('tabs', 'Several pages in one')] });
  expect(await patterns()).toHaveLength(own.length);
  expect(await patterns()).toContainEqual({ ...aTerm('tabs', 'Several pages in one'), screens: 0 });
});

test('a second import of the same terms changes nothing and counts each as unchanged', async () => {
  const parts = { page_types: [aTerm('changelog')], elements: [aTerm('keyboard-key'), aTerm('button')] };
  await load(parts);
  const before = await service.get('galleryEditor').terms();
  expect(await load(parts)).toMatchObject({ value: { taxonomy: { created: 0, updated: 0, unchanged: 3 } } });
  expect(await service.get('galleryEditor').terms()).toEqual(before);
});

test('terms of an earlier import stay when a later one does not name them', async () => {
  await load({ patterns: [aTerm('one'), aTerm('two')] });
  expect(await load({ patterns: [aTerm('two', 'Second')] })).toMatchObject({ value: { taxonomy: { updated: 1 } } });
  const { patterns: stored } = await service.get('galleryEditor').terms();
  expect(stored).toEqual([aTerm('one'), aTerm('two', 'Second')]);
});

test('a term that a document names twice is a fault, and nothing is imported', async () => {
  const outcome = await load({ patterns: [aTerm('one'), aTerm('one')] });
  expect(outcome.ok ? [] : faultLines(outcome)).toEqual([
    'taxonomy.patterns.1.key: "one" is already the key of taxonomy.patterns.0',
  ]);
});

test('the total number of imported terms is limited', async () => {
  const many = (prefix: string) => Array.from({ length: 60 }, (_, n) => aTerm(`${prefix}-${n}`));
  await load({ elements: many('a') });
  const outcome = await load({ elements: many('b') });
  expect(outcome.ok ? [] : faultLines(outcome)).toEqual([
    'taxonomy.elements: would make 120 terms together with the stored ones; at most 100 are allowed',
  ]);
});
