import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeImage } from '../../../../domain/design/collect/capture.ts';
import { MAX_PAGE_ASSETS, readMeta, readPageAssets } from '../../../../domain/design/collect/upload-text.ts';
import { MAX_PIXELS } from '../../../../domain/shared/image-head.ts';

const SHA = 'a'.repeat(64);
const EVERY_APP = { apps: null };

const NOTHING = {
  title: null,
  app: null,
  flow: null,
  step: null,
  platform: null,
  mode: null,
  kind: null,
  patterns: [],
};

const metaErrors = (value: unknown, run: Parameters<typeof readMeta>[1] = EVERY_APP) => {
  const read = readMeta(typeof value === 'string' ? value : JSON.stringify(value), run);
  return read.ok ? {} : read.data?.['errors'];
};

describe('the meta of a capture', () => {
  test('a capture without meta has no details', () => {
    expect(readMeta(null, EVERY_APP)).toEqual({ ok: true, value: NOTHING });
    expect(readMeta('{}', EVERY_APP)).toEqual({ ok: true, value: NOTHING });
  });

  test('known members are stored, and unknown, null and empty ones are left out', () => {
    const told = {
      title: 'Orders',
      app: 'core',
      flow: '주문',
      step: 2,
      platform: 'web',
      mode: 'dark',
      kind: 'sign-in',
      patterns: ['empty-state', 'search', 'search'],
    };
    const more = { nobody: 'knows', constructor: 5, __proto__: { x: 1 } };
    expect(readMeta(JSON.stringify({ ...told, ...more }), EVERY_APP)).toEqual({
      ok: true,
      value: { ...told, patterns: ['empty-state', 'search'] },
    });
    const empty = { title: '', app: null, flow: '', step: null, patterns: null };
    expect(readMeta(JSON.stringify(empty), EVERY_APP)).toEqual({ ok: true, value: NOTHING });
  });

  test.each([
    '',
    'no JSON',
    '[]',
    'null',
    '5',
    '"text"',
  ])('the meta %j is refused because it is not a JSON object', (text) => {
    expect(metaErrors(text)).toEqual({ meta: ['The meta field must be a JSON object.'] });
  });

  test.each<[string, unknown]>([
    ['title', 5],
    ['title', 't'.repeat(301)],
    ['title', '\ud800'],
    ['app', 'shop'],
    ['app', ['core']],
    ['flow', {}],
    ['flow', 'f'.repeat(121)],
    ['step', 0],
    ['step', 1.5],
    ['step', '1'],
    ['platform', 'amiga'],
    ['mode', true],
    ['kind', 'Sign in'],
    ['kind', 'sign_in'],
    ['kind', 'k'.repeat(61)],
    ['patterns', 'search'],
    ['patterns', Array(31).fill('search')],
  ])('a wrong %s (%j) is refused by its dotted name', (name, value) => {
    expect(metaErrors({ [name]: value })).toEqual({
      [`meta.${name}`]: [expect.stringMatching(/^The meta\.\w+ field must be /)],
    });
  });

  test('all invalid members are named at once, and list entries by their position', () => {
    expect(Object.keys(metaErrors({ step: -1, mode: 'x', patterns: ['search', null, 5] }) ?? {})).toEqual([
      'meta.step',
      'meta.mode',
      'meta.patterns.1',
      'meta.patterns.2',
    ]);
  });

  test('the app of a capture must belong to the run', () => {
    expect(metaErrors({ app: 'core' }, { apps: ['core', 'app'] })).toEqual({});
    expect(metaErrors({ app: 'support' }, { apps: ['core', 'app'] })).toEqual({
      'meta.app': ['The meta.app field must be one of core, app.'],
    });
  });

  test('any JSON becomes a complete meta or is refused under names that begin with meta', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read = readMeta(JSON.stringify(value), EVERY_APP);
        if (read.ok) expect(Object.keys(read.value)).toEqual(Object.keys(NOTHING));
        else for (const name of Object.keys(read.data?.['errors'] as object)) expect(name).toMatch(/^meta(\.|$)/);
      }),
    );
  });
});

describe('the assets of a capture', () => {
  const errorsOf = (value: unknown) => {
    const read = readPageAssets(JSON.stringify(value));
    return read.ok ? {} : read.data?.['errors'];
  };

  test('a list keeps the URL and hash of each entry', () => {
    const entry = { url: 'https://app.example.com/a.css', sha256: SHA };
    expect(readPageAssets(JSON.stringify([{ ...entry, type: 'css' }]))).toEqual({ ok: true, value: [entry] });
    expect(readPageAssets('[]')).toEqual({ ok: true, value: [] });
    for (const none of [null, 'null']) expect(readPageAssets(none)).toEqual({ ok: true, value: null });
  });

  test(`a list has at most ${MAX_PAGE_ASSETS} entries`, () => {
    const list = (length: number) => Array.from({ length }, () => ({ url: 'https://a.example', sha256: SHA }));
    expect(errorsOf(list(MAX_PAGE_ASSETS))).toEqual({});
    expect(Object.keys(errorsOf(list(MAX_PAGE_ASSETS + 1)) ?? {})).toEqual(['assets']);
  });

  test.each(['{}', '5', 'no JSON'])('the text %s is refused because it is not a JSON array', (text) => {
    expect(readPageAssets(text)).toMatchObject({ ok: false, data: { errors: { assets: [expect.any(String)] } } });
  });

  test('null entries and invalid members are refused by position', () => {
    const list = [null, { url: '', sha256: SHA }, { url: 'u'.repeat(2001), sha256: 'A'.repeat(64) }, []];
    expect(Object.keys(errorsOf(list) ?? {})).toEqual([
      'assets.0',
      'assets.1.url',
      'assets.2.url',
      'assets.2.sha256',
      'assets.3',
    ]);
  });
});

describe('the image of a capture', () => {
  const type = 'image/png';

  test('an image of exactly 40 megapixels is accepted, and one with another row is refused', () => {
    expect(judgeImage({ type, width: 8000, height: MAX_PIXELS / 8000 }).ok).toBe(true);
    expect(judgeImage({ type, width: 8000, height: MAX_PIXELS / 8000 + 1 })).toMatchObject({
      code: 'validation_failed',
      data: { errors: { image: [expect.stringContaining('8000 × 5001')] } },
    });
  });

  test('a file that is not an image and an image without pixels are refused', () => {
    for (const measured of [undefined, { type, width: 0, height: 5 } as const]) {
      expect(judgeImage(measured)).toMatchObject({ ok: false, data: { errors: { image: [expect.any(String)] } } });
    }
  });
});

test('a title of 300 characters, a flow of 120, 30 patterns and steps from 1 to the maximum are accepted', () => {
  for (const step of [1, 10_000]) {
    const told = { title: 't'.repeat(300), flow: 'f'.repeat(120), step, patterns: Array(30).fill('search') };
    expect(metaErrors(told)).toEqual({});
  }
  expect(Object.keys(metaErrors({ step: 10_001 }) ?? {})).toEqual(['meta.step']);
});

test('the URL of an asset has 1 to 2000 characters', () => {
  for (const url of ['u', 'u'.repeat(2000)]) {
    expect(readPageAssets(JSON.stringify([{ url, sha256: SHA }]))).toMatchObject({ ok: true });
  }
});
