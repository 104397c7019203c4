import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ABILITIES, DEVICE_KEY_ABILITIES, PERSONAL_KEY_ABILITIES } from '../../../domain/access/abilities.ts';
import {
  type ApiKey,
  activationStep,
  childrenOf,
  deviceKeys,
  judgeKeyInput,
  LIVE_KEY_QUOTA,
  newKey,
  productKey,
} from '../../../domain/access/api-key.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import { aCatalog, anApiKey, aProduct, NOW } from '../../support/builders.ts';

const FRESH = { id: 9, hash: 'f'.repeat(64), prefix: 'svc_ffffffffff' };
const ACCOUNT: Account = { id: 1, email: 'a@example.com', name: null, created_at: NOW, password_hash: null };
const { products } = aCatalog({ products: [aProduct({ id: 7 })] });
const INPUT = { account_id: 1, name: 'Build' };

describe('a request for a new key', () => {
  test('a key needs an existing account, an existing product and a future expiry', () => {
    const input = { ...INPUT, product_id: 7, expires_at: addDays(NOW, 1) };
    expect(judgeKeyInput(input, ACCOUNT, products, NOW)).toEqual(ok(null));
    expect(judgeKeyInput(INPUT, ACCOUNT, products, NOW)).toEqual(ok(null));
  });

  test.each([
    ['account_not_found', INPUT, undefined],
    ['product_not_found', { ...INPUT, product_id: 8 }, ACCOUNT],
    ['expiry_has_passed', { ...INPUT, expires_at: NOW }, ACCOUNT],
  ] as const)('a key request is refused: %s', (code, input, account) => {
    expect(judgeKeyInput(input, account, products, NOW)).toMatchObject({ code, message: expect.any(String) });
  });
});

describe('a new key', () => {
  test('a key of a person or a device gets the default abilities of its kind when the request names none', () => {
    expect(newKey(INPUT, FRESH, NOW)).toEqual({
      ...FRESH,
      ...INPUT,
      kind: 'personal',
      abilities: PERSONAL_KEY_ABILITIES,
      product_id: null,
      client: null,
      device: null,
      parent_id: null,
      created_at: NOW,
      expires_at: null,
      last_used_at: null,
      revoked_at: null,
    });
    const device = { device_id: 'mac', name: null };
    expect(newKey({ ...INPUT, device: { client: 'cli', device } }, FRESH, NOW)).toMatchObject({
      kind: 'device',
      abilities: DEVICE_KEY_ABILITIES,
      client: 'cli',
      device,
    });
    expect(newKey({ ...INPUT, abilities: [] }, FRESH, NOW).abilities).toEqual([]);
  });

  test('a bulk-activation key is bound to its product, has no more abilities than its parent and expires no later', () => {
    const end = fc.option(fc.integer({ min: 1, max: 90 }).map((days) => addDays(NOW, days)));
    fc.assert(
      fc.property(fc.subarray([...ABILITIES]), end, (abilities, expires_at) => {
        const parent = anApiKey({ id: 3, abilities, expires_at, device: { device_id: 'mac', name: 'Mac' } });
        const made = productKey(parent, { id: 7, slug: 'timer' }, FRESH, NOW);
        expect(made).toMatchObject({ product_id: 7, parent_id: 3, name: 'timer on Mac', expires_at, kind: 'device' });
        expect(abilities).toEqual(expect.arrayContaining([...made.abilities]));
      }),
    );
  });
});

describe('the keys of a device', () => {
  const parent = anApiKey({ id: 1, product_id: 7 });
  const child = anApiKey({ id: 2, parent_id: 1, product_id: 7 });
  const ended = anApiKey({ id: 3, parent_id: 1, revoked_at: NOW });
  const strange = anApiKey({ id: 4, product_id: 7 });
  const CALL = { begun_at: NOW, request_hash: null };
  const ringOf = (...keys: (typeof parent)[]) => ({ account_id: 1, product_id: 7, keys });

  test('the keys of a device are its own and the live ones that its bulk activation made', () => {
    expect(deviceKeys([parent, child, ended, strange], parent, NOW)).toEqual([parent, child]);
    expect(childrenOf([parent, child, ended, strange], parent)).toEqual([child, ended]);
  });

  test('the keys of a device are made again when the response with the first key was lost', () => {
    const seen = (ms: number, key: Partial<ApiKey> = {}, request_hash: string | null = null) => {
      const begun_at = toInstant(millis(child.created_at) + ms);
      return activationStep(ringOf({ ...child, ...key }), parent, { begun_at, request_hash }, LIVE_KEY_QUOTA, begun_at)
        .status;
    };
    const [FIVE_SECONDS, TEN_MINUTES, A_DAY] = [5000, 600_000, 86_400_000];
    expect([FIVE_SECONDS - 1, FIVE_SECONDS, TEN_MINUTES, TEN_MINUTES + 1].map((ms) => seen(ms))).toEqual([
      'existing',
      'created',
      'created',
      'existing',
    ]);
    expect(seen(FIVE_SECONDS, { last_used_at: NOW })).toBe('existing');
    const same = { request_hash: 'same' };
    expect([0, 1, A_DAY, A_DAY + 1].map((ms) => seen(ms, same, 'same'))).toEqual([
      'existing',
      'created',
      'created',
      'existing',
    ]);
    expect(seen(1, same, 'other')).toBe('existing');
  });

  test('the keys of a device are not made again while a live one exists, nor beyond the quota', () => {
    expect(activationStep(ringOf(strange, child), parent, CALL, LIVE_KEY_QUOTA, NOW)).toEqual({
      status: 'existing',
      key: child,
    });
    expect(activationStep(ringOf(strange, ended), parent, CALL, LIVE_KEY_QUOTA, NOW)).toEqual({
      status: 'created',
      lost: [],
    });
    const full = [4, 5, 6].map((id) => anApiKey({ id }));
    expect(activationStep(ringOf(...full), parent, CALL, LIVE_KEY_QUOTA, NOW)).toEqual({ status: 'key_limit_reached' });
    expect(activationStep(ringOf(...full, child), parent, CALL, LIVE_KEY_QUOTA, NOW)).toEqual({
      status: 'existing',
      key: child,
    });
  });
});
