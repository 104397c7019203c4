import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { InvalidObjectKey } from '../../../ports/outbound/object-store.ts';
import { inSeconds, newKey, read, streamOf, type Use } from './helpers.ts';

/** Valid keys are accepted and kept apart, and invalid keys are refused. */
export const keys = (use: Use): void => {
  test.each([
    'a',
    '0',
    'sha256/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'a/b.c/d-e_f/...',
    '.hidden',
  ])('an object store accepts a key that ends in %s', async (end) => {
    const key = `${newKey()}/${end}`;
    await use().put(grantPermit(), key, streamOf(Buffer.from(key)));
    expect(String(await read(use(), key))).toBe(key);
  });

  test('an object store accepts a key of 200 characters', async () => {
    const key = `${newKey()}/`.padEnd(200, 'x');
    await use().put(grantPermit(), key, streamOf(Buffer.from(key)));
    expect(String(await read(use(), key))).toBe(key);
  });

  test('an object store keeps keys apart when one is the beginning of another', async () => {
    const key = newKey();
    const keys = [key, `${key}/b`, `${key}/b/c`, `${key}b`, `${key}.b`];
    for (const each of keys) await use().put(grantPermit(), each, streamOf(Buffer.from(each)));
    for (const each of keys) expect(String(await read(use(), each))).toBe(each);
  });

  test.each([
    ['no characters', ''],
    ['a parent folder alone', '..'],
    ['a parent folder at the beginning', '../outside'],
    ['more parent folders than folders', 'a/../../outside'],
    ['a dot segment', 'a/./b'],
    ['a slash at the beginning', '/etc/passwd'],
    ['an empty segment', 'a//b'],
    ['a slash at the end', 'a/'],
    ['an upper-case letter', 'A'],
    ['a space', 'a b'],
    ['a backslash', 'a\\b'],
    ['a NUL', 'a\0b'],
    ['a line break', 'a\n'],
    ['a plus sign', 'a+b'],
    ['a percent sign', 'a%2fb'],
    ['a letter beyond ASCII', 'é'],
    ['201 characters', 'x'.repeat(201)],
  ])('an object store refuses a key with %s', async (_, key) => {
    const as = { filename: 'a.bin', contentType: 'application/octet-stream', expiresAt: inSeconds(60) };
    await expect(use().put(grantPermit(), key, streamOf(Buffer.from('x')))).rejects.toThrow(InvalidObjectKey);
    await expect(use().stat(key)).rejects.toThrow(InvalidObjectKey);
    await expect(use().open(key)).rejects.toThrow(InvalidObjectKey);
    await expect(use().signDownload(key, as)).rejects.toThrow(InvalidObjectKey);
    const terms = { sha256: '0'.repeat(64), size: 1, contentType: as.contentType, expiresAt: as.expiresAt };
    await expect(use().signUpload(grantPermit(), key, terms)).rejects.toThrow(InvalidObjectKey);
  });
};
