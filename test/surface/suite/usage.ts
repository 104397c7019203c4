import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { USAGE_A_DAY } from '../../../domain/devices/usage.ts';
import { aBuyer, type Buyer } from '../buyers.ts';
import { post } from '../client.ts';
import type { Mount } from '../mount.ts';
import { OTHER, TOOL, UNKNOWN } from '../shop.ts';
import { dayFromNow, daysFromNow } from '../times.ts';

const PATH = '/api/device/usage';
const TODAY = dayFromNow(0);
const NOW = () => daysFromNow(0);

const COMMANDS = { verify: 9, '': 1e300, nested: { deep: [1, null] } };

const row = (more: object = {}) => ({ product_id: TOOL, usage_date: TODAY, launches: 1, ...more });

export const usageSuite = (mount: () => Mount): void => {
  const upload = ({ key }: Buyer, days: unknown, consent: unknown = true) =>
    post(mount(), PATH, key, { consent, days });
  const kept = async ({ account }: Buyer) =>
    (await Array.fromAsync(mount().service.get('usage').list(account))).map(({ key_id, ...day }) => day);

  test('uploaded usage is stored by product and day, with its commands', async () => {
    const buyer = await aBuyer(mount().service);
    const days = [row({ launches: 12, commands: COMMANDS }), row({ usage_date: dayFromNow(-1), launches: 0 })];
    const { status, body } = await upload(buyer, days);
    expect(status).toBe(200);
    expect(body).toEqual({ stored: 2, days });
    expect(await kept(buyer)).toEqual([days[1], days[0]]);
    expect(await mount().service.get('collectOwnData')(buyer.account)).toMatchObject({ usage: [days[1], days[0]] });
  });

  test('a usage upload of 200 days with thirty commands each is stored', async () => {
    const buyer = await aBuyer(mount().service);
    const commands = Object.fromEntries(
      Array.from({ length: 30 }, (_, n) => [`project.template.export-${n}`, 1000 + n]),
    );
    const days = Array.from({ length: 200 }, (_, n) =>
      row({ usage_date: dayFromNow(-n), launches: 1_000_000, commands }),
    );
    expect((await upload(buyer, days)).body.stored).toBe(200);
    expect(await kept(buyer)).toHaveLength(200);
    const largest = { note: 'x'.repeat(4096 - '{"note":""}'.length) };
    expect((await upload(buyer, [row({ commands: largest })])).body.stored).toBe(1);
  });

  test('usage of 366 days ago is stored, and the refusal of an older day names the earliest accepted one', async () => {
    const buyer = await aBuyer(mount().service);
    expect((await upload(buyer, [row({ usage_date: dayFromNow(-366) })])).body.stored).toBe(1);
    const { body } = await upload(buyer, [row({ usage_date: dayFromNow(-367) })]);
    expect(body.errors).toEqual({
      'days.0.usage_date': [`The usage date must not be before ${dayFromNow(-366)}.`],
    });
  });

  test('an account at its daily limit of bytes is refused until midnight, and other accounts are not', async () => {
    const [buyer, other] = [await aBuyer(mount().service), await aBuyer(mount().service)];
    const { service } = mount();
    await service
      .get('dailyBounds')
      .count(grantPermit(), USAGE_A_DAY, String(buyer.account), USAGE_A_DAY.most - 1, NOW());
    expect((await upload(buyer, [row()])).status).toBe(200);
    const { status, body, headers } = await upload(buyer, [row({ launches: 2 })]);
    expect([status, body.message]).toEqual([
      429,
      'The limit of 8388608 bytes of usage of an account a day (UTC) is reached; wait the number of seconds in Retry-After.',
    ]);
    const wait = Number(headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(86_400);
    // A second that ends between the decision and the response is counted once.
    expect((Number(headers.get('x-ratelimit-reset')) + 1) % 86_400).toBeLessThan(3);
    expect((await kept(buyer)).map(({ launches }) => launches)).toEqual([1]);
    expect((await upload(other, [row()])).status).toBe(200);
  });

  describe('a usage upload with a bad row', () => {
    test.each([
      [{ product_id: UNKNOWN }, 'product_id'],
      [{ product_id: OTHER }, 'product_id'],
      [{ product_id: 'one' }, 'product_id'],
      [{ product_id: undefined }, 'product_id'],
      [{ usage_date: dayFromNow(2) }, 'usage_date'],
      [{ usage_date: dayFromNow(-367) }, 'usage_date'],
      [{ usage_date: '2026-02-30' }, 'usage_date'],
      [{ usage_date: `${TODAY}T00:00:00Z` }, 'usage_date'],
      [{ usage_date: 20_260_101 }, 'usage_date'],
      [{ usage_date: null }, 'usage_date'],
      [{ launches: -1 }, 'launches'],
      [{ launches: 1_000_001 }, 'launches'],
      [{ launches: 1.5 }, 'launches'],
      [{ launches: 'five' }, 'launches'],
      [{ launches: null }, 'launches'],
      [{ commands: ['run'] }, 'commands'],
      [{ commands: 'run' }, 'commands'],
      [{ commands: { run: 'x'.repeat(4096 - 9) } }, 'commands'],
      [{ commands: { ['x'.repeat(101)]: 1 } }, 'commands'],
      [{ commands: { a: { b: { c: { d: { e: { f: { g: { h: { i: 1 } } } } } } } } } }, 'commands'],
    ])('a usage upload with a row of %j is 422 and stores nothing', async (fault, field) => {
      const buyer = await aBuyer(mount().service);
      const { status, body } = await upload(buyer, [row(), row({ usage_date: dayFromNow(-1) }), row(fault)]);
      expect([status, Object.keys(body.errors)]).toEqual([422, [`days.2.${field}`]]);
      expect(await kept(buyer)).toEqual([]);
    });

    test('a refused usage upload names every bad row', async () => {
      const buyer = await aBuyer(mount().service);
      const { body } = await upload(buyer, [
        row({ product_id: OTHER, usage_date: dayFromNow(3) }),
        row(),
        row({ product_id: OTHER }),
      ]);
      expect(Object.keys(body.errors).sort()).toEqual(['days.0.usage_date', 'days.2.product_id']);
    });
  });

  test.each([
    [[], 'days'],
    [Array.from({ length: 201 }, () => row()), 'days'],
    [undefined, 'days'],
    [null, 'days'],
    [{}, 'days'],
    ['[]', 'days'],
    [[null], 'days.0'],
    [[[]], 'days.0'],
    [[5], 'days.0'],
  ])('a usage upload with days of %j is 422', async (days, field) => {
    const buyer = await aBuyer(mount().service);
    const { status, body } = await upload(buyer, days);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
    expect(await kept(buyer)).toEqual([]);
  });

  describe('the consent of a usage upload', () => {
    test.each([true, 1, '1', 'true'])('a usage upload with the consent %j is stored', async (consent) => {
      const buyer = await aBuyer(mount().service);
      expect((await upload(buyer, [row()], consent)).body.stored).toBe(1);
    });

    test.each([
      false,
      0,
      '0',
      'false',
    ])('a usage upload with the consent %j is 200 and stores nothing', async (consent) => {
      const buyer = await aBuyer(mount().service);
      const { status, body } = await upload(buyer, [row(), row({ product_id: UNKNOWN })], consent);
      expect([status, body]).toEqual([200, { stored: 0, days: [] }]);
      expect(await kept(buyer)).toEqual([]);
    });

    test.each([
      undefined,
      null,
      'yes',
      2,
      '',
      [],
      {},
    ])('a usage upload with the invalid consent %j is 422', async (consent) => {
      const buyer = await aBuyer(mount().service);
      const { status, body } = await post(mount(), PATH, buyer.key, { consent, days: [row()] });
      expect([status, Object.keys(body.errors)]).toEqual([422, ['consent']]);
      expect(await kept(buyer)).toEqual([]);
    });
  });

  test('concurrent usage uploads of one device leave one row a day, each entirely from one upload', async () => {
    const buyer = await aBuyer(mount().service);
    const dates = [-2, -1, 0].map(dayFromNow);
    const days = (launches: number) => dates.map((usage_date) => row({ usage_date, launches }));
    await Promise.all([1, 2, 3, 4].map((launches) => upload(buyer, days(launches))));
    const rows = await kept(buyer);
    expect(rows.map(({ usage_date }) => usage_date)).toEqual(dates);
    expect([1, 2, 3, 4].flatMap(days)).toEqual(expect.arrayContaining(rows));
  });
};
