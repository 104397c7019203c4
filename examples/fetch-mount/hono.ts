import { serve } from '@hono/node-server';
import { getConnInfo } from '@hono/node-server/conninfo';
import { fetchHandler } from 'account-service/mounts';
import { type Context, Hono } from 'hono';
import { openApi } from './api.ts';

/** Serves the host's paths in an app of Hono, which has the address of a client in its context. */
const app = new Hono();
app.get('/', (c) => c.text('The team’s own site.'));

const listening = { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env['PORT'] ?? 3000) };
serve(listening, async ({ port }) => {
  const url = `http://127.0.0.1:${port}`;
  const { host, key } = await openApi(url);
  const answer = fetchHandler(host, (_request, c: Context) => getConnInfo(c).remote.address ?? '');
  app.use((c, next) => (host.serves(c.req.path) ? answer(c.req.raw, c) : next()));
  process.stdout.write(`${JSON.stringify({ url, key })}\n`);
});
