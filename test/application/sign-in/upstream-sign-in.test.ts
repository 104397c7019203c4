import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { ok, refuse } from '../../../domain/shared/outcome.ts';
import type { UpstreamProvider } from '../../../ports/outbound/upstream-provider.ts';
import { anAccount } from '../../support/account-builders.ts';
import { aSignInStore } from '../../support/sign-in.ts';

const checks = { state: 's', nonce: 'n', code_verifier: 'v' };

/** A store whose provider knows the person in the callback's query, by subject, verified or not. */
const aShop = async () => {
  const upstreamProvider: UpstreamProvider = {
    begin: async () => ok({ url: 'https://login.example.com/', checks }),
    finish: async (callbackUrl) => {
      const [subject = '', email = ''] = callbackUrl.split(' ');
      if (subject === '') return refuse('upstream_refused');
      return ok({ issuer: 'https://login.example.com', subject, email, email_verified: true, name: null });
    },
  };
  const { store } = await aSignInStore({ accounts: [anAccount({ id: 1 })] }, { upstreamProvider });
  const begin = async (next: string) => {
    const begun = await store.get('beginUpstreamSignIn')!.execute({ next });
    if (!begun.ok) throw new Error(begun.code);
    return begun.value;
  };
  return {
    store,
    begin,
    signIn: async (callback_url: string, next = '/') => {
      const { cookie } = await begin(next);
      return store.get('finishUpstreamSignIn')!.execute(grantPermit(), { cookie, callback_url, browser: 'Firefox' });
    },
  };
};

test('a person who signs in with ten browsers at once gets one account', async () => {
  const { store, signIn } = await aShop();
  const signedIn = await Promise.all(Array.from({ length: 10 }, () => signIn('new new@example.com')));
  expect(signedIn.every(({ ok }) => ok)).toBe(true);
  expect(new Set(signedIn.map((one) => one.ok && one.value.session.account_id)).size).toBe(1);
  expect(await Array.fromAsync(store.get('accounts').list())).toHaveLength(2);
});

test('the address of an account is found in any case', async () => {
  const { signIn } = await aShop();
  expect(await signIn('s Buyer-1@Example.COM')).toMatchObject({ ok: true, value: { session: { account_id: 1 } } });
});

test.each([
  '\u212aim@example.com',
  'k\u0130m@example.com',
])('the verified address %j leads to nobody’s account', async (email) => {
  const { store, signIn } = await aShop();
  await store.put({ accounts: [anAccount({ id: 3, email: 'kim@example.com' })] });
  expect(await signIn(`s ${email}`)).toMatchObject({ ok: false, code: 'email_not_verified' });
  expect(await signIn('s KIM@example.com')).toMatchObject({ value: { session: { account_id: 3 } } });
});

test('a sign-in goes on to an own path alone', async () => {
  const { signIn } = await aShop();
  expect(await signIn('s buyer-1@example.com', '/keys')).toMatchObject({ value: { next: '/keys' } });
  expect(await signIn('s buyer-1@example.com', '//evil.example.com')).toMatchObject({ value: { next: '/' } });
});

test('a refusal of the provider opens no session and makes no account', async () => {
  const { store, begin, signIn } = await aShop();
  const before = await store.entries();
  expect(await signIn('')).toMatchObject({ ok: false, code: 'upstream_refused' });
  expect(await store.entries()).toEqual(before);
  const { cookie } = await begin('/');
  expect(JSON.stringify(await store.entries())).not.toContain(cookie);
});

test('a service without a provider has no sign-in at one', async () => {
  const { store } = await aSignInStore();
  expect(store.get('beginUpstreamSignIn')).toBeNull();
  expect(store.get('finishUpstreamSignIn')).toBeNull();
  expect(store.get('signInMethods')).toEqual({ password: true, upstream: null });
});
