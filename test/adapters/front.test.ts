import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { frontOf, viewerAddress } from '../../adapters/host/front.ts';

const OLD = 'o'.repeat(48);
const NEW = 'n'.repeat(48);

const address = fc.oneof(
  fc.ipV4(),
  fc.ipV6().filter((text) => isIP(text) === 6),
);
const port = fc.integer({ min: 0, max: 65_535 });

describe('the viewer’s address', () => {
  test.each([
    ['198.51.100.10:46532', '198.51.100.10'],
    ['2001:db8:85a3::8a2e:370:7334:443', '2001:db8:85a3::8a2e:370:7334'],
    ['2a09:bac1:14a0:50::17a:2f:51094', '2a09:bac1:14a0:50::17a:2f'],
    ['::1:8080', '::1'],
    ['[2001:db8::1]:443', '2001:db8::1'],
  ])('the address in %s is %s', (value, expected) => {
    expect(viewerAddress(value)).toBe(expected);
  });

  test.each([
    '',
    '198.51.100.10',
    '198.51.100.10:',
    '198.51.100.10:65536',
    '[198.51.100.10]:443',
    'fe80::1%eth0:443',
    '2001:db8:0:0:0:0:0:1',
    '198.51.100.10:443, 203.0.113.9:80',
    ' 198.51.100.10:443',
  ])('the text %j names no address', (value) => {
    expect(viewerAddress(value)).toBeUndefined();
  });

  test('every address with every port is read as it was written', () => {
    fc.assert(
      fc.property(address, port, (written, at) => {
        expect(viewerAddress(`${written}:${at}`)).toBe(written);
      }),
      { numRuns: 2000 },
    );
  });

  test('any text names a network address or none', () => {
    const near = fc.stringMatching(/^[\d.:[\]%a-f]{0,50}$/);
    fc.assert(
      fc.property(fc.oneof(fc.string(), near), (text) => {
        const read = viewerAddress(text);
        expect(read === undefined || isIP(read) > 0).toBe(true);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('the front', () => {
  const viewer = { 'cloudfront-viewer-address': '198.51.100.10:46532' };

  test.each([OLD, NEW])('each of two secrets lets a request through from the viewer’s address', (secret) => {
    const front = frontOf([OLD, NEW], true);
    const through = { came: 'through', address: '198.51.100.10' };
    expect(front({ ...viewer, 'x-origin-secret': secret })).toEqual(through);
  });

  test.each([
    undefined,
    '',
    OLD.slice(1),
    `${OLD}o`,
    `${OLD}, ${OLD}`,
  ])('a request with the secret %j came around, whatever viewer it names', (secret) => {
    const headers = { ...viewer, ...(secret !== undefined && { 'x-origin-secret': secret }) };
    expect(frontOf([OLD, NEW], true)(headers)).toEqual({ came: 'around' });
  });

  test('where the front is not the only way, a request without the secret came directly, and names no viewer', () => {
    expect(frontOf([OLD], false)(viewer)).toEqual({ came: 'directly' });
  });

  test.each([[[]], [[OLD, 'short']]])('the secrets %j are refused in a sentence that has none of them', (secrets) => {
    expect(() => frontOf(secrets, true)).toThrow('An origin secret has 32 characters or more');
    expect(() => frontOf(secrets, true)).not.toThrow('short');
  });
});
