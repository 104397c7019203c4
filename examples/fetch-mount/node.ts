import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { nodeListener } from 'account-service/mounts';
import { openApi } from './api.ts';

/** Serves the host's paths on a plain server of Node, which has the address of a client in its socket. */
const server = createServer();
server.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { host, key } = await openApi(url);
  const answer = nodeListener(host);
  server.on('request', (req, res) => {
    if (req.url === '/') res.end('The team’s own site.');
    else answer(req, res);
  });
  process.stdout.write(`${JSON.stringify({ url, key })}\n`);
});
