import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays, millis, toInstant } from '../../../domain/shared/instant.ts';
import { NOW } from '../../support/builders.ts';
import { ADDRESS, aSignInStore, PASSWORD } from '../../support/sign-in.ts';

const ADA = { email: 'ada@example.com', name: 'Ada' };
const sender = { browser: 'Firefox', address: ADDRESS };

const aNewShop = async () => {
  const { store } = await aSignInStore();
  const offer = async () => (await store.get('offerSetup')(grantPermit())) ?? '';
  const use = (code: string, owner = ADA) => store.get('useSetup')(grantPermit(), code, owner, sender);
  return { store, offer, use, peek: store.get('peekSetup') };
};

test('the operator’s link creates the first member with all permissions and a console-only session', async () => {
  const { store, offer, use, peek } = await aNewShop();
  const code = await offer();
  expect(await peek(code)).toBe(addDays(NOW, 1));
  const opened = await use(code);
  if (!opened.ok) throw new Error(opened.message);
  const { value, session } = opened.value;
  expect(await store.get('findMember')(session.account_id)).toEqual({
    ...{ account_id: session.account_id, role: 'everything', name: 'Ada', added_at: NOW },
  });
  expect(await store.get('findSession')(value, 'console')).toBeDefined();
  expect(await store.get('findSession')(value)).toBeUndefined();
});

test('the setup link fails after a use, after a day, after a later start and with any other code', async () => {
  const { store, offer, use, peek } = await aNewShop();
  const first = await offer();
  const code = await offer();
  for (const wrong of [first, '', 'x'.repeat(43), `${code} `]) {
    expect(await peek(wrong)).toBeUndefined();
    expect(await use(wrong)).toMatchObject({ code: 'setup_not_usable' });
  }
  store.clock.at = addDays(NOW, 1);
  expect(await use(code)).toMatchObject({ code: 'setup_not_usable' });
  store.clock.at = NOW;
  expect(await use(code)).toMatchObject({ ok: true });
  expect(await use(code, { email: 'eve@example.com', name: 'Eve' })).toMatchObject({ code: 'setup_not_usable' });
  expect(await store.get('offerSetup')(grantPermit())).toBeNull();
  expect((await store.get('members').read()).members).toHaveLength(1);
});

test('a link that a browser began to use and left is free again after a minute', async () => {
  const { store, offer, use } = await aNewShop();
  const code = await offer();
  expect(await store.get('members').claimSetup(grantPermit(), NOW)).toBe(true);
  expect(await use(code)).toMatchObject({ code: 'setup_not_usable' });
  expect(await store.get('accounts').findByEmail(ADA.email)).toBeUndefined();
  store.clock.at = toInstant(millis(NOW) + 60_000);
  expect(await use(code)).toMatchObject({ ok: true });
});

test('a refused form leaves the link usable, and an existing account keeps its password', async () => {
  const { store, offer, use } = await aNewShop();
  const code = await offer();
  expect(await use(code, { ...ADA, email: 'ada' })).toMatchObject({ code: 'email_malformed' });
  expect(await use(code, { ...ADA, name: ' ' })).toMatchObject({ code: 'name_is_empty' });
  const known = await store.get('accounts').get(1);
  expect(await use(code, { ...ADA, email: known?.email ?? '' })).toMatchObject({
    value: { session: { account_id: 1, place: 'console' } },
  });
  expect(await store.get('accounts').get(1)).toEqual({ ...known, password_hash: `plain:${PASSWORD}` });
});
