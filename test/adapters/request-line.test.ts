import { describe, expect, test } from 'vitest';
import { requestLine } from '../../adapters/host/host.ts';

const lineOf = (more: object) =>
  requestLine({
    id: 'a',
    method: 'GET',
    path: '/',
    address: '203.0.113.9',
    status: 200,
    ms: 1,
    answered: undefined,
    ...more,
  });

describe('the log line of a request', () => {
  test.each([255, 256])('a path of %i characters is logged completely', (length) => {
    const path = `/${'x'.repeat(length - 1)}`;
    expect(lineOf({ path }).path).toBe(path);
  });

  test('a path of 257 characters is cut at 256 with a mark', () => {
    const { path } = lineOf({ path: `/${'x'.repeat(256)}` });
    expect([path.length, path.endsWith('x…')]).toEqual([256, true]);
  });

  test.each([
    '\n',
    '\r',
    '\u001b[2J',
    '\u007f',
    '\u009b',
    '\u2028',
    '\u202e',
    '\u200b',
    '\ud800',
  ])('the character %j is replaced in the log', (character) => {
    const { path, method } = lineOf({ path: `/a${character}b`, method: `G${character}` });
    expect(path).toBe(`/a\u{fffd}${character.slice(1)}b`);
    expect(method).toMatch(/^G\ufffd/);
  });

  test('an IPv6 address is logged as its first 64 bits, as the rate limit counts it', () => {
    expect(lineOf({ address: '2001:db8:1:2:3:4:5:6' }).address).toBe('2001:db8:1:2::/64');
    expect(lineOf({ address: '::ffff:203.0.113.9' }).address).toBe('203.0.113.9');
  });
});
