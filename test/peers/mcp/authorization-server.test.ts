import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { aClient, anAuthorizationServer, approved, RESOURCE, type TestServer } from '../../oauth/support.ts';
import { freePort } from '../../support/free-port.ts';

const SUITE = 'test/peers/node_modules/@modelcontextprotocol/conformance/dist/index.js';

/** Runs the suite's authorization-server scenarios; a browser approves the request that the suite prints. */
const runSuite = async (server: TestServer, args: readonly string[]): Promise<string> => {
  const child = spawn(process.execPath, [SUITE, 'authorization', '--url', server.issuer, ...args]);
  let output = '';
  let isApproved = false;
  const read = (chunk: Buffer): void => {
    output += chunk;
    const [address] = output.match(/http:\/\/\S+\/oauth\/authorize\?\S+(?=\n)/) ?? [];
    if (address === undefined || isApproved) return;
    isApproved = true;
    void approved(server, address).then((callback) => fetch(callback));
  };
  child.stdout.on('data', read);
  child.stderr.on('data', read);
  await new Promise((done) => child.once('close', done));
  return output;
};

it('every authorization-server scenario of the official conformance suite passes', async () => {
  const server = await anAuthorizationServer({ isLocal: true });
  const port = await freePort();
  const client_id = await aClient(server, {
    redirect_uris: [`http://127.0.0.1:${port}/callback`],
  });
  const folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const options = ['--client-id', client_id, '--resource', RESOURCE, '--port', String(port), '--output-dir', folder];
  const output = await runSuite(server, options);
  const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('checks.json'));
  const checks = (
    await Promise.all(files.map(async (name) => JSON.parse(await readFile(join(folder, name), 'utf8'))))
  ).flat();
  expect(checks.map(({ id, status }) => `${id}: ${status}`).sort(), output).toEqual([
    'authorization-code-grant: SUCCESS',
    'authorization-server-metadata-cimd: SUCCESS',
    'authorization-server-metadata: SUCCESS',
  ]);
});
