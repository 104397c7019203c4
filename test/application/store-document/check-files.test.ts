import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NamedObject } from '../../../application/store-document/stored-files.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Capture } from '../../../domain/design/collect/capture.ts';
import { addDays, type Instant } from '../../../domain/shared/instant.ts';
import { designObjectKey } from '../../../domain/shared/stored-file.ts';
import { newTicket, reportObjectKey, ticketFile } from '../../../domain/support/ticket.ts';
import type { ObjectStore } from '../../../ports/outbound/object-store.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { EVERY_ENTRY } from '../../support/audited.ts';
import { anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { aLock, aRun, captureKey, someFields } from '../../support/collect-builders.ts';
import { put as putContents } from '../../support/contents.ts';
import { aClock } from '../../support/fakes.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { aReport } from '../../support/report-builders.ts';
import { aDraft, anImage } from '../../support/screen-builders.ts';
import { memoryService } from '../../support/service.ts';

const permit = grantPermit();
const facts = (text: string) => ({ sha256: hash('sha256', text), size: text.length });

const NO_CONTENT = {
  product_id: 1,
  detail_html: null,
  gallery: [],
  videos: [],
  usage_path: null,
  architecture_path: null,
  ai_prompt_path: null,
};

let service: Service;
let objects: ObjectStore;

beforeEach(() => {
  const engines = memoryEngines();
  objects = engines.objects;
  service = memoryService({ clock: aClock() }, engines);
});

const put = (key: string, text: string) => objects.put(permit, key, Readable.from([text]));

const aTicketWithFile = async (id: number, at: Instant): Promise<void> => {
  const file = ticketFile({ name: `log-${id}.zip`, type: 'application/zip', ...facts(`log ${id}`) }, 1, at);
  const ticket = newTicket(aReport({ summary: `Report ${id}` }), { id, account_id: 1 }, at);
  await service.get('tickets').open(permit, ticket, `report ${id}`, { opening: undefined, version: null }, file);
};

const aRunWithFiles = async (): Promise<void> => {
  const runs = service.get('collectRuns');
  await runs.open(permit, aRun(), aLock(addDays(NOW, 1)), await runs.lock());
  const read = async () => {
    const run = await runs.get(5);
    if (!run) throw new Error('There is no run.');
    return run;
  };
  await runs.addAsset(
    permit,
    { run_id: 5, type: 'css', url: 'https://a.example/a.css', ...facts('css') } as never,
    await read(),
  );
  const capture = { ...someFields(1), run_id: 5, number: 1, key: captureKey(1), received_at: NOW, html: facts('page') };
  const image = { ...facts('seen'), type: null, width: null, height: null };
  await runs.putCapture(permit, { ...capture, image } as unknown as Capture, await read());
};

const names = async (): Promise<string[]> => {
  const found: NamedObject[] = [];
  for await (const one of service.get('findStoredFiles')()) found.push(one);
  return found.map(({ name }) => name);
};

const faults = async () => {
  const { faults: found } = await service.get('checkFiles')({ quick: false });
  return found.map(({ name, state }) => `${state}: ${name}`);
};

test('a repair writes every lost file again, however many there are', async () => {
  const runs = service.get('collectRuns');
  await aRunWithFiles();
  const copy = memoryEngines().objects;
  const texts = Array.from({ length: 1200 }, (_, n) => `file ${n}`);
  for (const text of ['css', ...texts]) {
    await copy.put(permit, designObjectKey(facts(text).sha256), Readable.from([text]));
    const url = `https://a.example/${encodeURIComponent(text)}`;
    const run = await runs.get(5);
    if (!run) throw new Error('There is no run.');
    await runs.addAsset(permit, { run_id: 5, type: 'css', url, ...facts(text) } as never, run);
  }
  const { mended, left } = await service.get('mendFiles')(permit, { from: 'backup', copy });
  expect([mended.length, left]).toEqual([1201, []]);
  expect(await service.get('checkFiles')({ quick: false })).toMatchObject({ files: 1203, faulty: 0 });
});

describe('the files that clients uploaded', () => {
  test('a check finds the lost file of a ticket until its retention ends', async () => {
    await aTicketWithFile(1, NOW);
    await aTicketWithFile(2, addDays(NOW, -200));
    expect(await names()).toEqual(['file log-1.zip of ticket 1']);
    expect(await faults()).toEqual(['missing: file log-1.zip of ticket 1']);
    await put(reportObjectKey(NOW, facts('log 1').sha256), 'log 1');
    expect(await faults()).toEqual([]);
  });

  test('a check finds the lost files of screens, but not announced ones', async () => {
    await aRunWithFiles();
    const asset = `asset https://a.example/a.css of run ${aRun().id}`;
    expect(await names()).toEqual([asset, 'image of capture 1 of run 5', 'page of capture 1 of run 5']);
    expect(await faults()).toEqual([`missing: ${asset}`]);
    await put(designObjectKey(facts('css').sha256), 'css');
    // The capture's image is also the screen's, which the store must have.
    const image = { ...anImage(), ...facts('seen') };
    const thumbnail = { ...anImage(), ...facts('small') };
    await service.get('galleryEditor').save(permit, [aDraft({ image, thumbnail, page: facts('saved') })]);
    const lost = ['image of screen 1', 'thumbnail of screen 1', 'saved page of screen 1'];
    expect(await faults()).toEqual(lost.map((name) => `missing: ${name}`));
    for (const text of ['seen', 'small', 'saved']) await put(designObjectKey(facts(text).sha256), text);
    expect(await faults()).toEqual([]);
  });
});

test('a check names the files of releases, their patches and the content of products', async () => {
  const patch = { from_build: '7', filename: 'a.delta', signature: null, ...facts('patch') };
  await putContents(service, {
    products: [aProduct({ id: 1, slug: 'tool' }), aProduct({ id: 2 })],
    releases: [aRelease({ artifacts: [anArtifact({ ...facts('tool'), deltas: [patch] })] })],
    productContents: [
      { ...NO_CONTENT, assets: [{ path: 'guide.md', content_type: 'text/markdown', ...facts('guide') }] },
    ],
  });
  const found: NamedObject[] = [];
  for await (const one of service.get('findStoredFiles')()) found.push(one);
  expect(found).toMatchObject([
    { name: 'tool 1.0.0 for every platform (product.zip)', from: 'release', ...facts('tool') },
    { name: 'tool 1.0.0 for every platform, patch from build 7', from: 'release', ...facts('patch') },
    { name: 'tool content guide.md', from: 'content', ...facts('guide') },
  ]);
});

test('a check reads every capture of a run, and every screen, however many there are', async () => {
  const runs = service.get('collectRuns');
  await runs.open(permit, aRun(), aLock(addDays(NOW, 1)), await runs.lock());
  for (let number = 1; number <= 501; number++) {
    const run = await runs.get(5);
    if (!run) throw new Error('There is no run.');
    const capture = { ...someFields(number), run_id: 5, number, key: captureKey(number), received_at: NOW };
    await runs.putCapture(
      permit,
      { ...capture, image: null, html: facts(`page ${number}`) } as unknown as Capture,
      run,
    );
  }
  expect((await names()).filter((name) => name.startsWith('page of capture'))).toHaveLength(501);
  const drafts = Array.from({ length: 21 }, (_, n) =>
    aDraft({ key: captureKey(n), image: { ...anImage(), ...facts(`${n}`) } }),
  );
  await service.get('galleryEditor').save(permit, drafts);
  const images = (await names()).filter((name) => name.startsWith('image of screen'));
  expect(images).toEqual(Array.from({ length: 21 }, (_, n) => `image of screen ${n + 1}`));
});

test('a check counts every faulty file and names as many as requested', async () => {
  const assets = ['one', 'two', 'three'].map((text) => ({ path: text, content_type: 'text/plain', ...facts(text) }));
  await putContents(service, { products: [aProduct()], productContents: [{ ...NO_CONTENT, assets }] });
  const check = async (input: object) => {
    const { faults: found, ...rest } = await service.get('checkFiles')({ quick: true, ...input });
    return { ...rest, named: found.length };
  };
  for (const most of [2, 3]) expect(await check({ most })).toEqual({ files: 3, bytes: 11, faulty: 3, named: most });
});

test('a quick check compares file sizes, and a full one reads the bytes', async () => {
  await aRunWithFiles();
  const depths: string[] = [];
  const examine = objects.examine.bind(objects);
  objects.examine = (key, file, how) => {
    depths.push(how.depth);
    return examine(key, file, how);
  };
  for (const quick of [true, false]) await service.get('checkFiles')({ quick });
  expect(depths).toEqual(['size', 'size', 'size', 'bytes', 'bytes', 'bytes']);
});

test('the progress of a full check ends with all bytes, and a quick check has none', async () => {
  await aRunWithFiles();
  await put(designObjectKey(facts('css').sha256), 'css');
  const told = async (quick: boolean) => {
    const all: number[][] = [];
    await service.get('checkFiles')({ quick, progress: (_, read, total) => all.push([read, total]) });
    return all.at(-1);
  };
  expect(await told(false)).toEqual([3, 11]);
  expect(await told(true)).toBeUndefined();
});

test('a repair leaves files that the copy lacks or has damaged, and recommends itself only if a file is faulty', async () => {
  await aRunWithFiles();
  const [copy, damaged] = [memoryEngines().objects, memoryEngines().objects];
  const repairs = async () =>
    (await Array.fromAsync(service.get('auditLog').list({ ...EVERY_ENTRY, action: 'store.repair_begun' }))).length;
  const mend = (from = copy) => service.get('mendFiles')(permit, { from: 'backup', copy: from });
  expect(await mend()).toMatchObject({ mended: [], left: [{ state: 'missing' }] });
  expect(await repairs()).toBe(1);
  await damaged.put(permit, designObjectKey(facts('css').sha256), Readable.from(['CSS']));
  expect(await mend(damaged)).toMatchObject({ mended: [], left: [{ state: 'missing' }] });
  await copy.put(permit, designObjectKey(facts('css').sha256), Readable.from(['css']));
  expect(await mend()).toMatchObject({ mended: [{ state: 'missing' }], left: [] });
  expect(await repairs()).toBe(3);
  expect(await mend()).toEqual({ mended: [], left: [] });
  expect(await repairs()).toBe(3);
});
