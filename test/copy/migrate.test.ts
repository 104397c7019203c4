import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signingKeyMaker } from '../../adapters/crypto/ed25519-keys.ts';
import { SigningKeyRingFiles } from '../../adapters/crypto/signing-key-ring-files.ts';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { MemoryObjects } from '../../adapters/memory/memory-objects.ts';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { Progress } from '../../application/shared/progress.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { type SigningKeyRing, withActivated, withNewKey } from '../../domain/signing/signing-key-ring.ts';
import { migrate } from '../../runtimes/copy/migrate.ts';
import { type PlaceSpec, parsePlace, placeName, waysToWrite } from '../../runtimes/copy/place.ts';
import { BUILT_IN } from '../../runtimes/engines/built-in.ts';
import { kindsWith } from '../../runtimes/engines/choose.ts';
import type { TableEngine } from '../../runtimes/engines/kinds.ts';
import { NOW } from '../support/builders.ts';
import { generateAccounts } from '../support/generate-accounts.ts';
import { done } from '../support/outcomes.ts';

const inMemory = (name: string) => {
  const table = new MemoryTable();
  const objects = new MemoryObjects(new DownloadSignature({ secret: randomBytes(32), baseUrl: '' }));
  return { name, table, dump: table, objects, listing: objects };
};
const put = (place: ReturnType<typeof inMemory>, sk: string, data: object, expires_at?: number) =>
  place.table.put({ pk: 'p', sk, data, ...(expires_at !== undefined && { expires_at }) });
const putObject = ({ objects }: ReturnType<typeof inMemory>, key: string, content = key) =>
  objects.put(grantPermit(), key, Readable.from([Buffer.from(content)]));

/** A place with data and an empty place as the target. */
const places = async () => {
  const [from, to] = [inMemory('from'), inMemory('to')];
  await put(from, 'a', { n: 1 });
  await put(from, 'b', { n: 2 });
  await putObject(from, 'object');
  return { from, to };
};

/** Runs the work once a migration reaches its second stage, after the table was copied. */
const afterTheTable = (work: () => void): Progress => {
  let done = false;
  return (stage) => {
    if (stage === 'Entries' || done) return;
    done = true;
    work();
  };
};

describe('a migration', () => {
  test('a migration copies every account, and a copy of the copy is the same', async () => {
    const [a, b, c] = [inMemory('a'), inMemory('b'), inMemory('c')];
    const entries = await generateAccounts(a.dump, { accounts: 60 });
    const there = await migrate(a, b);
    expect(there).toMatchObject({ ok: true, value: { changed: true, table: { entries }, keys: null } });
    const back = await migrate(b, c);
    if (there.ok && back.ok) expect(back.value.table).toEqual(there.value.table);
    expect(back.ok).toBe(true);
  });

  test('a migration names entries written meanwhile, and another run makes both sides equal', async () => {
    const { from, to } = await places();
    const outcome = await migrate(
      from,
      to,
      afterTheTable(() => {
        put(from, 'b', { n: 3 });
        put(from, 'c', {});
      }),
    );
    expect(outcome).toMatchObject({ ok: false, code: 'not_equal' });
    const faults = outcome.ok ? [] : (outcome.data?.['faults'] as { path: string }[]);
    expect(faults.toSorted((a, b) => (a.path < b.path ? -1 : 1))).toEqual([
      { path: 'p b', message: 'not the same' },
      { path: 'p c', message: 'only in from' },
    ]);
    expect(await migrate(from, to)).toMatchObject({ ok: true, value: { changed: true, copied: { entries: 3 } } });
    expect(await migrate(from, to)).toMatchObject({ ok: true, value: { changed: false } });
  });

  test('a migration names an entry removed meanwhile, because it never removes anything from the target', async () => {
    const { from, to } = await places();
    const progress = afterTheTable(() => from.table.remove({ pk: 'p', sk: 'b' }));
    const outcome = await migrate(from, to, progress);
    expect(outcome).toMatchObject({ code: 'not_equal', data: { faults: [{ path: 'p b', message: 'only in to' }] } });
  });

  test('a migration names an object that only the target has at the end', async () => {
    const { from, to } = await places();
    const outcome = await migrate(
      from,
      to,
      afterTheTable(() => putObject(to, 'late')),
    );
    expect(outcome).toMatchObject({ code: 'not_equal', data: { faults: [{ path: 'late', message: 'only in to' }] } });
  });

  test('a migration copies the bytes of objects and leaves out the objects of the doctor', async () => {
    const { from, to } = await places();
    await putObject(from, 'doctor/probe');
    await putObject(from, 'reports/2026-11-21/ab');
    await putObject(to, 'doctor/other');
    const outcome = await migrate(from, to);
    expect(outcome).toMatchObject({ ok: true, value: { objects: { objects: 2, bytes: 27 } } });
    const opened = await to.objects.open('object');
    expect(opened && String(await buffer(opened.stream))).toBe('object');
    expect(await to.objects.stat('reports/2026-11-21/ab')).toBeDefined();
    expect(await to.objects.stat('doctor/probe')).toBeUndefined();
  });

  test('a migration leaves out expired entries', async () => {
    const { from, to } = await places();
    await put(from, 'expired', {}, 1);
    expect(await migrate(from, to)).toMatchObject({ ok: true, value: { table: { entries: 2 } } });
    expect(await to.table.get({ pk: 'p', sk: 'expired' })).toBeUndefined();
  });

  test('a migration is refused while another run writes to the same target', async () => {
    const { from, to } = await places();
    await expect(Promise.all([migrate(from, to), migrate(from, to)])).rejects.toThrow('Another run is copying to to');
  });
});

