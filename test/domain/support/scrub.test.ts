import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scrubObject, scrubText } from '../../../domain/support/scrub.ts';

const letters = (minLength: number, maxLength: number) =>
  fc.string({
    unit: fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz23456789'),
    minLength,
    maxLength,
  });

/** A random string too long to appear anywhere else by chance. */
const unlikely = letters(12, 20);

/** The kinds of secrets, each built around a core string that appears nowhere else. */
const SECRETS: readonly ((core: string) => string)[] = [
  (core) => `Bearer ${core}`,
  (core) => `bearer token: ${core}`,
  (core) => `Authorization: Basic ${core}==`,
  (core) => `'authorization': 'Bearer ${core}'`,
  (core) => `Cookie: session=${core}; other=${core}`,
  (core) => `X-Api-Key: ${core}`,
  (core) => `svc_${core}`,
  (core) => `eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiI${core}.c2lnbmF0dXJl${core}`,
  (core) => `password=${core}`,
  (core) => `{"password": "${core} ${core}"}`,
  (core) => JSON.stringify(JSON.stringify({ client_secret: core })),
  (core) => `https://a.example/cb?access_token=${core}&x=1`,
  (core) => `https://a.example/list?key=${core}`,
  (core) => `postgres://shop:${core}@db.example:5432/shop`,
  (core) => `api_key: ${core}`,
  (core) => `-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI${core}\n-----END PRIVATE KEY-----`,
  (core) => `-----BEGIN RSA PRIVATE KEY-----\nMIIEow${core}`,
  (core) => `ghp_${core}${core}`,
  (core) => `${core}@example.com`,
  (core) => `<${core}.x+tag@mail.example.co.kr>`,
  (core) => `${core}%40example.com`,
  (core) => `/Users/${core}/Library/Logs`,
  (core) => `/Users/${core} Smith/Library/Logs`,
  (core) => `file:///home/${core}`,
  (core) => `C:\\Users\\${core}\\AppData`,
  (core) => `c:/users/${core}/x.txt`,
  (core) => JSON.stringify(`C:\\Users\\${core} Smith\\AppData`),
  (core) => `%2FUsers%2F${core}%2Fx`,
  (core) => `/var/home/${core}/.config`,
];

const secret = fc.tuple(unlikely, fc.nat(SECRETS.length - 1)).map(([core, n]) => ({
  core,
  text: (SECRETS[n] as (typeof SECRETS)[number])(core),
}));

/** The text around a secret. A space or a line end separates the two, as in real reports. */
const around = fc.string({ unit: 'grapheme', maxLength: 60 });
const gap = fc.constantFrom(' ', '\n', '\t', '\r\n');

const json = fc.jsonValue({ maxDepth: 4 });

describe('scrubbing', () => {
  test('scrubbing leaves no part of a secret, at any position', () => {
    fc.assert(
      fc.property(secret, around, around, gap, gap, ({ core, text }, before, after, a, b) => {
        expect(scrubText(before + a + text + b + after)).not.toContain(core);
      }),
      { numRuns: 3000 },
    );
  });

  test('scrubbing cuts no character of a long name in half', () => {
    const scrubbed = scrubText(`/Users/${'x'.repeat(63)}\u{1f600}${'y'.repeat(9)}`);
    expect(scrubbed).toBe(`~${'y'.repeat(9)}`);
    expect(scrubbed.isWellFormed()).toBe(true);
  });

  test('scrubbing a scrubbed text changes nothing', () => {
    const word = fc.constantFrom(
      ...SECRETS.map((make) => make('x7'.repeat(8))),
      '[secret]',
      '~',
      '=',
      ':',
      '"',
      '\\',
      '/Users/',
      '@',
      'token',
      ' ',
      '\n',
    );
    const text = fc.oneof(
      around,
      fc.array(fc.oneof(word, around), { maxLength: 8 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (any) => {
        const once = scrubText(any);
        expect(scrubText(once)).toBe(once);
      }),
      { numRuns: 5000 },
    );
  });

  test('scrubbing reaches every string and every member name inside an object', () => {
    const place = (text: string, value: unknown, path: readonly ('list' | 'name' | 'value')[]): unknown =>
      path.reduce<unknown>(
        (inner, step) =>
          step === 'list' ? [value, inner] : step === 'name' ? { [`x ${text}`]: inner } : { a: inner, b: value },
        text,
      );
    fc.assert(
      fc.property(
        secret,
        json,
        fc.array(fc.constantFrom('list', 'name', 'value'), { maxLength: 6 }),
        ({ core, text }, value, path) => {
          expect(
            JSON.stringify(scrubObject({ context: place(text, value, path as ('list' | 'name' | 'value')[]) })),
          ).not.toContain(core);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test.each([
    ['password', 'hunter2'],
    ['userPassword', 'hunter2'],
    ['access_token', ['hunter2']],
    ['apiKey', { inner: 'hunter2' }],
    ['pin', 'hunter2'],
    ['Set-Cookie', 'hunter2'],
  ])('scrubbing replaces the value of a member named %s', (name, value) => {
    expect(scrubObject({ deep: [{ [name]: value }] })).toEqual({ deep: [{ [name]: '[secret]' }] });
  });

  test('scrubbing keeps text and values that identify nobody', () => {
    const kept = [
      'TypeError: undefined is not an object (evaluating `a.b.c`)',
      'at render (https://shop.example/static/app.js:10:5)',
      'render@app.js:3:1',
      'lodash@4.17.21/index.js',
      '4   Timer  0x0000000104a3c1f8 $s5Timer4tickyyF + 120',
      'The token expired at 10:00.',
      '-[NSObject(Key) pass:word:]',
      'goroutine 1 [running]:\nmain.main()\n\t/srv/app/main.go:10 +0x1d',
      '안녕하세요, 타이머가 멈췄습니다.',
    ];
    for (const text of kept) expect(scrubText(text)).toBe(text);
    expect(scrubObject({ ok: true, n: 5, none: null, has_token: false })).toEqual({
      ok: true,
      n: 5,
      none: null,
      has_token: false,
    });
  });

  test('scrubbing makes control characters and lone surrogates visible, except tabs and line ends', () => {
    expect(scrubText('a\u0000b\u001b[31mc\td\r\ne\ud800')).toBe('a\ufffdb\ufffd[31mc\td\r\ne\ufffd');
  });

  test.each([
    'a',
    'a@',
    'a@b.',
    '@a.b',
    'eyJ',
    'eyJa',
    'svc_',
    'token',
    'token=',
    'token="',
    'password : ',
    'bearer ',
    'authorization:',
    '-----BEGIN PRIVATE KEY-----',
    '/Users',
    '/home/',
    '/Users/a ',
    'C:\\Users\\',
    '%2F',
    '/',
    '\\',
    ' ',
    'http://',
    'http://a@',
    'a.',
    '"',
    '?key=',
    '=',
    '[secret]',
  ])('scrubbing runs in linear time: 60,000 characters of %j', (unit) => {
    const text = unit.repeat(Math.floor(60_000 / unit.length));
    const started = performance.now();
    scrubText(text);
    expect(performance.now() - started).toBeLessThan(1000);
  });
});
