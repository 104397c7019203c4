import { describe, expect, test } from 'vitest';
import { OpenidProvider } from '../../adapters/upstream/openid-provider.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { UpstreamChecks } from '../../domain/sign-in/upstream-sign-in.ts';
import { anAccount } from '../support/account-builders.ts';
import { freePort } from '../support/free-port.ts';
import { anOpenidUpstream, browse, CALLBACK, CLIENT, type Person } from '../support/openid-upstream.ts';
import { aSignInStore } from '../support/sign-in.ts';

const BUYER: Person = { sub: 'buyer', email: 'Buyer-1@example.com', email_verified: true, name: 'Buyer One' };

const providerAt = (issuer: string, clientSecret = CLIENT.secret) =>
  new OpenidProvider({ name: 'Shop', issuer, clientId: CLIENT.id, clientSecret });

/** A store whose customers sign in at a provider. */
const aShopWith = async (issuer: string, clientSecret?: string) => {
  const { store } = await aSignInStore(
    { accounts: [anAccount({ id: 1 })] },
    { upstreamProvider: providerAt(issuer, clientSecret) },
  );
  const begin = async (next = '/library') => {
    const begun = await store.get('beginUpstreamSignIn')!({ next });
    if (!begun.ok) throw new Error(JSON.stringify(begun));
    return begun.value;
  };
  const finish = (cookie: string, callback_url: string) =>
    store.get('finishUpstreamSignIn')!(grantPermit(), {
      cookie,
      callback_url,
      browser: 'Firefox',
      address: '192.0.2.1',
    });
  return {
    store,
    begin,
    finish,
    signIn: async (next?: string) => {
      const { url, cookie } = await begin(next);
      return finish(cookie, await browse(url));
    },
    accounts: async () => Array.fromAsync(store.get('accounts').list()),
  };
};

describe('a sign-in at an OpenID Connect provider', () => {
  test('a browser is sent to the provider with PKCE, state and nonce', async () => {
    const { issuer } = await anOpenidUpstream();
    const { begin } = await aShopWith(issuer);
    const [first, second] = [new URL((await begin()).url), new URL((await begin()).url)];
    expect(first.origin).toBe(issuer);
    expect(Object.fromEntries(first.searchParams)).toMatchObject({
      client_id: CLIENT.id,
      response_type: 'code',
      redirect_uri: CALLBACK,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first.searchParams.get(name)).toMatch(/^[\w-]{43}$/);
      expect(first.searchParams.get(name)).not.toBe(second.searchParams.get(name));
    }
  });

  test('a person with an account’s verified address is signed in to it and continues to the requested path', async () => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = BUYER;
    const { store, signIn, accounts } = await aShopWith(issuer);
    const opened = await signIn('/devices?product=5');
    expect(opened).toMatchObject({
      ok: true,
      value: { next: '/devices?product=5', session: { account_id: 1, method: 'upstream', browser: 'Firefox' } },
    });
    expect(await store.get('findSession')(opened.ok ? opened.value.value : '')).toBeDefined();
    expect(await accounts()).toHaveLength(1);
  });

  test('a linked person is identified by the subject, whatever happens to the address', async () => {
    const { issuer, person } = await anOpenidUpstream();
    const { signIn } = await aShopWith(issuer);
    person.is = BUYER;
    await signIn();
    person.is = { sub: BUYER.sub, email: 'elsewhere@example.com', email_verified: false };
    expect(await signIn()).toMatchObject({ ok: true, value: { session: { account_id: 1 } } });
  });

  test('a person with the address of a former customer gets nothing of theirs', async () => {
    const { issuer, person } = await anOpenidUpstream();
    const { signIn, accounts } = await aShopWith(issuer);
    person.is = BUYER;
    await signIn();
    person.is = { ...BUYER, sub: 'somebody else' };
    expect(await signIn()).toMatchObject({ ok: false, code: 'account_taken' });
    expect(await accounts()).toHaveLength(1);
  });

  test('a new person gets an account, and the same one next time', async () => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = { ...BUYER, sub: 'new', email: 'new@example.com' };
    const { signIn, accounts } = await aShopWith(issuer);
    const [first, second] = [await signIn(), await signIn()];
    expect((await accounts()).map(({ email, name }) => [email, name])).toEqual([
      ['buyer-1@example.com', 'Buyer'],
      ['new@example.com', 'Buyer One'],
    ]);
    expect(first.ok && second.ok && first.value.session.account_id === second.value.session.account_id).toBe(true);
  });

  test.each<[string, Person]>([
    ['an address that is not verified', { ...BUYER, email_verified: false }],
    ['an address of which nothing is said', { sub: 'buyer', email: 'buyer-1@example.com' }],
    ['no address', { sub: 'buyer' }],
  ])('a person with %s gets no account, old or new', async (_, is) => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = is;
    const { signIn, accounts } = await aShopWith(issuer);
    expect(await signIn()).toMatchObject({ ok: false, code: 'email_not_verified' });
    expect(await accounts()).toHaveLength(1);
  });

  test('a person who declines is refused, and the page may say so', async () => {
    const { issuer } = await anOpenidUpstream();
    const { signIn } = await aShopWith(issuer);
    expect(await signIn()).toMatchObject({
      ok: false,
      code: 'upstream_refused',
      data: { reason: 'access_denied', next: '/library' },
    });
  });
});

