import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { LINKS_PER_ADDRESS } from '../../../domain/sign-in/attempts.ts';
import type { PasskeyVerifier } from '../../../ports/outbound/passkeys.ts';
import { NOW } from '../../support/builders.ts';
import { ADDRESS, aSignInStore } from '../../support/sign-in.ts';

const site = { id: 'shop.example', origin: 'https://shop.example' };
const REFUSED = { ok: false, code: 'passkey_refused' };

type Answer = { readonly id: string; readonly challenge: string; readonly counter: number };

/** Accepts an answer that repeats the challenge as a signature, with the counter in it. */
const trusting: PasskeyVerifier = {
  named: (json) => (JSON.parse(json) as Answer).id,
  made: async ({ json, challenge }) => {
    const { id, challenge: answered, counter } = JSON.parse(json) as Answer;
    return answered === challenge ? { id, public_key: `key of ${id}`, counter, transports: [] } : null;
  },
  signed: async ({ json, challenge }) => {
    const { challenge: answered, counter } = JSON.parse(json) as Answer;
    return answered === challenge ? { counter } : null;
  },
};

/** A store in which account 1 has the passkey `laptop`, whose counter is 5. */
const aPasskeyStore = async () => {
  const { store, sessionOf } = await aSignInStore({}, { passkeyVerifier: trusting });
  const begin = (secret: string) => store.get('beginPasskey')({ secret });
  const add = async (
    id: string,
    { account_id = 1, secret = 'owner', counter = 5, challenge = '', ended = false } = {},
  ) => {
    const json = JSON.stringify({ id, challenge: challenge || (await begin(secret)), counter });
    const { session } = await sessionOf(account_id);
    if (ended) await store.get('endSession')(session);
    const added = await store.get('addPasskey')(grantPermit(), { session, name: id, json, site, secret });
    await store.get('endSession')(session);
    return added;
  };
  const signIn = async (counter: number, { id = 'laptop', secret = 'browser', challenge = '' } = {}) => {
    const json = JSON.stringify({ id, challenge: challenge || (await begin(secret)), counter });
    const sender = { browser: 'Firefox', address: ADDRESS };
    return store.get('signInWithPasskey')({ json, site, secret, ...sender });
  };
  expect(await add('laptop')).toMatchObject({ ok: true });
  return { store, begin, add, signIn };
};

describe('a passkey', () => {
  test('a passkey signs in while its counter grows, and a copy with an old counter is refused', async () => {
    const { store, signIn } = await aPasskeyStore();
    store.clock.at = addDays(NOW, 1);
    expect(await signIn(7)).toMatchObject({ ok: true, value: { session: { account_id: 1, method: 'passkey' } } });
    for (const counter of [7, 6, 0]) expect(await signIn(counter)).toMatchObject(REFUSED);
    expect(await store.get('listPasskeys')(1)).toMatchObject([{ counter: 7, last_used_at: addDays(NOW, 1) }]);
    expect(await store.get('listSessions')(1)).toHaveLength(1);
  });

  test('a passkey answers a challenge once, for the requesting browser, within five minutes', async () => {
    const { store, begin, signIn } = await aPasskeyStore();
    const challenge = await begin('browser');
    expect(await signIn(6, { challenge, secret: 'another browser' })).toMatchObject(REFUSED);
    expect(await signIn(6, { challenge })).toMatchObject({ ok: true });
    expect(await signIn(7, { challenge })).toMatchObject(REFUSED);
    const late = await begin('browser');
    store.clock.at = '2026-11-21T08:05:00.000Z';
    expect(await signIn(8, { challenge: late })).toMatchObject(REFUSED);
  });

  test('a passkey is added for a challenge of its owner’s browser, and its id belongs to one account', async () => {
    const { store, add } = await aPasskeyStore();
    expect(await add('phone', { challenge: 'of nobody' })).toMatchObject(REFUSED);
    expect(await add('laptop', { account_id: 2 })).toMatchObject(REFUSED);
    expect(await add('phone', { ended: true })).toMatchObject(REFUSED);
    expect(await store.get('listPasskeys')(1)).toHaveLength(1);
    expect(await store.get('listPasskeys')(2)).toEqual([]);
  });

  test('passkeys are listed newest first, and only their own account can remove them', async () => {
    const { store, add, signIn } = await aPasskeyStore();
    store.clock.at = addDays(NOW, 1);
    await add('phone');
    const ids = async () => (await store.get('listPasskeys')(1)).map(({ id }) => id);
    expect(await ids()).toEqual(['phone', 'laptop']);
    expect(await store.get('removePasskey')(grantPermit(), 2, 'laptop')).toBe(false);
    expect(await store.get('removePasskey')(grantPermit(), 1, 'laptop')).toBe(true);
    expect(await ids()).toEqual(['phone']);
    expect(await signIn(9)).toMatchObject(REFUSED);
  });

  test('failed passkeys are limited for each IP address, and successful ones do not count', async () => {
    const { signIn } = await aPasskeyStore();
    for (let n = 0; n <= LINKS_PER_ADDRESS; n++) expect(await signIn(6 + n)).toMatchObject({ ok: true });
    for (let n = 0; n < LINKS_PER_ADDRESS; n++) expect(await signIn(0)).toMatchObject(REFUSED);
    expect(await signIn(99)).toMatchObject({ ok: false, code: 'too_many_attempts' });
  });
});
