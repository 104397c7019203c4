import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { refuse } from '../../domain/shared/outcome.ts';
import type { Licenses } from '../../ports/outbound/licensing.ts';
import type { UpstreamProvider } from '../../ports/outbound/upstream-provider.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import type { StartOptions } from '../../runtimes/express/start.ts';
import { type Running, start } from '../../runtimes/express/start.ts';
import { FREE_PORTS } from '../support/free-ports.ts';
import { done } from '../support/outcomes.ts';

const ENVIRONMENT = {
  STORE: 'memory',
  OBJECTS: 'memory',
  ...FREE_PORTS,
};

/** Omits the sample store, which takes a second to load. */
const EMPTY = { SAMPLE_STORE: 'never' };

describe('a server in a team’s program', () => {
  let running: Running | undefined;
  afterEach(() => running?.stop());

  const open = async (options: StartOptions, env: Readonly<Record<string, string>> = {}) => {
    const [lines, printed]: [Record<string, unknown>[], string[]] = [[], []];
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    running = await start({ ...ENVIRONMENT, ...env }, { logger, print: (text) => printed.push(text), ...options });
    return { lines, printed, ...running };
  };
  const keyOf = async (service: Service): Promise<string> => {
    const input = { account_id: 1, name: 'test', abilities: ['products.read'] } as const;
    return done(await service.get('createApiKey')(grantPermit(), input)).value;
  };

  test('the log goes to the program’s logger, and the addresses to its printer', async () => {
    const { lines, printed, urls } = await open({}, EMPTY);
    expect((await fetch(`${urls.api}/api/library`)).status).toBe(401);
    expect(printed.join('')).toContain(urls.api);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'request', path: '/api/library', status: 401 }));
  });

  test('the team’s licenses decide in calls and in the whole service', async () => {
    const licenses: Licenses = { held: async () => ({ entitlements: [], subscriptions: [] }) };
    const { urls, service } = await open({ overrides: { licenses } });
    expect(service.get('licenses')).toBe(licenses);
    const headers = { Authorization: `Bearer ${await keyOf(service)}` };
    const library = await (await fetch(`${urls.api}/api/library`, { headers })).json();
    expect(library).toMatchObject({ items: [] });
  });

  test('passwords can be turned off only if the program has its own provider', async () => {
    const off = { PASSWORD_SIGN_IN: 'off', ...EMPTY };
    await expect(open({}, off)).rejects.toThrow('PASSWORD_SIGN_IN takes on unless UPSTREAM_ISSUER is set');
    const unavailable = async () => refuse('upstream_unavailable');
    const upstreamProvider: UpstreamProvider = { name: 'Team', begin: unavailable, finish: unavailable };
    const { urls } = await open({ overrides: { upstreamProvider } }, off);
    const page = await (await fetch(`${urls.account}/sign-in`)).text();
    expect(page).toContain('Sign in with Team');
    expect(page).not.toContain('type="password"');
  });

  test('an override of an unknown part stops the start', async () => {
    const misspelt = { licence: { held: async () => ({ entitlements: [], subscriptions: [] }) } };
    await expect(open({ overrides: misspelt as StartOptions['overrides'] })).rejects.toThrow(
      'No part is named "licence"',
    );
  });

  test('the demo account owns products if no licenses are supplied', async () => {
    const { urls, service } = await open({});
    const headers = { Authorization: `Bearer ${await keyOf(service)}` };
    const { items } = (await (await fetch(`${urls.api}/api/library`, { headers })).json()) as { items: unknown[] };
    expect(items.length).toBeGreaterThan(0);
  });
});
