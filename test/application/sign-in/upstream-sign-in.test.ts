import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import { ok, refuse } from '../../../domain/shared/outcome.ts';
import type { UpstreamProvider } from '../../../ports/outbound/upstream-provider.ts';
import type { Overrides } from '../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { ADDRESS, aSignInStore } from '../../support/sign-in.ts';

const CALLBACK = 'https://account.example.com/sign-in/callback';

/** A store whose provider knows the person in the callback's query, by subject and verified address. */
const aShop = async (overrides: Overrides = {}) => {
  const seen: { began: string[]; finished: (readonly [string, object])[] } = { began: [], finished: [] };
  const upstreamProvider: UpstreamProvider = {
    name: 'Shop',
    begin: async (callbackUrl) => {
      const checks = { turn: String(seen.began.push(callbackUrl)) };
      return ok({ url: 'https://login.example.com/', checks });
    },
    finish: async (callbackUrl, checks) => {
      seen.finished.push([callbackUrl, checks]);
      const { subject = '', email = '' } = Object.fromEntries(new URL(callbackUrl).searchParams);
      if (subject === '') return refuse('upstream_refused');
      return ok({ issuer: 'https://login.example.com', subject, email, email_verified: true, name: null });
    },
  };
  const { store } = await aSignInStore({ accounts: [anAccount({ id: 1 })] }, { ...overrides, upstreamProvider });
  const begin = async (next: string) => {
    const begun = await store.get('beginUpstreamSignIn')!({ next });
    if (!begun.ok) throw new Error(begun.code);
    return begun.value;
  };
  return {
    store,
    begin,
    seen,
    signIn: async (person: string, next = '/') => {
      const { cookie } = await begin(next);
      const [subject = '', email = ''] = person.split(' ');
      const callback_url = `http://10.0.0.1:8790/sign-in/callback/?${new URLSearchParams({ subject, email })}`;
      return store.get('finishUpstreamSignIn')!(grantPermit(), {
        cookie,
        callback_url,
        browser: 'Firefox',
        address: ADDRESS,
      });
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
  expect(await signIn('s Buyer-1@Example.COM')).toMatchObject({
    ok: true,
    value: { session: { account_id: 1, address: ADDRESS } },
  });
});

test.each([
  '\u212aim@example.com',
  'k\u0130m@example.com',
])('the verified address %j finds nobody’s account', async (email) => {
  const { store, signIn } = await aShop();
  await store.put({ accounts: [anAccount({ id: 3, email: 'kim@example.com' })] });
  expect(await signIn(`s ${email}`)).toMatchObject({ ok: false, code: 'email_not_verified' });
  expect(await signIn('s KIM@example.com')).toMatchObject({ value: { session: { account_id: 3 } } });
});

test('a sign-in continues only to a local path', async () => {
  const { signIn } = await aShop();
  expect(await signIn('s buyer-1@example.com', '/keys')).toMatchObject({ value: { next: '/keys' } });
  expect(await signIn('s buyer-1@example.com', '//evil.example.com')).toMatchObject({ value: { next: '/' } });
});

test('the provider gets the redirect address and the values of the same sign-in', async () => {
  const { seen, begin, signIn } = await aShop();
  await begin('/');
  await signIn('s buyer-1@example.com');
  expect(seen.began).toEqual([CALLBACK, CALLBACK]);
  expect(seen.finished).toEqual([[`${CALLBACK}?subject=s&email=buyer-1%40example.com`, { turn: '2' }]]);
});

test('a team’s own provider has a named button, beside passwords or alone', async () => {
  const { store } = await aShop();
  expect(store.get('signInMethods')).toEqual({ password: true, upstream: { name: 'Shop' } });
  const alone = await aShop({ signInSettings: { password: false, upstream: null, clientDocuments: true } });
  expect(alone.store.get('signInMethods')).toEqual({ password: false, upstream: { name: 'Shop' } });
});

test('a refusal by the provider opens no session and creates no account', async () => {
  const { store, begin, signIn } = await aShop();
  const before = await store.entries();
  expect(await signIn('')).toMatchObject({ ok: false, code: 'upstream_refused' });
  expect(await store.entries()).toEqual(before);
  const { cookie } = await begin('/');
  expect(JSON.stringify(await store.entries())).not.toContain(cookie);
});

test('a service without a provider offers no provider sign-in', async () => {
  const { store } = await aSignInStore();
  expect(store.get('beginUpstreamSignIn')).toBeNull();
  expect(store.get('finishUpstreamSignIn')).toBeNull();
  expect(store.get('signInMethods')).toEqual({ password: true, upstream: null });
});

test('a finished sign-in, or one that another browser began, opens no session', async () => {
  const { store, begin } = await aShop();
  const { cookie } = await begin('/');
  const finish = (value: string) =>
    store.get('finishUpstreamSignIn')!(grantPermit(), {
      cookie: value,
      callback_url: `${CALLBACK}?subject=s&email=new%40example.com`,
      browser: 'Firefox',
      address: ADDRESS,
    });
  const ended = { code: 'sign_in_expired', message: 'This sign-in has expired; start again.' };
  for (const value of ['', 'x', `${cookie.slice(1)}A`]) expect(await finish(value)).toMatchObject(ended);
  store.clock.at = toInstant(millis(NOW) + 600_000);
  expect(await finish(cookie)).toMatchObject(ended);
});

test('a provider that can’t be reached begins no sign-in', async () => {
  const upstreamProvider: UpstreamProvider = {
    name: 'Shop',
    begin: async () => refuse('upstream_unavailable'),
    finish: async () => refuse('upstream_unavailable'),
  };
  const { store } = await aSignInStore({}, { upstreamProvider });
  expect(await store.get('beginUpstreamSignIn')!({ next: '/' })).toMatchObject({
    ok: false,
    code: 'upstream_unavailable',
  });
});

test('a sign-in during the end of all sign-in methods opens no session', async () => {
  const { store, signIn } = await aShop();
  const sessions = store.get('sessions');
  const of = sessions.of.bind(sessions);
  sessions.of = async (id) => {
    sessions.of = of;
    const read = await store.get('accounts').get(id);
    const ended = { from: NOW, at: NOW };
    if (read) await store.get('accounts').revise(grantPermit(), read, { ...read, ways_in_ended: ended }, []);
    return of(id);
  };
  expect(await signIn('s buyer-1@example.com')).toMatchObject({ code: 'sign_in_expired' });
  expect(await sessions.of(1)).toEqual([]);
});
