import { describe, expect, test } from 'vitest';
import {
  applicationType,
  isDocument,
  permittedRedirects,
  redirectHost,
  redirectKind,
} from '../../../domain/sign-in/oauth-client.ts';

describe('a redirect URI', () => {
  test.each([
    ['https://client.example/cb', 'web', 'client.example'],
    ['http://localhost:1/cb', 'loopback', 'localhost'],
    ['http://[::1]/cb', 'loopback', '[::1]'],
    ['com.example.app:/cb', 'private_scheme', 'com.example.app://'],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'private_scheme', 'cursor://'],
  ])('the URI %s is of the kind %s and shown to a person as %s', (uri, kind, host) => {
    expect([redirectKind(uri), redirectHost(uri)]).toEqual([kind, host]);
  });

  test.each([
    'http://client.example/cb',
    'http://10.0.0.1/cb',
    'https://user@client.example/cb',
    'https://client.example/cb#fragment',
    `https://client.example/${'x'.repeat(2000)}`,
    'javascript:alert(1)',
    'data:text/html,x',
    'custom:/cb',
    'no URI',
    7,
  ])('the URI %s is not permitted', (uri) => {
    expect(redirectKind(uri)).toBeUndefined();
  });
});

describe('the redirect URIs of a client', () => {
  const WEB = 'https://client.example/cb';
  const LOCAL = 'http://127.0.0.1/cb';
  const LOCAL_HTTPS = 'https://localhost/cb';

  test.each([
    ['keep the permitted ones', [WEB, 'javascript:alert(1)'], [WEB], 'web'],
    ['are those of a native client with one on loopback', [WEB, LOCAL], [WEB, LOCAL], 'native'],
    ['lose https on this machine in a native client', [LOCAL_HTTPS, LOCAL], [LOCAL], 'native'],
    ['keep https on this machine in a web client', [LOCAL_HTTPS], [LOCAL_HTTPS], 'web'],
  ])('%s', (_, uris, value, type) => {
    expect(permittedRedirects(uris)).toEqual({ ok: true, value });
    expect(applicationType(value)).toBe(type);
  });

  test.each([
    ['none', [], /a list of one or more/],
    ['no list', WEB, /a list of one or more/],
    ['a number', [WEB, 7], /a list of one or more/],
    ['21', Array(21).fill(WEB), /more than 20/],
    ['none that is permitted', ['http://client.example/cb'], /must have one that is https/],
  ])('the redirect URIs of a client are refused: %s', (_, uris, message) => {
    expect(permittedRedirects(uris)).toMatchObject({ ok: false, message: expect.stringMatching(message) });
  });
});

test('a client id is a metadata document only as an https URL in normal form', () => {
  const ids = ['https://client.example/c.json', 'HTTPS://client.example/c.json', 'http://client.example', 'abc', 7];
  expect(ids.map(isDocument)).toEqual([true, false, false, false, false]);
});
