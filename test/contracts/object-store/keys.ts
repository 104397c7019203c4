import { expect, test } from 'vitest';
import { InvalidObjectKey } from '../../../ports/outbound/object-store.ts';
import { inSeconds, newKey, read, streamOf, type Use } from './helpers.ts';

/** Which keys there are, and that each is its own. */
export const keys = (use: Use): void => {
  test.each([
    'a',
    '0',
    'sha256/e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    'a/b.c/d-e_f/...',
    '.hidden',
  ])('takes %s', async (end) => {
    const key = `${newKey()}/${end}`;
    await use().put(key, streamOf(Buffer.from(key)));
    expect(String(await read(use(), key))).toBe(key);
  });

  test('takes 200 characters', async () => {
    const key = `${newKey()}/`.padEnd(200, 'x');
    await use().put(key, streamOf(Buffer.from(key)));
    expect(String(await read(use(), key))).toBe(key);
  });

  test('keeps a key apart from those that it is the beginning of', async () => {
    const key = newKey();
    const keys = [key, `${key}/b`, `${key}/b/c`, `${key}b`, `${key}.b`];
    for (const each of keys) await use().put(each, streamOf(Buffer.from(each)));
    for (const each of keys) expect(String(await read(use(), each))).toBe(each);
  });

  test.each([
    ['nothing', ''],
    ['a parent', '..'],
    ['a way out', '../outside'],
    ['a way out from within', 'a/../../outside'],
    ['a dot', 'a/./b'],
    ['an absolute path', '/etc/passwd'],
    ['an empty part', 'a//b'],
    ['a slash at the end', 'a/'],
    ['upper case', 'A'],
    ['a space', 'a b'],
    ['a backslash', 'a\\b'],
    ['a NUL', 'a\0b'],
    ['a line break', 'a\n'],
    ['a plus', 'a+b'],
    ['a percent sign', 'a%2fb'],
    ['other letters', 'é'],
    ['201 characters', 'x'.repeat(201)],
  ])('refuses %s', async (_, key) => {
    const as = { filename: 'a.bin', contentType: 'application/octet-stream', expiresAt: inSeconds(60) };
    await expect(use().put(key, streamOf(Buffer.from('x')))).rejects.toThrow(InvalidObjectKey);
    await expect(use().stat(key)).rejects.toThrow(InvalidObjectKey);
    await expect(use().open(key)).rejects.toThrow(InvalidObjectKey);
    await expect(use().signDownload(key, as)).rejects.toThrow(InvalidObjectKey);
  });
};
