import { expect, it } from 'vitest';
import { aClient, anAuthorizationServer, json, principalOf, RESOURCE, refresh, signedIn } from './support.ts';

it('a client registers, asks the account owner, and gets tokens that name the account and the permissions', async () => {
  const server = await anAuthorizationServer();
  const { client_id, tokens } = await signedIn(server);
  expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'products.read mcp.read' });
  expect(await principalOf(server, tokens.access_token)).toMatchObject({
    account_id: 1,
    client_id,
    permissions: ['products.read', 'mcp.read'],
    resource: RESOURCE,
  });
  const refreshed = await refresh(server, client_id, tokens.refresh_token);
  expect(refreshed.status, refreshed.text).toBe(200);
  expect(json(refreshed).refresh_token).not.toBe(tokens.refresh_token);
  expect(server.faults).toEqual([]);
});
