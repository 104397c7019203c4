import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { readText } from '../../runtimes/files/read-text.ts';

const bytes = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding);
const read = (file: Buffer) =>
  readText({ file: 'notes.md', input: Readable.from([file]) }, 'unreadable', 'nothing was published');
const bigEndian = (text: string) => bytes(text, 'utf16le').swap16();

test.each([
  ['UTF-8', bytes('Café 출시\n')],
  ['UTF-8 with its mark', bytes('\uFEFFCafé 출시\n')],
  ['UTF-16 of Windows', bytes('\uFEFFCafé 출시\n', 'utf16le')],
  ['UTF-16 in the other order', bigEndian('\uFEFFCafé 출시\n')],
])('a text file in %s is read without its byte order mark', async (_, file) => {
  expect(await read(file)).toEqual({ ok: true, value: 'Café 출시\n' });
});

test.each([
  ['in the encoding of Windows', bytes('one\ncaf\xE9 1.2\n', 'latin1'), 'UTF-8: byte 0xE9 at 7'],
  ['that ends within a character', bytes('출').subarray(0, 2), 'UTF-8: byte 0xEC at 0'],
  ['with half a surrogate pair', bytes('a\xED\xA0\x80', 'latin1'), 'UTF-8: byte 0xED at 1'],
  ['in UTF-16 without its mark', bytes('key,email', 'utf16le'), 'UTF-8: byte 0x00 at 1'],
  ['with half a surrogate pair in UTF-16', bytes('\uFEFFa\uD800b', 'utf16le'), 'UTF-16LE'],
  ['that ends within a character of UTF-16', Buffer.from([0xff, 0xfe, 0x61]), 'UTF-16LE'],
  ['with a NUL', bytes('a\0b'), 'UTF-8: byte 0x00 at 1'],
])('a file %s is refused, and the refusal says where it is wrong and how to save it', async (_, file, why) => {
  const message = `notes.md is not ${why}; save it as UTF-8; nothing was published.`;
  expect(await read(file)).toMatchObject({ ok: false, code: 'unreadable', message });
});

test('an existing replacement character stays, because it is UTF-8', async () => {
  expect(await read(bytes('caf\uFFFD'))).toEqual({ ok: true, value: 'caf\uFFFD' });
});

test('an oversized file is not read to its end', async () => {
  let chunks = 0;
  const input = Readable.from(
    (function* () {
      for (; chunks < 1000; chunks++) yield bytes('x'.repeat(100));
    })(),
  );
  const refused = await readText({ file: 'notes.md', input, most: 250 }, 'unreadable', 'nothing was published');
  const message = 'notes.md has more than 250 bytes, the most that it may have; nothing was published.';
  expect([refused, chunks < 100]).toMatchObject([{ ok: false, code: 'unreadable', message }, true]);
});
