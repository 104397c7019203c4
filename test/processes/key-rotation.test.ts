import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cli } from '../support/cli.ts';
import { checkDevice, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

/** The number of devices whose licenses are checked in parallel, each check after the previous one is answered. */
const AT_ONCE = 4;

let prepared: Prepared;
let server: ServerProcess;

beforeAll(async () => {
  prepared = await prepareDataDir(null);
  server = await startServer(prepared.dataDir);
});
afterAll(async () => {
  await killServer(server, 'SIGTERM');
  prepared.remove();
});

const signingKey = async (...args: string[]) => {
  const ran = await cli(['signing-key', ...args, '--use', 'license', '--json'], { DATA_DIR: prepared.dataDir });
  if (ran.code !== 0) throw new Error(ran.stderr);
  return ran.json();
};
const listed = async () => (await (await fetch(`${server.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet;
const kids = async () => (await listed()).keys.map(({ kid }) => kid);
const verifies = (token: string, set: JSONWebKeySet) =>
  jwtVerify(token, createLocalJWKSet(set), { typ: 'license+jws' });
const kidOf = (token: string) => decodeProtectedHeader(token).kid;

const checked = async (device: string): Promise<string> => {
  const reply = await checkDevice(server.url, prepared.key, device);
  expect(reply.status).toBe(200);
  const { token } = (await reply.json()) as { token: string };
  return token;
};

/** A new device each time, so that every token is signed anew. */
let devices = 0;
const someDevice = () => `device-${devices++}`;

/**
 * Checks licenses until the work is done, and returns every token. Each token must verify with the keys listed at that
 * time.
 */
const underLoad = async (work: () => Promise<void>): Promise<string[]> => {
  const tokens: string[] = [];
  let working = true;
  const load = async () => {
    while (working) {
      const token = await checked(someDevice());
      await verifies(token, await listed());
      tokens.push(token);
    }
  };
  const loads = Promise.all(Array.from({ length: AT_ONCE }, load));
  await work().finally(() => {
    working = false;
  });
  await loads;
  return tokens;
};

describe('the license key of a running server', () => {
  test('a rotation under load fails no check, and the listed keys verify every token', async () => {
    const [{ kid: first }] = await signingKey('list');
    const before = await checked('before');
    const seen: JSONWebKeySet[] = [];
    const tokens = await underLoad(async () => {
      const { kid: next } = await signingKey('create');
      await vi.waitFor(async () => expect(await kids()).toContain(next), { timeout: 20_000, interval: 100 });
      seen.push(await listed());
      await signingKey('activate', '--now');
      await vi.waitFor(async () => expect(kidOf(await checked('after'))).toBe(next), {
        timeout: 20_000,
        interval: 100,
      });
    });
    const signers = [...new Set(tokens.map(kidOf))];
    const [, second] = await signingKey('list');
    expect(signers).toEqual([first, second.kid]);
    // A client that fetched the keys before the next one signed can verify the tokens of both.
    for (const token of [before, ...tokens]) await verifies(token, seen[0] as JSONWebKeySet);
    expect(await kids()).toEqual([first, second.kid]);
  });

  test('a token of a stolen key is invalid once the key is revoked, and the next key signs', async () => {
    const stolen = await checked('stolen');
    const { kid: next } = await signingKey('create');
    const refused = await cli(['signing-key', 'revoke', '--use', 'license', '--', String(kidOf(stolen))], {
      DATA_DIR: prepared.dataDir,
    });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('add --yes to continue.')]);
    await verifies(stolen, await listed());

    await cli(['signing-key', 'revoke', '--use', 'license', '--yes', '--', String(kidOf(stolen))], {
      DATA_DIR: prepared.dataDir,
    });
    await vi.waitFor(async () => expect(kidOf(await checked('anew'))).toBe(next), { timeout: 20_000, interval: 100 });
    const set = await listed();
    await expect(verifies(stolen, set)).rejects.toThrow(/no applicable key/);
    await verifies(await checked('anew'), set);
  });

  test('a restarted server signs with the current key', async () => {
    const before = kidOf(await checked('mine'));
    await killServer(server, 'SIGTERM');
    server = await startServer(prepared.dataDir);
    expect(kidOf(await checked('mine'))).toBe(before);
  });
});