describe('the target of a migration', () => {
  test('a target with the same keys is overwritten', async () => {
    const { from, to } = await places();
    await put(to, 'a', { n: 0 });
    await put(to, 'b', { n: 0 });
    expect((await migrate(from, to)).ok).toBe(true);
    expect((await to.table.get({ pk: 'p', sk: 'a' }))?.data).toEqual({ n: 1 });
  });

  test('a target gets a replaced key file, and a target with a different key file is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { from, to } = await places();
    const [source, target] = [from, to].map((place) => ({ ...place, keysFolder: join(folder, place.name) }));
    if (!source || !target) throw new Error('no places');
    const file = (place: typeof source, number: number) => join(place.keysFolder, `policy-signing.${number}.json`);
    await mkdir(source.keysFolder);
    await writeFile(file(source, 1), 'one');
    expect(await migrate(source, target)).toMatchObject({ ok: true, value: { keys: { copied: 1, files: 1 } } });
    await writeFile(file(source, 1), '');
    await writeFile(file(source, 2), 'two');
    expect(await migrate(source, target)).toMatchObject({ ok: true, value: { keys: { copied: 1, files: 2 } } });
    expect(await readFile(file(target, 2), 'utf8')).toBe('two');
    await writeFile(file(target, 2), 'another');
    expect(await migrate(source, target)).toMatchObject({ ok: false, code: 'target_has_other_data' });
  });

  test('a target gets the current license key after a rotation, and a target with its own license key is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'migrate-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { from, to } = await places();
    const [source, target, other] = ['source', 'target', 'other'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    const move = () => migrate({ ...from, keysFolder: source }, { ...to, keysFolder: target });
    const rings = new SigningKeyRingFiles(source, 'license');
    await rings.read();
    expect(await move()).toMatchObject({ ok: true, value: { keys: { copied: 1, files: 1 } } });

    for (const change of [
      (ring: SigningKeyRing) => withNewKey(ring, signingKeyMaker.newKey(), NOW),
      (ring: SigningKeyRing) => withActivated(ring, 'license', NOW, { unlisted: true }),
    ]) {
      const read = await rings.read();
      await rings.save(done<SigningKeyRing>(change(read.ring)), read);
    }
    expect(await move()).toMatchObject({ ok: true, value: { changed: true } });
    expect(await new SigningKeyRingFiles(target, 'license').read()).toEqual(await rings.read());
    expect(await move()).toMatchObject({ ok: true, value: { changed: false } });

    await new SigningKeyRingFiles(other, 'license').read();
    const strange = await readFile(join(other, 'license-signing.1.json'), 'utf8');
    await writeFile(join(target, 'license-signing.3.json'), strange);
    expect(await move()).toMatchObject({ ok: false, code: 'target_has_other_data' });
  });

  test.each([
    ['another entry', (to: ReturnType<typeof inMemory>) => put(to, 'other', {})],
    ['another counter', (to: ReturnType<typeof inMemory>) => to.table.increment({ pk: 'p', sk: 'a' }, 1)],
    ['another object', (to: ReturnType<typeof inMemory>) => putObject(to, 'other')],
  ])('a target with %s is refused and left unchanged', async (_, prepare) => {
    const { from, to } = await places();
    await prepare(to);
    const before = await to.dump.dump(0);
    expect(await migrate(from, to)).toMatchObject({ ok: false, code: 'target_has_other_data' });
    expect(await to.dump.dump(0)).toEqual(before);
  });

  test('a target with a copy of another source is refused', async () => {
    const { from, to } = await places();
    await migrate(from, to);
    expect(await migrate(inMemory('elsewhere'), to)).toMatchObject({ code: 'target_has_other_data' });
  });

  test('a target that was written to after the copy is refused and left unchanged', async () => {
    const { from, to } = await places();
    await migrate(from, to);
    await put(to, 'a', { n: 7 });
    expect(await migrate(from, to)).toMatchObject({ code: 'target_has_changed' });
    expect((await to.table.get({ pk: 'p', sk: 'a' }))?.data).toEqual({ n: 7 });
  });

  test('a target is brought up to date when only the source has changed', async () => {
    const { from, to } = await places();
    await migrate(from, to);
    await put(from, 'c', {});
    expect(await migrate(from, to)).toMatchObject({ ok: true, value: { changed: true, table: { entries: 3 } } });
  });

  test('a target that keeps members in another order counts as equal', async () => {
    const { from, to } = await places();
    await put(from, 'a', { x: 1, y: { b: [{ d: 1, c: 2 }], a: 2 } });
    await migrate(from, to);
    await put(to, 'a', { y: { a: 2, b: [{ c: 2, d: 1 }] }, x: 1 });
    expect(await migrate(from, to)).toMatchObject({ ok: true, value: { changed: false } });
  });
});

