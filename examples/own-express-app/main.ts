import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { grantPermit } from 'account-service/domain/access/grant-permit';
import { loadStoreFile } from 'account-service/load-store';
import { makeApp } from './app.ts';

/** Runs the app over two customers, and prints a key of each. */
const server = createServer();
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { app, service } = await makeApp(url, [
    { id: 7, studio: { from: '2025-01-01T00:00:00.000Z', until: null } },
    { id: 8 },
  ]);
  const loaded = await loadStoreFile(service, join(import.meta.dirname, 'store.json'), grantPermit());
  if (!loaded.ok) throw new Error(loaded.message, { cause: loaded.data });
  const keyOf = async (account_id: number): Promise<string> => {
    const abilities = ['products.read', 'device.install', 'device.entitlements'] as const;
    const created = await service
      .get('createApiKey')
      .execute(grantPermit(), { account_id, name: 'Example', abilities });
    if (!created.ok) throw new Error(created.message);
    return created.value.value;
  };
  server.on('request', app);
  process.stdout.write(`${JSON.stringify({ url, studio: await keyOf(7), free: await keyOf(8) })}\n`);
});
