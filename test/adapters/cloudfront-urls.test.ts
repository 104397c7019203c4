import { generateKeyPairSync, verify } from 'node:crypto';
import { parse as parseDisposition } from 'content-disposition';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CloudFrontUrls } from '../../adapters/s3/cloudfront-urls.ts';
import { InvalidObjectKey } from '../../ports/outbound/object-store.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
const urls = new CloudFrontUrls('https://api.example.com', { id: 'K2JCJMDEHXQW5F', privateKey: pem });

const KEY = `sha256/${'a'.repeat(64)}`;
const TERMS = { filename: 'tool-1.2.0.zip', contentType: 'application/zip', expiresAt: '2026-11-21T08:15:00.900Z' };
const END = Date.parse('2026-11-21T08:15:00Z') / 1000;

const OWN = ['Expires', 'Signature', 'Key-Pair-Id', 'Hash-Algorithm'];

/**
 * Reads a URL as CloudFront does (Amazon CloudFront Developer Guide, "Create a signed URL using a canned policy"): the
 * policy is derived from the URL without CloudFront's own parameters.
 */
const read = (url: string) => {
  const [address = '', query = ''] = url.split('?');
  const pairs = query.split('&').map((pair) => pair.split('=') as [string, string]);
  const own = Object.fromEntries(pairs.filter(([name]) => OWN.includes(name)));
  const left = pairs.filter(([name]) => !OWN.includes(name)).map((pair) => pair.join('='));
  const resource = `${address}?${left.join('&')}`;
  const policy = `{"Statement":[{"Resource":"${resource}","Condition":{"DateLessThan":{"AWS:EpochTime":${own['Expires']}}}}]}`;
  const base64 = (own['Signature'] ?? '').replaceAll('-', '+').replaceAll('_', '=').replaceAll('~', '/');
  const isSigned = verify('RSA-SHA256', Buffer.from(policy), publicKey, Buffer.from(base64, 'base64'));
  return { address, own, isSigned, asked: new URLSearchParams(left.join('&')) };
};

describe('a URL signed for CloudFront', () => {
  test('a CloudFront URL names the object, expiry, key and hash, and the public key verifies it', () => {
    const { url, expires_at } = urls.sign(KEY, TERMS);
    const { address, own, isSigned } = read(url);
    expect(address).toBe(`https://api.example.com/objects/${KEY}`);
    expect(own).toMatchObject({ Expires: String(END), 'Key-Pair-Id': 'K2JCJMDEHXQW5F', 'Hash-Algorithm': 'SHA256' });
    expect(isSigned).toBe(true);
    expect(expires_at).toBe('2026-11-21T08:15:00.000Z');
  });

  test('S3 gets the same name and type as from its own signed URL', () => {
    const { asked } = read(urls.sign(KEY, TERMS).url);
    expect(Object.fromEntries(asked)).toEqual({
      'response-content-disposition': 'attachment; filename=tool-1.2.0.zip',
      'response-content-type': 'application/zip',
    });
  });

  test.each([
    ['another object', (url: string) => url.replace('aaaa', 'aaab')],
    ['a path above', (url: string) => url.replace('/objects/sha256/', '/objects/')],
    ['a later end', (url: string) => url.replace(`Expires=${END}`, `Expires=${END + 1}`)],
    ['another name', (url: string) => url.replace('tool-1.2.0', 'tool-9.9.9')],
    ['another type', (url: string) => url.replace('application%2Fzip', 'text%2Fhtml')],
    ['one more parameter', (url: string) => url.replace('?', '?versionId=1&')],
    ['another host', (url: string) => url.replace('api.example.com', 'other.example.com')],
  ])('the signature is invalid for a URL with %s', (_, changed) => {
    const { url } = urls.sign(KEY, TERMS);
    expect(changed(url)).not.toBe(url);
    expect(read(changed(url)).isSigned).toBe(false);
  });

  test('the same terms give the same URL, so a page that shows it stays unchanged', () => {
    expect(urls.sign(KEY, TERMS)).toEqual(urls.sign(KEY, { ...TERMS, expiresAt: '2026-11-21T08:15:00.000Z' }));
  });

  test('every file name survives in a URL that needs no rewriting', () => {
    const filename = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 60 })
      .filter((name) => name.isWellFormed() && !/[/\\\p{Cc}]/u.test(name));
    fc.assert(
      fc.property(fc.oneof(filename, fc.constantFrom("it's (1)*!.zip", 'a b&c=d?.zip', '한글.zip')), (name) => {
        const { url } = urls.sign(KEY, { ...TERMS, filename: name });
        expect(url.split('?')[1]).toMatch(/^[\w.~%=&-]+$/);
        const { isSigned, asked } = read(url);
        expect(isSigned).toBe(true);
        const { parameters } = parseDisposition(asked.get('response-content-disposition') ?? '');
        expect(parameters['filename']).toBe(name);
      }),
      { numRuns: 200 },
    );
  });

  test.each(['../reports/a', 'sha256/../reports/a', 'sha256/A', ''])('the key %j is not signed', (key) => {
    expect(() => urls.sign(key, TERMS)).toThrow(InvalidObjectKey);
  });

  const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
  test.each([
    ['a random text', 'random-text'],
    ['a key of an elliptic curve', curve.export({ type: 'pkcs8', format: 'pem' }) as string],
    ['a short key', short.export({ type: 'pkcs8', format: 'pem' }) as string],
    ['a public key', publicKey.export({ type: 'spki', format: 'pem' }) as string],
  ])('a secret with %s is refused, and its text is not repeated', (_, text) => {
    const open = () => new CloudFrontUrls('https://api.example.com', { id: 'K1', privateKey: text });
    expect(open).toThrow('CloudFront’s URLs are signed with an RSA key of 2048 bits; the secret holds none as PEM.');
  });
});
