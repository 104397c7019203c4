import { expect, test } from 'vitest';
import { authenticateToken } from '../../../application/sign-in/authenticate-token.ts';
import type { SignInToken } from '../../../domain/sign-in/oauth-grant.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { aSignInStore } from '../../support/sign-in.ts';

const RESOURCE = 'https://api.example.com/api/mcp';
const UNTIL = '2026-11-21T09:00:00.000Z';
const VALUE = 'a'.repeat(43);

/** Authenticates a token that lives until UNTIL. */
const aDoor = async (suspended_at?: string) => {
  const account = anAccount({ id: 1, requests_per_minute: 400, ...(suspended_at && { suspended_at }) });
  const { store } = await aSignInStore({ accounts: [account] });
  const token: SignInToken = {
    account_id: 1,
    client_id: 'client',
    permissions: ['mcp.read'],
    resource: RESOURCE,
    expires_at: UNTIL,
  };
  const parts = { accounts: store.get('accounts'), digest: store.get('digest'), clock: store.clock };
  const authenticate = authenticateToken({ ...parts, signInTokens: { find: async () => token } });
  return { store, authenticate };
};

test('an access token has its account’s approved permissions for its own resource until it expires', async () => {
  const { store, authenticate } = await aDoor();
  expect(await authenticate(VALUE, RESOURCE)).toMatchObject({
    ok: true,
    value: {
      account_id: 1,
      abilities: ['mcp.read'],
      product_id: null,
      requests_per_minute: 400,
      credential: { client_id: 'client' },
    },
  });
  const refused = { ok: false, code: 'invalid_api_key' };
  expect(await authenticate(VALUE, 'https://api.example.com/other')).toMatchObject(refused);
  expect(await authenticate('a'.repeat(129), RESOURCE)).toMatchObject(refused);
  store.clock.at = UNTIL;
  expect(await authenticate(VALUE, RESOURCE)).toMatchObject(refused);
  expect(await (await aDoor(NOW)).authenticate(VALUE, RESOURCE)).toMatchObject(refused);
});
