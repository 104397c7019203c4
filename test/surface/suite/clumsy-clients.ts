import { describe, expect, test } from 'vitest';
import { aBuyer, aKey } from '../buyers.ts';
import { get, post, put } from '../client.ts';
import type { Mount } from '../mount.ts';
import { TOOL } from '../shop.ts';
import { dayFromNow } from '../times.ts';

const INSTALLS = '/api/device/installs';
const CHECK = '/api/license/check';
const USAGE = '/api/device/usage';
const REPORTS = '/api/support/reports';
const ERRORS = '/api/error-reports';
const PROGRESS = `/api/products/${TOOL}/setup-progress`;

/** Tests that variant notations of clients are understood, and that no unsafe text is stored. */
export const clumsyClientsSuite = (mount: () => Mount): void => {
  const owner = () => aBuyer(mount().service);

  test.each([null, '', undefined])('an optional list or object sent as %j counts as absent', async (nothing) => {
    const { account, key } = await owner();
    expect((await put(mount(), PROGRESS, key, { completed_step_indexes: [1] })).status).toBe(200);
    const { body } = await put(mount(), PROGRESS, key, { completed_step_indexes: nothing });
    expect(body.completed_step_indexes).toEqual([1]);
    const device = (await aKey(mount().service, account, { device: {} })).value;
    const row = { product_id: TOOL, usage_date: dayFromNow(0), launches: 1, commands: nothing };
    const stored = await post(mount(), USAGE, device, { consent: true, days: [row] });
    expect(stored.status).toBe(200);
  });

  test('an integer and a boolean can be sent as text', async () => {
    const { account, key } = await owner();
    const installed = await post(mount(), INSTALLS, key, {
      product_id: String(TOOL),
      version: '1',
      release_id: '12.0',
    });
    expect(installed.body.install).toMatchObject({ product_id: TOOL, release_id: 12 });
    expect((await post(mount(), CHECK, key, { product_id: `${TOOL}` })).body.valid).toBe(true);
    expect((await put(mount(), PROGRESS, key, { completed_step_indexes: ['0', 2.0] })).status).toBe(200);
    const device = (await aKey(mount().service, account, { device: {} })).value;
    const row = { product_id: `${TOOL}`, usage_date: dayFromNow(0), launches: '5' };
    for (const consent of ['True', 'TRUE', '1', 1, true]) {
      expect((await post(mount(), USAGE, device, { consent, days: [row] })).body.days[0].launches).toBe(5);
    }
  });

  test.each([
    ['four', 'The release id field must be an integer.'],
    ['4.5', 'The release id field must be an integer.'],
    [[4], 'The release id field must be an integer.'],
    [true, 'The release id field must be an integer.'],
    ['-1', 'The release id field must be at least 1.'],
  ])('a release id of %j is 422 with a sentence that says what to send', async (release_id, sentence) => {
    const { key } = await owner();
    const { status, body } = await post(mount(), INSTALLS, key, { product_id: TOOL, version: '1', release_id });
    expect([status, body.errors]).toEqual([422, { release_id: [sentence] }]);
  });

  test.each([null, ''])('a required number sent as %j is reported as missing', async (product_id) => {
    const { key } = await owner();
    const { body } = await post(mount(), INSTALLS, key, { product_id, version: '1' });
    expect(body.errors).toEqual({ product_id: ['The product id field is required.'] });
  });

  test.each([null, ''])('a file sent as %j in JSON counts as absent', async (bundle) => {
    const { key } = await owner();
    const { status, body } = await post(mount(), REPORTS, key, { kind: 'general', summary: 's', detail: 'd', bundle });
    expect([status, body.ticket.bundle]).toEqual([201, null]);
  });

  describe('a repeated query parameter', () => {
    test('a query parameter repeated with one value has that value', async () => {
      const { key } = await owner();
      for (const query of ['q=tool&q=tool', 'sort=-id&sort=-id', 'category_id=1&category_id=1', 'q=&q=']) {
        const once = await get(mount(), `/api/products?${query.split('&')[0]}`, key);
        const twice = await get(mount(), `/api/products?${query}`, key);
        expect([twice.status, twice.text]).toEqual([200, once.text]);
      }
    });

    test.each([
      'q=a&q=b',
      'sort=id&sort=name',
      'category_id=1&category_id=2',
      'tag_id=&tag_id=2',
    ])('a query parameter repeated with two values is 422 and named: %s', async (query) => {
      const { key } = await owner();
      const { status, body } = await get(mount(), `/api/products?${query}`, key);
      const [field = ''] = query.split('=');
      const name = field.replaceAll('_', ' ');
      expect([status, body.errors]).toEqual([
        422,
        { [field]: [`The ${name} field was sent more than once with different values; send it once.`] },
      ]);
    });

    test('a repeated query parameter that the endpoint does not know is ignored', async () => {
      const { key } = await owner();
      expect((await get(mount(), '/api/products?utm=a&utm=b', key)).status).toBe(200);
    });
  });

  describe('a text with invisible characters', () => {
    const NUL = '\u0000';
    const HALF = '\ud83d';

    test.each([
      ['version', `1.0${NUL}`],
      ['version', `1.0${HALF}`],
      ['bundle_id', 'com.example\n.tool'],
    ])('an install whose %s is %j is 422', async (field, text) => {
      const { key } = await owner();
      const { status, body } = await post(mount(), INSTALLS, key, { product_id: TOOL, version: '1', [field]: text });
      const name = field.replaceAll('_', ' ');
      expect([status, body.errors]).toEqual([
        422,
        { [field]: [`The ${name} field must be plain text on one line, without control characters.`] },
      ]);
    });

    test.each([
      `a${NUL}`,
      `a${HALF}`,
      'a\tb',
    ])('a device id of %j is 422 in a check and in a report', async (device_id) => {
      const { key } = await owner();
      const check = await post(mount(), CHECK, key, { product_id: TOOL, device_id });
      expect([check.status, Object.keys(check.body.errors)]).toEqual([422, ['device_id']]);
      const report = await post(mount(), REPORTS, key, { kind: 'general', summary: 's', detail: 'd', device_id });
      expect([report.status, Object.keys(report.body.errors)]).toEqual([422, ['device_id']]);
    });

    test('a device id is the same however its letters are composed', async () => {
      const { key } = await owner();
      for (const form of ['NFD', 'NFC'] as const) {
        const { body } = await post(mount(), CHECK, key, { product_id: TOOL, device_id: '맥북 é'.normalize(form) });
        expect(body).toMatchObject({ device: { device_id: '맥북 é' }, devices: { used: 1 } });
      }
    });

    const NOTHING = '\u200b\u3164';

    test.each([
      ['the summary of a report', REPORTS, { kind: 'general', summary: NOTHING, detail: 'd' }, 'summary'],
      ['the detail of a report', REPORTS, { kind: 'general', summary: 's', detail: ` ${NOTHING} ` }, 'detail'],
      [
        'the message of an error',
        ERRORS,
        { app_bundle_id: 'com.example.tool', app_version: '1', error_type: 'crash', error_message: NOTHING },
        'error_message',
      ],
    ])('a text with only invisible characters is refused as blank if it is %s', async (_, path, sent, field) => {
      const { key } = await owner();
      const { status, body } = await post(mount(), path, key, sent);
      const name = field.replaceAll('_', ' ');
      expect([status, body.errors]).toEqual([422, { [field]: [`The ${name} field must not be blank.`] }]);
    });

    test('the detail of a report keeps its lines and loses control characters', async () => {
      const { account, key } = await owner();
      const detail = `It\u001b[31m stops.${NUL}\n\tHere.${HALF}`;
      const { body } = await post(mount(), REPORTS, key, { kind: 'general', summary: `s${NUL}`, detail });
      const kept = await mount().service.get('tickets').get(body.ticket.id);
      expect(kept).toMatchObject({ account_id: account, detail: expect.stringContaining('stops.') });
      expect(kept?.detail.split('\n')).toHaveLength(2);
      expect(kept?.detail.replace(/[\t\n]/g, '')).not.toMatch(/[\p{Cc}\p{Cs}]/u);
    });
  });
};
