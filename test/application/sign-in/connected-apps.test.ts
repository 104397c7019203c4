import { expect, test } from 'vitest';
import { disconnectApp, endUnusedApps, listConnectedApps } from '../../../application/sign-in/connected-apps.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { addDays } from '../../../domain/shared/instant.ts';
import { type ConnectedApp, MOST_APPS } from '../../../domain/sign-in/oauth-grant.ts';
import type { ConnectedApps } from '../../../ports/outbound/sign-in.ts';
import { NOW } from '../../support/builders.ts';

const anApp = (account_id: number, grant_id: string): ConnectedApp => ({
  grant_id,
  account_id,
  client_id: 'client',
  client_name: 'Client',
  redirect_host: 'localhost',
  permissions: ['mcp.read'],
  created_at: NOW,
  last_used_at: NOW,
});

test('an owner sees each connected app once, disconnects one with all its grants, and can’t end others’', async () => {
  let apps = [
    { ...anApp(1, 'a'), last_used_at: addDays(NOW, 1) },
    { ...anApp(1, 'b'), client_id: 'other' },
    { ...anApp(1, 'd'), permissions: ['orders.read' as const], last_used_at: addDays(NOW, 2) },
    anApp(2, 'c'),
  ];
  const connectedApps: ConnectedApps = {
    of: async (account_id) => apps.filter((app) => app.account_id === account_id),
    disconnect: async (_permit, account_id, grantId) => {
      const left = apps.filter((app) => app.account_id !== account_id || app.grant_id !== grantId);
      const found = left.length < apps.length;
      apps = left;
      return found;
    },
  };
  const list = listConnectedApps({ connectedApps });
  const disconnect = disconnectApp({ connectedApps });
  expect(await list(1)).toMatchObject([
    { grant_id: 'a', permissions: ['mcp.read', 'orders.read'], last_used_at: addDays(NOW, 2) },
    { grant_id: 'b' },
  ]);
  expect(await disconnect(grantPermit(), 1, 'c')).toMatchObject({ ok: false, code: 'app_not_found' });
  expect(await disconnect(grantPermit(), 1, 'a')).toEqual({ ok: true, value: null });
  expect((await list(1)).map(({ grant_id }) => grant_id)).toEqual(['b']);
  expect(await list(2)).toHaveLength(1);
});

test('applications above the limit are disconnected, the longest unused first', async () => {
  const ended: string[] = [];
  const apps = Array.from({ length: MOST_APPS + 2 }, (_, n) => ({
    ...anApp(1, String(n)),
    last_used_at: addDays(NOW, n),
  }));
  const connectedApps: ConnectedApps = {
    of: async () => apps,
    disconnect: async (_permit, _accountId, grantId) => {
      ended.push(grantId);
      return true;
    },
  };
  await endUnusedApps({ connectedApps })(grantPermit(), 1);
  expect(ended).toEqual(['0', '1']);
});
