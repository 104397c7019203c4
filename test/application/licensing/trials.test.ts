import { expect, test } from 'vitest';
import { findProduct } from '../../../application/catalog/shop-products.ts';
import { changeTrial, showTrials } from '../../../application/licensing/trials.ts';
import { TRIALS_OF_ADDRESS, TRIALS_OF_PRODUCT } from '../../../domain/licensing/trial.ts';
import { DEFAULT_POLICY } from '../../../domain/policy/client-policy.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { withParts } from '../../../runtimes/composition/area.ts';
import { licensing } from '../../../runtimes/composition/areas/licensing.ts';
import { anEntitlement, aProduct, NOW } from '../../support/builders.ts';
import type { Contents } from '../../support/contents.ts';
import { aStore } from '../../support/memory-store.ts';
import { done } from '../../support/outcomes.ts';
import { PERMIT, passed } from '../../support/permits.ts';

const EDITOR = aProduct({ id: 1, slug: 'editor', device_limit: 1, trial_days: 14 });
const AREA = withParts(licensing, { changeTrial, findProduct, showTrials });
const MONTH = NOW.slice(0, 7);

const aShop = async (contents: Contents = {}) => {
  const store = await aStore([AREA], {
    products: [EDITOR],
    entitlements: [anEntitlement()],
    ...contents,
  });
  const body = { product_id: 1, bundle_id: null, device_id: 'laptop', app_version: null };
  const start = (device_id = 'laptop', address = '192.0.2.1') =>
    passed(
      store.get('startTrial')({ owner: { kind: 'address', address }, body: { ...body, device_id }, locale: 'en' }),
      PERMIT,
    );
  const check = (question: object = {}) =>
    passed(
      store.get('checkLicense')({
        account_id: 1,
        scope: { product_id: null },
        key: null,
        body: { ...body, ...question },
        locale: 'en',
      }),
      PERMIT,
    );
  const counts = async () => done(await store.get('showTrials')('editor', null)).months[0];
  return { store, start, check, counts };
};

test('a started trial keeps its end when the product’s trial days change, and a new device gets the new days', async () => {
  const { store, start } = await aShop();
  const { access_expires_at } = done(await start());
  const save = async (trial_days: number | undefined) =>
    store.get('catalogEditor').save(await PERMIT, { kind: 'product', value: { ...EDITOR, trial_days } });
  await save(30);
  expect(done(await start()).access_expires_at).toBe(access_expires_at);
  expect(done(await start('tablet')).access_expires_at).toBe(addDays(NOW, 30));
  await save(undefined);
  expect(done(await start()).access_expires_at).toBe(access_expires_at);
  expect(await start('phone')).toMatchObject({ ok: false, code: 'trial_not_offered' });
});

test('a device that the policy revokes starts no trial, and its running trial is refused', async () => {
  const { store, start, counts } = await aShop();
  await start('running');
  const revoked = ['laptop', 'running'].map((device_id) => ({ product_id: 1, device_id }));
  const policy = { ...DEFAULT_POLICY, revoked };
  await store.get('policies').save(await PERMIT, policy, await store.get('policies').read(), []);
  for (const device of ['laptop', 'running']) {
    expect(done(await start(device))).toMatchObject({ valid: false, code: 'device_revoked', token: null });
  }
  expect(await counts()).toEqual({ month: MONTH, started: 1, converted: 0 });
});

test.each([
  ['an address', TRIALS_OF_ADDRESS, 'ADDRESS#192.0.2.1', '192.0.2.2'],
  ['a product', TRIALS_OF_PRODUCT, '1', null],
])('above the daily limit of %s new trials are refused, and started ones are answered', async (_, bound, owner, other) => {
  const { store, start } = await aShop();
  await start('started');
  await store.get('dailyBounds').count(await PERMIT, bound, owner, bound.most, NOW);
  expect(await start('new')).toMatchObject({ ok: false, code: 'rate_limited', retryAfter: expect.any(Number) });
  expect((await start('started')).ok).toBe(true);
  if (other !== null) expect((await start('new', other)).ok).toBe(true);
});

test('the first license check on a device converts its trial, and later checks do not change it', async () => {
  const { store, start, check, counts } = await aShop();
  await start();
  expect(done(await check())).toMatchObject({ valid: true, access_source: 'direct', devices_used: 1 });
  await check();
  expect(await counts()).toEqual({ month: MONTH, started: 1, converted: 1 });
  expect(done(await store.get('showTrials')('editor', 'laptop')).trial).toMatchObject({ converted_at: NOW });
});

test.each([
  ['a refused check', { entitlements: [] }, {}],
  ['a check on another device', {}, { device_id: 'tablet' }],
  ['a check that sends the value of an earlier one', {}, { nonce: 'n'.repeat(16), continuation: 'c'.repeat(64) }],
])('%s converts no trial', async (_, contents, question) => {
  const { start, check, counts } = await aShop(contents);
  await start();
  await check(question);
  expect(await counts()).toEqual({ month: MONTH, started: 1, converted: 0 });
});

test('the shop can extend a trial, end it and give it again', async () => {
  const { store, start } = await aShop();
  await start();
  const change = async (days: number, device_id = 'laptop') =>
    store.get('changeTrial')(await PERMIT, { product: 'editor', device_id, days });
  for (const [days, code] of [
    [40, 'valid'],
    [0, 'trial_ended'],
    [7, 'valid'],
  ] as const) {
    expect(done(await change(days)).trial.ends_at).toBe(addDays(NOW, days));
    expect(done(await start())).toMatchObject({ code, access_expires_at: addDays(NOW, days) });
  }
  expect(await change(7, 'tablet')).toMatchObject({ ok: false, code: 'trial_not_found' });
});
