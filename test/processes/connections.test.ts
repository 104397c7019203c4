import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { answerIn, RawConnection } from '../support/sockets.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

const folder = mkdtempSync(join(tmpdir(), 'account-service-'));
let server: ServerProcess | undefined;

afterEach(async () => {
  if (server) await killServer(server, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
});

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const statusOf = async (connection: RawConnection): Promise<number> => {
  await expect.poll(() => connection.got).toContain('\r\n\r\n');
  return answerIn(connection.got).status;
};

test('a server limits the connections of each IP address over all its ports, but not those of a proxy', async () => {
  server = await startServer(folder, { MAX_CONNECTIONS_PER_ADDRESS: '2', TRUSTED_PROXIES: '127.0.0.3' });
  const open = (url: string, from: string) => new RawConnection(url, from).send(HEALTH);
  const { url, design } = server;
  const statuses = [];
  // Each is opened before the next one, because two ports may accept connections in any order.
  for (const to of [url, design, url]) statuses.push(await statusOf(open(to, '127.0.0.1')));
  expect(statuses).toEqual([200, 200, 503]);
  expect(await statusOf(open(design, '127.0.0.2'))).toBe(200);
  for (let n = 0; n < 3; n++) expect(await statusOf(open(url, '127.0.0.3'))).toBe(200);
});
