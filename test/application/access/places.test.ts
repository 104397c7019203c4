import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { principalOfMember } from '../../../domain/access/member.ts';
import type { ShopRole } from '../../../domain/access/principal.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import type { Place } from '../../../domain/sign-in/session.ts';
import type { PasskeyVerifier } from '../../../ports/outbound/passkeys.ts';
import { NOW } from '../../support/builders.ts';
import { ADDRESS, aSignInStore } from '../../support/sign-in.ts';

/** Accepts any answer, so that only the use case tells one site's passkeys from the other's. */
const trusting: PasskeyVerifier = {
  named: (json) => json,
  made: async ({ json }) => ({ id: json, public_key: 'k', counter: 0, transports: [] }),
  signed: async () => ({ counter: 0 }),
};
const site = { id: 'localhost', origin: 'http://localhost:8791' };

/** A store whose accounts 1 and 2 exist, and whose account 1 is a member of the shop. */
const aShop = async (role: ShopRole = 'everything') => {
  const { store } = await aSignInStore({}, { passkeyVerifier: trusting });
  const members = store.get('members');
  const member = { account_id: 1, role, name: 'Ada', added_at: NOW };
  await members.change(grantPermit(), await members.read(), { before: undefined, after: member });
  const sender = (place?: Place) => ({ browser: 'Firefox', address: ADDRESS, ...(place && { place }) });
  const link = async (account_id: number, place?: Place): Promise<string> => {
    const made = await store.get('createSignInLink')(grantPermit(), account_id, place);
    return made.ok ? made.value.code : '';
  };
  const use = async (code: string, place?: Place) => store.get('useSignInLink')({ code, ...sender(place) });
  const open = async (account_id: number, place?: Place) => {
    const opened = await store.get('openSession')(account_id, 'link', sender(place));
    if (!opened.ok) throw new Error(opened.message);
    return opened.value;
  };
  const passkey = async (place?: Place): Promise<string> => {
    const { session } = await open(1, place);
    const id = `of-${place}`;
    await store.get('beginPasskey')({ secret: 's' });
    const answer = { session, name: id, json: id, secret: 's', site };
    expect(await store.get('addPasskey')(grantPermit(), answer)).toMatchObject({ ok: true });
    return id;
  };
  const signIn = async (id: string, place?: Place) => {
    await store.get('beginPasskey')({ secret: 's' });
    return store.get('signInWithPasskey')({ json: id, secret: 's', site, ...sender(place) });
  };
  return { store, members, member, link, use, open, passkey, signIn };
};

const PLACES = [undefined, 'console'] as const;

test.each(
  PLACES.flatMap((of) => PLACES.map((at) => [of ?? 'account', at ?? 'account', of, at] as const)),
)('a session, a link and a passkey of the %s host open the %s host only if both are the same', async (_of, _at, of, at) => {
  const { store, link, use, open, passkey, signIn } = await aShop();
  const { value } = await open(1, of);
  expect((await store.get('findSession')(value, at)) !== undefined).toBe(of === at);
  const code = await link(1, of);
  expect((await store.get('peekSignInLink')(code, at)) !== undefined).toBe(of === at);
  expect((await use(code, at)).ok).toBe(of === at);
  if (of !== at) expect(await use(code, of)).toMatchObject({ ok: true });
  expect((await signIn(await passkey(of), at)).ok).toBe(of === at);
});

test('the console opens only for members, and closes with the next request after a membership ends or is suspended', async () => {
  const { store, members, member, link, use, open, passkey, signIn } = await aShop();
  expect(await use(await link(2, 'console'), 'console')).toMatchObject({ ok: false, code: 'link_not_usable' });
  const { value, session } = await open(1, 'console');
  const id = await passkey('console');
  const find = () => store.get('findSession')(value, 'console');
  expect(await find()).toMatchObject({ place: 'console' });
  const account = (await store.get('accounts').get(1)) as Account;
  await store.get('accounts').save(grantPermit(), { ...account, suspended_at: NOW });
  expect(await find()).toBeUndefined();
  await store.get('accounts').save(grantPermit(), account);
  expect(await find()).toBeDefined();
  const waiting = await link(1, 'console');
  await members.change(grantPermit(), await members.read(), { before: member, after: null });
  expect(await find()).toBeUndefined();
  expect(await store.get('findMember')(1)).toBeUndefined();
  expect(await use(waiting, 'console')).toMatchObject({ ok: false, code: 'link_not_usable' });
  expect(await signIn(id, 'console')).toMatchObject({ ok: false, code: 'passkey_refused' });
  expect(principalOfMember(session, member)).toEqual({
    ...{ kind: 'member', account_id: 1, role: 'everything', name: 'Ada', session_id: session.id },
  });
});

test('of two changes based on the same list of members, one is written', async () => {
  const { members } = await aShop();
  const read = await members.read();
  const add = (account_id: number) =>
    members.change(grantPermit(), read, {
      before: undefined,
      after: { account_id, role: 'support', name: 'Bo', added_at: NOW },
    });
  expect([await add(2), await add(3)]).toEqual([true, false]);
  expect((await members.read()).members.map(({ account_id }) => account_id)).toEqual([1, 2]);
});
