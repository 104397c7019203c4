import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { grantPermit } from 'account-service/runtimes';
import { makeApp } from './app.ts';

/** Runs the app and prints a key of customer 7, who has the studio plan. */
const server = createServer();
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { app, service } = await makeApp(url, [
    { id: 7, plan: 'studio', paidUntil: null },
    { id: 8, plan: 'free', paidUntil: null },
  ]);
  for (const [id, email] of [
    [7, 'seven@example.com'],
    [8, 'eight@example.com'],
  ] as const) {
    await service
      .get('accounts')
      .save(grantPermit(), { id, email, name: null, created_at: '2025-01-01T00:00:00.000Z', password_hash: null });
  }
  const keyOf = async (account_id: number): Promise<string> => {
    const abilities = ['products.read', 'device.entitlements'] as const;
    const created = await service
      .get('createApiKey')
      .execute(grantPermit(), { account_id, name: 'Example', abilities });
    if (!created.ok) throw new Error(created.message);
    return created.value.value;
  };
  server.on('request', app);
  process.stdout.write(`${JSON.stringify({ url, studio: await keyOf(7), free: await keyOf(8) })}\n`);
});
