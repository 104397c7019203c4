import { expect, it, vi } from 'vitest';
import type { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { newFile, open } from '../adapters/sqlite/folder.ts';
import { memoryEngines } from '../support/memory-engines.ts';
import {
  aBrowser,
  anAuthorizationServer,
  authorizeUrl,
  json,
  pkce,
  postJson,
  principalOf,
  REDIRECT,
  refresh,
  signedIn,
  type TestServer,
} from './support.ts';

/** Everything in the table as one text. */
const dumpOf = async (table: MemoryTable): Promise<string> => {
  const pages: unknown[] = [];
  let after: string | undefined;
  do {
    const page = await table.dump(0, after);
    pages.push(page.entries);
    after = page.next;
  } while (after !== undefined);
  return JSON.stringify(pages);
};

it('codes, tokens, interactions and registration tokens are stored as hashes', async () => {
  const engines = memoryEngines();
  const server = await anAuthorizationServer({ engines });
  const registered = json(await postJson(server, '/oauth/register', { redirect_uris: [REDIRECT] }));
  const browser = aBrowser(server);
  const waiting = await browser.open(
    authorizeUrl({ client_id: registered.client_id, code_challenge: pkce().challenge }),
  );
  const { client_id, code, tokens } = await signedIn(server);
  const refreshed = json(await refresh(server, client_id, tokens.refresh_token));
  const secrets = [
    registered.registration_access_token,
    waiting.headers.get('location')?.split('/').at(-1),
    code,
    tokens.access_token,
    tokens.refresh_token,
    refreshed.access_token,
    refreshed.refresh_token,
    ...[...browser.jar.values()].map(({ value }) => value),
  ];
  const dump = await dumpOf(engines.table);
  for (const secret of secrets) {
    expect(secret).toMatch(/^[\w-]{21,}$/);
    expect(dump).not.toContain(secret);
  }
});

it('every record of the authorization server expires', async () => {
  const engines = memoryEngines();
  const server = await anAuthorizationServer({ engines });
  const { client_id, tokens } = await signedIn(server);
  await refresh(server, client_id, tokens.refresh_token);
  const { entries } = await engines.table.dump(0);
  const ours = entries.filter(({ pk, sk }) => pk.startsWith('OAUTH') || sk.startsWith('APPS#'));
  expect(ours.length).toBeGreaterThan(8);
  for (const entry of ours) expect(entry, `${entry.pk} ${entry.sk}`).toHaveProperty('expires_at');
});

it('another instance can continue at each step of a sign-in, because the process holds no state', async () => {
  const engines = memoryEngines();
  const one = await anAuthorizationServer({ engines });
  const two = await anAuthorizationServer({ engines });
  let turn = 0;
  const both: TestServer = { ...one, send: (url, init) => (turn++ % 2 === 0 ? one : two).send(url, init) };
  const { client_id, tokens } = await signedIn(both);
  expect((await refresh(both, client_id, tokens.refresh_token)).status).toBe(200);
  expect((await refresh(both, client_id, tokens.refresh_token)).status).toBe(200);
});

it('two processes that share a file can serve simultaneous refreshes', async () => {
  const file = newFile();
  const one = await anAuthorizationServer({ engines: { ...memoryEngines(), table: open(file) } });
  const two = await anAuthorizationServer({ engines: { ...memoryEngines(), table: open(file) } });
  const { client_id, tokens } = await signedIn(one);
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, n) => refresh(n % 2 === 0 ? one : two, client_id, tokens.refresh_token)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
  for (const answer of answers) expect(await principalOf(two, json(answer).access_token)).toBeDefined();
});

it('the authorization server prints nothing', async () => {
  const printed = [vi.spyOn(console, 'warn'), vi.spyOn(console, 'info'), vi.spyOn(console, 'error')];
  const server = await anAuthorizationServer();
  const { client_id, tokens } = await signedIn(server);
  await refresh(server, client_id, tokens.refresh_token);
  await server.send(authorizeUrl({ client_id: 'unknown' }));
  for (const print of printed) expect(print).not.toHaveBeenCalled();
});
