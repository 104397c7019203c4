import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { start, untilStopped } from 'account-service';
import { makeShop } from './shop.ts';
import { shopLogin } from './shop-login.ts';

/** Runs the shop, and the whole service beside it, where people sign in at the shop. */
const secret = randomBytes(32).toString('hex');
const server = createServer();
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', async () => {
  const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { STORE: 'memory', OBJECTS: 'memory', ...process.env };
  const starting = start(env, { overrides: { upstreamProvider: shopLogin(shop, secret) } });
  untilStopped(starting);
  const { account } = (await starting).urls;
  server.on('request', makeShop(`${account}/sign-in/callback`, secret));
  process.stdout.write(`${JSON.stringify({ shop, account })}\n`);
});
