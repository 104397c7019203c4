import { hash } from 'node:crypto';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, test } from 'vitest';
import { FilesystemStoreFiles } from '../../adapters/filesystem/store-files.ts';
import { ChecksumMismatch } from '../../ports/outbound/object-store.ts';
import { addFiles, aFolder } from '../support/store-folder.ts';

const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';

let files: FilesystemStoreFiles;
let folder: string;

beforeEach(async () => {
  const parent = await aFolder({ 'outside.txt': 'secret', 'store/a.txt': 'hello', 'store/sub/b.bin': 'b' });
  folder = join(parent, 'store');
  await symlink(join(parent, 'outside.txt'), join(folder, 'out'));
  await symlink(parent, join(folder, 'sub', 'up'));
  await symlink('a.txt', join(folder, 'in.txt'));
  files = new FilesystemStoreFiles(folder);
});

describe('the files of a store', () => {
  test('a file has a size, checksums and a media type', async () => {
    const sums = { sha1: hash('sha1', 'hello'), sha512: hash('sha512', 'hello', 'base64') };
    expect(await files.facts('a.txt')).toEqual({ size: 5, sha256: HELLO, sums, content_type: 'text/plain' });
    expect(await files.facts('sub/b.bin')).toMatchObject({ content_type: 'application/octet-stream' });
    expect(await text(await files.open('a.txt'))).toBe('hello');
  });

  test('the bytes of a file are counted as they are read', async () => {
    const read: number[] = [];
    await text(await files.open('a.txt', (bytes) => read.push(bytes)));
    await files.facts('a.txt', (bytes) => read.push(bytes));
    expect(read).toEqual([5, 5]);
  });

  test.each([
    '../outside.txt',
    'sub/../../outside.txt',
    '/etc/hostname',
    'out',
    'sub/up/outside.txt',
    'none',
    'a.txt/b',
    'sub',
    '',
    'a\0b',
  ])('no file is found under %j', async (path) => {
    expect(await files.size(path)).toBeUndefined();
    expect(await files.facts(path)).toBeUndefined();
    await expect(files.open(path)).rejects.toThrow('There is no file');
  });

  test('a file can be reached by a link that stays inside the folder', async () => {
    expect(await files.facts('in.txt')).toMatchObject({ sha256: HELLO });
  });

  test('files are listed at any depth, including links and excluding hidden files', async () => {
    await addFiles(folder, { '.hidden': '', 'sub/.git/config': '' });
    expect(await files.list('.')).toEqual(['a.txt', 'in.txt', 'out', 'sub/b.bin', 'sub/up']);
    expect(await files.list('sub')).toEqual(['b.bin', 'up']);
  });

  test.each(['..', 'sub/up', 'a.txt', 'none'])('no files are listed from %s', async (path) => {
    expect(await files.list(path)).toBeUndefined();
  });

  test('a file is read only if it has the requested checksum', async () => {
    expect(Buffer.from(await files.read('a.txt', HELLO)).toString()).toBe('hello');
    await addFiles(folder, { 'a.txt': 'hullo' });
    await expect(files.read('a.txt', HELLO)).rejects.toThrow(ChecksumMismatch);
  });
});
