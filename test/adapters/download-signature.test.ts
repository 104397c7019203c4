import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import { SECRET } from '../support/download-server.ts';

const NOW = Date.parse('2026-11-21T08:00:00.000Z');
const LATER = '2026-11-21T08:15:00.000Z';
const BASE = 'https://api.example.com';
const DOWNLOAD = { key: 'sha256/ab12', filename: 'setup 1.zip', contentType: 'application/zip' };

const signatureAt = (now: number, secret = SECRET): DownloadSignature =>
  new DownloadSignature({ secret, baseUrl: BASE, now: () => now });

const signature = signatureAt(NOW);

/** The part of a signed URL after the downloads path, which a server reads. */
const tail = (url: string): string => url.slice(`${BASE}${signature.path}`.length);

const signedTail = (): string => tail(signature.sign(DOWNLOAD, LATER).url);

const key = fc.stringMatching(/^[a-z0-9][a-z0-9._-]{0,20}(\/[a-z0-9][a-z0-9._-]{0,20}){0,3}$/);
const filename = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((name) => /^(?!\.{1,2}$)[^/\\\p{Cc}]{1,255}$/u.test(name));
const contentType = fc.string({ maxLength: 40 });
const download = fc.record({ key, filename, contentType });

describe('signed URLs', () => {
  test('a signed download URL has the documented form', () => {
    const { url, expires_at } = signature.sign(DOWNLOAD, LATER);
    expect(url).toMatch(
      /^https:\/\/api\.example\.com\/downloads\/sha256\/ab12\/setup%201\.zip\?expires=1795248900&type=application%2Fzip&signature=[\w-]{43}$/,
    );
    expect(expires_at).toBe(LATER);
  });

  test('a signed URL reads back as the signed download, whatever the names', () => {
    fc.assert(
      fc.property(download, (signed) => {
        const { url } = signature.sign(signed, LATER);
        expect(new URL(url).href).toBe(url);
        expect(signature.read(tail(url))).toEqual({ state: 'valid', download: signed });
      }),
    );
  });

  test('a signed URL uses the base URL at signing time, with or without a trailing slash', () => {
    let base = 'http://127.0.0.1:1';
    const late = new DownloadSignature({ secret: SECRET, baseUrl: () => base });
    base = 'http://127.0.0.1:2/below/';
    expect(late.sign(DOWNLOAD, LATER).url).toMatch(/^http:\/\/127\.0\.0\.1:2\/below\/downloads\/sha256\/ab12\//);
  });

  test.each([
    '',
    '.',
    '..',
    'a/b',
    'a\\b',
    'a\nb',
    '\ud800',
    'x'.repeat(256),
  ])('signing is refused for the file name %j', (name) => {
    expect(() => signature.sign({ ...DOWNLOAD, filename: name }, LATER)).toThrow('file name');
  });

  test('signing is refused with a secret that is not 32 bytes long', () => {
    expect(() => signatureAt(NOW, Buffer.alloc(31))).toThrow('32 bytes');
  });
});

describe('the end of a signed URL', () => {
  test('a signed URL expires at its stated second', () => {
    const { url } = signature.sign(DOWNLOAD, LATER);
    const end = Date.parse(LATER);
    expect(signatureAt(end - 1).read(tail(url)).state).toBe('valid');
    expect(signatureAt(end).read(tail(url)).state).toBe('expired');
  });

  test('the expiry of a signed URL is rounded down to the second and reported so', () => {
    const { url, expires_at } = signature.sign(DOWNLOAD, '2026-11-21T08:15:00.999Z');
    expect(expires_at).toBe('2026-11-21T08:15:00.000Z');
    expect(signatureAt(Date.parse(expires_at)).read(tail(url)).state).toBe('expired');
  });

  test('an unsigned URL is invalid and never reported as expired', () => {
    const url = signedTail().replace('expires=1795248900', 'expires=1');
    expect(signature.read(url)).toEqual({ state: 'invalid' });
  });
});

describe('a changed URL', () => {
  test('a URL is invalid when any part is replaced by that of another URL', () => {
    const expires = fc.integer({ min: NOW / 1000 + 1, max: 9_999_999_999 }).map(String);
    const parts = fc.record({ key, filename, contentType, expires });
    const urlOf = (
      of: { key: string; filename: string; contentType: string; expires: string },
      given?: string,
    ): string => {
      const { url } = signature.sign(of, new Date(Number(of.expires) * 1000).toISOString());
      return tail(given === undefined ? url : url.replace(/signature=.*$/, `signature=${given}`));
    };
    const signatureIn = (url: string): string => /signature=(.*)$/.exec(url)?.[1] ?? '';
    fc.assert(
      fc.property(parts, parts, fc.constantFrom('key', 'filename', 'contentType', 'expires'), (a, b, part) => {
        fc.pre(a[part] !== b[part]);
        expect(signature.read(urlOf({ ...a, [part]: b[part] }, signatureIn(urlOf(a))))).toEqual({ state: 'invalid' });
      }),
    );
  });

  test('a URL is invalid when any character is replaced', () => {
    const url = signedTail();
    fc.assert(
      fc.property(fc.nat(url.length - 1), fc.constantFrom(...'aZ09_-./%?&=+é'), (at, character) => {
        // Replacing a character by itself leaves the URL unchanged.
        fc.pre(url[at] !== character && !(url[at] === '%' && character === '%'));
        expect(signature.read(url.slice(0, at) + character + url.slice(at + 1))).toEqual({ state: 'invalid' });
      }),
      { numRuns: 500 },
    );
  });

  test('a URL is invalid when a part moves from the file name to the key', () => {
    const shifted = tail(signature.sign({ ...DOWNLOAD, key: 'sha256', filename: 'ab12' }, LATER).url);
    expect(signature.read(shifted.replace('/sha256/ab12?', '/sha256/ab12/x?'))).toEqual({ state: 'invalid' });
    expect(signature.read(shifted.replace('/sha256/ab12?', '/sha256%2Fab12?'))).toEqual({ state: 'invalid' });
  });

  test.each([
    ['no characters', () => ''],
    ['a character before its first slash', () => `x${signedTail()}`],
    ['no query', () => '/sha256/ab12/setup%201.zip'],
    ['no signature', () => signedTail().replace(/&signature=.*/, '')],
    ['an empty signature', () => signedTail().replace(/signature=.*/, 'signature=')],
    [
      'a signature of the same number of wider characters',
      () => signedTail().replace(/signature=.*/, `signature=${'é'.repeat(43)}`),
    ],
    ['a parameter twice', () => `${signedTail()}&expires=1795248900`],
    ['a broken percent sign', () => signedTail().replace('%20', '%2')],
    ['the unused bits of the last character set', () => signedTail().replace(/.$/, (c) => NEIGHBOUR[c] ?? '')],
    ['another secret', () => tail(signatureAt(NOW, Buffer.alloc(32)).sign(DOWNLOAD, LATER).url)],
  ])('a URL with %s is invalid', (_, url) => {
    expect(signature.read(url())).toEqual({ state: 'invalid' });
  });
});

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** For each character, one that differs only in bits that do not count at the end of 32 bytes. */
const NEIGHBOUR: Record<string, string> = Object.fromEntries(
  [...ALPHABET].map((character, at) => [character, ALPHABET[at ^ 1] ?? '']),
);
