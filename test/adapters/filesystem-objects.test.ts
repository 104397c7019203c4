import { type ChildProcess, spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { FilesystemObjects } from '../../adapters/filesystem/filesystem-objects.ts';
import { StoreUnavailable } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { ChecksumMismatch } from '../../ports/outbound/object-store.ts';
import { objectStoreContract } from '../contracts/object-store.ts';
import { SECRET, withDownloads } from '../support/download-server.ts';

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'objects-'));

const open = (folder: string): FilesystemObjects =>
  new FilesystemObjects(folder, new DownloadSignature({ secret: SECRET, baseUrl: '' }));

const bytesOf = (content: string): Readable => Readable.from([Buffer.from(content)]);

const read = async (store: FilesystemObjects, key: string): Promise<string | undefined> => {
  const object = await store.open(key);
  return object && String(await buffer(object.stream));
};

const filesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name));

objectStoreContract('filesystem', async () => {
  const folder = await newFolder();
  const opened = await withDownloads((...signatures) => new FilesystemObjects(folder, ...signatures));
  const close = async (): Promise<void> => {
    await opened.close();
    await rm(folder, { recursive: true });
  };
  return { ...opened, close };
});

describe('objects in a folder', () => {
  let folder: string;
  let store: FilesystemObjects;

  beforeEach(async () => {
    folder = await newFolder();
    store = open(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** The file of the store's only object. */
  const bytesFile = async (): Promise<string> => {
    const [name = ''] = await readdir(join(folder, 'bytes'));
    return join(folder, 'bytes', name);
  };

  describe('the files of error reports and tickets', () => {
    const SUM = hash('sha256', 'a log', 'hex');
    const DAYS_MS = 24 * 60 * 60 * 1000;
    const dayBefore = (days: number): string => new Date(Date.now() - days * DAYS_MS).toISOString().slice(0, 10);
    const reported = (days: number): string => `reports/${dayBefore(days)}/${SUM}`;
    /** Dates the bytes back by 100 days. */
    const age = async (): Promise<void> => {
      const longAgo = new Date(Date.now() - 100 * DAYS_MS);
      await utimes(await bytesFile(), longAgo, longAgo);
    };

    test('a reported file and its bytes are removed after 90 days and not a day earlier', async () => {
      await store.put(grantPermit(), reported(91), bytesOf('a log'));
      await age();
      await store.tidy();
      expect([await store.stat(reported(91)), await filesIn(folder)]).toEqual([undefined, []]);
      await store.put(grantPermit(), reported(90), bytesOf('a log'));
      await age();
      await store.tidy();
      expect(await read(store, reported(90))).toBe('a log');
    });

    test.each([
      ['a file that was reported again later', reported(1)],
      ['a file of a release', `sha256/${SUM}`],
      ['an object under an unrelated key', 'notes/a'],
    ])('the removal of a reported file keeps bytes shared with %s', async (_, other) => {
      await store.put(grantPermit(), reported(91), bytesOf('a log'));
      await store.put(grantPermit(), other, bytesOf('a log'));
      await age();
      await store.tidy();
      expect([await store.stat(reported(91)), await read(store, other)]).toEqual([undefined, 'a log']);
    });

    test('the removal of a reported file keeps bytes that just arrived, because their key may follow', async () => {
      await store.put(grantPermit(), reported(91), bytesOf('a log'));
      await store.tidy();
      expect([await store.stat(reported(91)), (await filesIn(folder)).length]).toEqual([undefined, 1]);
    });
  });

  test('an object outlives the store instance that put it', async () => {
    const { info } = await store.put(grantPermit(), 'a/b', bytesOf('kept'));
    expect(await open(folder).stat('a/b')).toEqual(info);
    expect(await read(open(folder), 'a/b')).toBe('kept');
  });

  test('the files of objects are readable only by their owner, whatever the umask', async () => {
    const umask = process.umask(0);
    try {
      await open(join(folder, 'new')).put(grantPermit(), 'a/b', bytesOf('kept'));
    } finally {
      process.umask(umask);
    }
    const files = await filesIn(join(folder, 'new'));
    expect(files).toHaveLength(2);
    for (const file of files) expect((await stat(file)).mode & 0o777).toBe(0o600);
    for (const part of ['', 'bytes', 'keys', 'drafts']) {
      expect((await stat(join(folder, 'new', part))).mode & 0o777).toBe(0o700);
    }
  });

  test('the bytes of an object are stored unchanged under their SHA-256', async () => {
    const { info } = await store.put(grantPermit(), 'a/b', bytesOf('kept'));
    expect(await bytesFile()).toBe(join(folder, 'bytes', info.sha256));
    expect((await stat(await bytesFile())).size).toBe(4);
  });

  test('an object is described without reading its bytes', async () => {
    const { info } = await store.put(grantPermit(), 'a', bytesOf('kept'));
    await rm(await bytesFile());
    expect(await store.stat('a')).toEqual(info);
    await expect(store.open('a')).rejects.toThrow(StoreUnavailable);
  });

  test('a damaged object is repaired by putting the same bytes again', async () => {
    await store.put(grantPermit(), 'a', bytesOf('kept'));
    await truncate(await bytesFile(), 1);
    expect((await store.put(grantPermit(), 'a', bytesOf('kept'))).created).toBe(false);
    expect(await read(store, 'a')).toBe('kept');
  });

  test.each(['bytes', 'keys'])('an object behind a symbolic link in %s is not read', async (part) => {
    await store.put(grantPermit(), 'a', bytesOf('kept'));
    const [name = ''] = await readdir(join(folder, part));
    const outside = join(folder, 'outside');
    await writeFile(outside, `${'0'.repeat(64)} 6\n`);
    await rm(join(folder, part, name));
    await symlink(outside, join(folder, part, name));
    await expect(store.open('a')).rejects.toThrow(StoreUnavailable);
  });

  test('an object with a damaged entry is an error and not missing', async () => {
    await store.put(grantPermit(), 'a', bytesOf('kept'));
    await truncate(join(folder, 'keys', 'a'), 10);
    await expect(store.stat('a')).rejects.toThrow(/^The object store in .* is damaged at .*keys.a\.$/);
  });

  test('a put leaves no draft behind, whether the object was stored or refused', async () => {
    await store.put(grantPermit(), 'a', bytesOf('kept'));
    await expect(store.put(grantPermit(), 'a', bytesOf('other'))).rejects.toThrow();
    await expect(store.put(grantPermit(), 'b', bytesOf('b'), { size: 7 })).rejects.toThrow();
    expect(await readdir(join(folder, 'drafts'))).toEqual([]);
    expect(await readdir(join(folder, 'bytes'))).toHaveLength(1);
  });

  test('a put is refused as soon as its bytes are longer than expected, without waiting for their end', async () => {
    const endless = new Readable({
      read() {
        this.push(Buffer.alloc(1000));
      },
    });
    await expect(store.put(grantPermit(), 'a', endless, { size: 5000 })).rejects.toThrow(ChecksumMismatch);
    expect(endless.destroyed).toBe(true);
    expect(await filesIn(folder)).toEqual([]);
  });

  test('opening a store removes only drafts that were not written to for a day', async () => {
    const drafts = join(folder, 'drafts');
    const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * 3_600_000);
    for (const [name, hours] of Object.entries({ old: 25, fresh: 23 })) {
      await writeFile(join(drafts, name), 'half');
      await utimes(join(drafts, name), hoursAgo(hours), hoursAgo(hours));
    }
    open(folder);
    expect(await readdir(drafts)).toEqual(['fresh']);
  });
});

describe('disk errors', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await newFolder();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const oneLine = /^The object store in \/[^\n]* does not work: E[A-Z]+: [^\n]+$/;

  test('a missing folder is StoreUnavailable with a message of one line', async () => {
    const store = open(folder);
    await rm(join(folder, 'drafts'), { recursive: true });
    for (const work of [() => store.put(grantPermit(), 'a', bytesOf('a')), () => store.ping()]) {
      await expect(work).rejects.toThrow(StoreUnavailable);
      await expect(work).rejects.toThrow(oneLine);
    }
  });

  test('a folder that cannot be created is StoreUnavailable with a message of one line', async () => {
    await writeFile(join(folder, 'file'), '');
    expect(() => open(join(folder, 'file'))).toThrow(StoreUnavailable);
    expect(() => open(join(folder, 'file'))).toThrow(oneLine);
  });

  test('a put leaves nothing when the disk accepts only a part of it', async () => {
    // The shell's limit on the file size simulates a full disk: both interrupt a write.
    const script = join(import.meta.dirname, '../support/put-object.ts');
    const child = spawn('sh', ['-c', 'ulimit -f 64 && exec "$@"', 'sh', process.execPath, script, folder, '1000000']);
    expect(await text(child.stdout)).toMatch(/^StoreUnavailable: The object store in .* does not work: EFBIG: .*\n$/);
    expect(await filesIn(folder)).toEqual([]);
  });
});

test('a process killed halfway through a put leaves nothing that can be read', async () => {
  const folder = await newFolder();
  const script = join(import.meta.dirname, '../support/put-object.ts');
  const child: ChildProcess = spawn(process.execPath, [script, folder, '1000000', 'stall'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as Readable, 'data');
  const [draft = '', ...more] = await filesIn(folder);
  child.kill('SIGKILL');
  await once(child, 'exit');

  // Half of the bytes are in a draft, so the process was killed in the middle of the put.
  expect(more).toEqual([]);
  expect((await stat(draft)).size).toBeGreaterThanOrEqual(500_000);

  const store = open(folder);
  expect(await store.stat('object')).toBeUndefined();
  expect(await store.open('object')).toBeUndefined();
  expect((await store.put(grantPermit(), 'object', bytesOf('whole'))).created).toBe(true);
  expect(await read(store, 'object')).toBe('whole');
  await rm(folder, { recursive: true });
});