describe('the notation of a location', () => {
  /** The names of both engines, and the locations of their data. */
  const place = (table: string, at: string, objects: string, files: string) => [table, at, objects, files];
  const folder = (name: string) => place('sqlite', name, 'filesystem', name);
  const NOTEBOOK: TableEngine = {
    ...BUILT_IN.tables.dynamodb,
    variable: 'NOTEBOOK',
    takes: 'the name of the database',
  };
  const kinds = kindsWith({ tables: { notebook: NOTEBOOK } });

  test.each([
    ['.data', folder('.data')],
    ['/a,b/c', folder('/a,b/c')],
    ['C:\\data', folder('C:\\data')],
    ['folder:dynamodb:x', folder('dynamodb:x')],
    ['sqlite:.data', folder('.data')],
    ['sqlite:a,b', folder('a,b')],
    ['dynamodb:t,s3:b', place('dynamodb', 't', 's3', 'b')],
    ['s3:b,dynamodb:t', place('dynamodb', 't', 's3', 'b')],
    ['sqlite:x,s3:b', place('sqlite', 'x', 's3', 'b')],
    ['notebook:shop,filesystem:.data', place('notebook', 'shop', 'filesystem', '.data')],
    ['postgres:postgres://db/shop,s3:b', place('postgres', 'postgres://db/shop', 's3', 'b')],
    ['postgres://db/shop,s3:b', place('postgres', 'postgres://db/shop', 's3', 'b')],
  ])('a location can be written as %s', (text, spec) => {
    const { table, objects } = parsePlace(text, kinds) ?? {};
    expect([table?.name, table?.place, objects?.name, objects?.place]).toEqual(spec);
    expect(table?.engine).toBe(kinds.tables[table?.name ?? '']);
  });

  test.each([
    '',
    'folder:',
    'dynamodb:t',
    's3:b',
    'filesystem:x',
    'sqlite:',
    'dynamodb:t,dynamodb:u',
    'memory:',
    'dynamodb',
    'notebook',
    'postgres',
    'memory:x,filesystem:y',
    'notebook:shop',
    'x3:y',
  ])('a location can’t be written as "%s"', (text) => {
    expect(parsePlace(text, kinds)).toBeUndefined();
  });

  test('the name of a location has no password, so neither the record of a copy nor a message contains one', () => {
    const named = (text: string) => placeName(parsePlace(text, kinds) as PlaceSpec);
    expect(named('postgres://shop:secret@db/shop,s3:b')).toBe('postgres:postgres://shop:…@db/shop,s3:b');
  });

  test('the help names the engines of a team beside those of the package', () => {
    expect(waysToWrite(kinds)).toContain('; also notebook:X, where X is the name of the database');
    expect(waysToWrite(kindsWith())).not.toContain('also');
  });
});
