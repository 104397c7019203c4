import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { expect, it, onTestFinished } from 'vitest';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { loggedPath } from '../../adapters/oauth/paths.ts';
import { accountApp } from '../../runtimes/composition/account-app.ts';
import { SETTINGS } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';

it.each([
  ['/interaction/Vw3-x_9', '/interaction/…'],
  ['/interaction/Vw3-x_9/', '/interaction/…'],
  ['//interaction//Vw3-x_9', '//interaction//…'],
  ['/Interaction/Vw3-x_9/more', '/Interaction/…'],
  ['/oauth/authorize/Vw3-x_9', '/oauth/authorize/…'],
  ['/oauth/register/Vw3-x_9', '/oauth/register/…'],
  ['/oauth/authorize', '/oauth/authorize'],
  ['/interaction/', '/interaction/'],
  ['/interactions/x', '/interactions/x'],
  ['/keys', '/keys'],
])('the path %s is logged as %s', (path, logged) => {
  expect(loggedPath(path)).toBe(logged);
});

it('the account host’s log contains no id of an interaction or a client', async () => {
  const paths: string[] = [];
  const app = accountApp({
    service: memoryService(),
    urls: SETTINGS.urls,
    addressOf: () => '203.0.113.9',
    spool: new SpoolFolder(tmpdir()),
    options: { log: ({ path }) => paths.push(path), fault: () => {}, health: async () => {} },
  });
  const server = createServer(app);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => new Promise<void>((done) => void server.close(() => done())));
  const { port } = server.address() as AddressInfo;
  for (const path of ['interaction', 'oauth/authorize', 'oauth/register']) {
    await (await fetch(`http://127.0.0.1:${port}/${path}/Vw3-x_9?next=1`, { redirect: 'manual' })).text();
  }
  await expect.poll(() => paths.length).toBe(3);
  expect(paths).toEqual(['/interaction/…', '/oauth/authorize/…', '/oauth/register/…']);
});