describe('the redirect back from an OpenID Connect provider', () => {
  test('the redirect back works once', async () => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = BUYER;
    const { begin, finish } = await aShopWith(issuer);
    const { url, cookie } = await begin();
    const callback = await browse(url);
    const finished = await Promise.all(Array.from({ length: 5 }, () => finish(cookie, callback)));
    expect(finished.filter(({ ok }) => ok)).toHaveLength(1);
    expect(finished.filter((one) => !one.ok && one.code === 'sign_in_expired')).toHaveLength(4);
  });

  test('another browser can’t finish a sign-in that it did not begin', async () => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = BUYER;
    const { store, begin, finish } = await aShopWith(issuer);
    const [attacker, victim] = [await begin(), await begin()];
    const callback = await browse(attacker.url);
    expect(await finish(victim.cookie, callback)).toMatchObject({ ok: false, code: 'upstream_refused' });
    for (const cookie of ['', 'x'.repeat(43), victim.cookie]) {
      expect(await finish(cookie, callback)).toMatchObject({ ok: false, code: 'sign_in_expired' });
    }
    expect(await store.get('sessions').of(1)).toEqual([]);
  });

  test('a sign-in that took longer than ten minutes has expired', async () => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = BUYER;
    const { store, begin, finish } = await aShopWith(issuer);
    const { url, cookie } = await begin();
    const callback = await browse(url);
    store.clock.at = new Date(Date.parse(store.clock.at) + 600_000).toISOString();
    expect(await finish(cookie, callback)).toMatchObject({ ok: false, code: 'sign_in_expired' });
  });

  test('the provider gets its registered redirect address, however the browser reached the host', async () => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = BUYER;
    const { begin, finish } = await aShopWith(issuer);
    const { url, cookie } = await begin();
    const { search } = new URL(await browse(url));
    expect(await finish(cookie, `http://10.0.0.1:8790/sign-in/callback${search}`)).toMatchObject({ ok: true });
  });

  test.each<[string, string]>([
    ['PKCE verifier', 'code_verifier'],
    ['nonce', 'nonce'],
    ['state', 'state'],
  ])('a redirect with another %s is refused, also when a sign-in has none', async (_, name) => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = BUYER;
    const provider = providerAt(issuer);
    const begun = await provider.begin(CALLBACK);
    if (!begun.ok) throw new Error(begun.code);
    const { url, checks } = begun.value;
    const finished = await provider.finish(await browse(url), { ...checks, [name]: 'x'.repeat(43) });
    expect(finished).toMatchObject({ ok: false, code: 'upstream_refused' });
    const { [name]: _left, ...others } = checks as UpstreamChecks;
    expect((await provider.finish(await browse(url), others)).ok).toBe(false);
  });

  test.each([
    '',
    'not a url',
    CALLBACK,
    `${CALLBACK}?code=&state=`,
    `${CALLBACK}?${'a=b&'.repeat(5000)}`,
  ])('a malformed redirect is refused', async (callback) => {
    const { issuer } = await anOpenidUpstream();
    const { begin, finish } = await aShopWith(issuer);
    expect(await finish((await begin()).cookie, callback)).toMatchObject({ ok: false, code: 'upstream_refused' });
  });
});

describe('an OpenID Connect provider with errors', () => {
  test('an unavailable provider is an expected outcome, and is asked again next time', async () => {
    const port = await freePort();
    const { store } = await aShopWith(`http://127.0.0.1:${port}`);
    const begin = store.get('beginUpstreamSignIn')!;
    expect(await begin({ next: '/' })).toMatchObject({ ok: false, code: 'upstream_unavailable' });
    await anOpenidUpstream(port);
    expect(await begin({ next: '/' })).toMatchObject({ ok: true });
  });

  test('a provider that fails before the redirect back is an expected outcome', async () => {
    const { issuer, person, close } = await anOpenidUpstream();
    person.is = BUYER;
    const { begin, finish } = await aShopWith(issuer);
    const { url, cookie } = await begin();
    const callback = await browse(url);
    await close();
    expect(await finish(cookie, callback)).toMatchObject({ ok: false, code: 'upstream_unavailable' });
  });

  test('a wrong client secret is refused, with the reason in the operator’s log', async () => {
    const { issuer, person } = await anOpenidUpstream();
    person.is = BUYER;
    const { signIn } = await aShopWith(issuer, 'a wrong secret of sixteen or more characters');
    const refused = await signIn();
    expect(refused).toMatchObject({ ok: false, code: 'upstream_refused', data: { reason: 'invalid_client' } });
    expect(JSON.stringify(refused)).not.toContain('a wrong secret');
  });
});
