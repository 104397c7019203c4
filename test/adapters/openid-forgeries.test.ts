import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { exportJWK, SignJWT } from 'jose';
import { describe, expect, test } from 'vitest';
import { OpenidProvider } from '../../adapters/upstream/openid-provider.ts';
import { CALLBACK, CLIENT, listening } from '../support/openid-upstream.ts';

const keyPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const [ours, theirs] = [keyPair(), keyPair()];

type Token = { readonly claims: Record<string, unknown>; readonly key: KeyObject };
type Answer = { readonly status: number; readonly body: unknown };

/**
 * A provider that signs an altered ID token, and answers the token request as the test wants. By default its answers
 * are right.
 */
const aForger = async (change: (right: Token) => Partial<Token> = () => ({}), answer?: Answer) => {
  let nonce = '';
  const asked: string[] = [];
  const send = async (path: string): Promise<Answer> => {
    const endpoints = { authorization_endpoint: `${server.url}/auth`, token_endpoint: `${server.url}/token` };
    if (path === '/.well-known/openid-configuration') {
      const named = {
        issuer: server.url,
        jwks_uri: `${server.url}/jwks`,
        id_token_signing_alg_values_supported: ['ES256'],
      };
      return { status: 200, body: { ...endpoints, ...named, response_types_supported: ['code'] } };
    }
    if (path === '/jwks')
      return { status: 200, body: { keys: [{ ...(await exportJWK(ours.publicKey)), alg: 'ES256' }] } };
    if (answer) return answer;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: server.url, aud: CLIENT.id, sub: 's', email: 'a@example.com', email_verified: true, nonce };
    const right = { claims: { ...claims, iat: now, exp: now + 60 }, key: ours.privateKey };
    const token = { ...right, ...change(right) };
    const id_token = await new SignJWT(token.claims).setProtectedHeader({ alg: 'ES256' }).sign(token.key);
    return { status: 200, body: { access_token: 'a', token_type: 'bearer', id_token } };
  };
  const server = await listening(async (req, res) => {
    asked.push(`${req.url} ${req.headers.authorization ?? ''}`);
    const { status, body } = await send(req.url ?? '');
    res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  });
  const provider = new OpenidProvider({
    name: 'Shop',
    issuer: server.url,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
  });
  return {
    asked,
    signIn: async () => {
      const begun = await provider.begin(CALLBACK);
      if (!begun.ok) return begun;
      nonce = begun.value.checks.nonce;
      return provider.finish(`${CALLBACK}?code=c&state=${begun.value.checks.state}`, begun.value.checks);
    },
  };
};

describe('the ID token of a provider', () => {
  test('a valid ID token identifies the person, and the client sends its secret in the header', async () => {
    const { signIn, asked } = await aForger();
    expect(await signIn()).toMatchObject({
      ok: true,
      value: { subject: 's', email: 'a@example.com', email_verified: true, name: null },
    });
    expect(asked.filter((line) => line.startsWith('/token Basic '))).toHaveLength(1);
  });

  test('a verified address counts as such only if the provider says so, even as text', async () => {
    const verified = async (email_verified: unknown) => {
      const { signIn } = await aForger(({ claims }) => ({ claims: { ...claims, email_verified } }));
      const signedIn = await signIn();
      return signedIn.ok && signedIn.value.email_verified;
    };
    expect([await verified('true'), await verified('false'), await verified(1), await verified(null)]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  const past = Math.floor(Date.now() / 1000) - 3600;
  test.each<[string, (right: Token) => Partial<Token>]>([
    ['another signature', () => ({ key: theirs.privateKey })],
    ['another issuer', ({ claims }) => ({ claims: { ...claims, iss: 'https://evil.example.com' } })],
    ['another audience', ({ claims }) => ({ claims: { ...claims, aud: 'another client' } })],
    ['another nonce', ({ claims }) => ({ claims: { ...claims, nonce: 'x' } })],
    ['no nonce', ({ claims: { nonce: _, ...claims } }) => ({ claims })],
    ['no subject', ({ claims: { sub: _, ...claims } }) => ({ claims })],
    ['an expiry in the past', ({ claims }) => ({ claims: { ...claims, exp: past } })],
  ])('an ID token with %s is refused', async (_, change) => {
    const { signIn } = await aForger(change);
    expect(await signIn()).toMatchObject({ ok: false, code: 'upstream_refused' });
  });
});

describe('the token response of a provider', () => {
  test.each<[string, Answer, string]>([
    ['a refusal', { status: 400, body: { error: 'invalid_grant' } }, 'upstream_refused'],
    ['no ID token', { status: 200, body: { access_token: 'a', token_type: 'bearer' } }, 'upstream_refused'],
    ['a fault', { status: 500, body: {} }, 'upstream_unavailable'],
    ['a fault with an error code', { status: 503, body: { error: 'server_error' } }, 'upstream_unavailable'],
  ])('a token response with %s is an expected outcome', async (_, answer, code) => {
    const { signIn } = await aForger(undefined, answer);
    expect(await signIn()).toMatchObject({ ok: false, code });
  });
});
