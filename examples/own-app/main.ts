import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { loadStoreFile } from 'account-service';
import { grantPermit } from 'account-service/rules';
import { makeApp } from './app.ts';

const CUSTOMERS = [{ id: 7, studio: { from: '2025-01-01T00:00:00.000Z', until: null } }, { id: 8 }];

/** Runs the app over two customers, and prints a key of each. */
const server = createServer();
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { app, service } = await makeApp(url, CUSTOMERS, process.env['WEBHOOK_SECRET'] ?? 'secret');
  const loaded = await loadStoreFile(service, join(import.meta.dirname, 'store.json'), grantPermit());
  if (!loaded.ok) throw new Error(loaded.message, { cause: loaded.data });
  const keyOf = async (account_id: number): Promise<string | undefined> => {
    const abilities = ['products.read', 'device.install', 'device.entitlements'] as const;
    const created = await service.get('createApiKey')(grantPermit(), { account_id, name: 'Key', abilities });
    return created.ok ? created.value.value : created.message;
  };
  server.on('request', app);
  process.stdout.write(`${JSON.stringify({ url, studio: await keyOf(7), free: await keyOf(8) })}\n`);
});
