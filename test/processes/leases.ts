import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { MINUTE_MS } from '../../domain/shared/instant.ts';
import { aProduct } from '../support/builders.ts';
import { type EngineEnvironment, openService, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

const [CLIENTS, SLOTS, PROCESSES] = [1000, 100, 3];

/** The lifetime of a lease here, shorter than a shop may set, and longer than a busy machine needs to ask all clients. */
const LEASE_MS = 35_000;
const TIMEOUT_MS = 240_000;

/** Requests that are open at a time. */
const AT_ONCE = 100;

type Held = { readonly client: number; readonly lease_id: string; readonly from: number; until: number };

/**
 * Registers the test that the sessions of a floating license are exact across three processes on one store. `open`
 * prepares the store and returns the variables that select it, none for SQLite.
 */
export const leasesOverProcesses = (open: () => EngineEnvironment | Promise<EngineEnvironment>): void => {
  const servers: ServerProcess[] = [];
  let prepared: Prepared;

  beforeAll(async () => {
    const env = (await open()) as Record<string, string>;
    prepared = await prepareDataDir(SLOTS, env);
    const { service, close } = await openService(prepared.dataDir, env);
    const terms = { slots: 'sessions', lease_minutes: LEASE_MS / MINUTE_MS } as const;
    const value = aProduct({ id: 1, device_limit: SLOTS, ...terms });
    await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
    await close();
    for (let n = 0; n < PROCESSES; n++) servers.push(await startServer(prepared.dataDir, env));
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => killServer(server, 'SIGKILL')));
    prepared.remove();
  });

  const ask = async (client: number, lease_id?: string) => {
    const response = await fetch(`${(servers[client % PROCESSES] as ServerProcess).url}/api/license/lease`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${prepared.key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ product_id: 1, device_id: `pc-${client}`, lease_id }),
    });
    const { lease, checked_at } = (await response.json()) as {
      lease?: { lease_id: string; expires_at: string };
      checked_at: string;
    };
    expect([200, 409]).toContain(response.status);
    return (
      lease && { client, lease_id: lease.lease_id, from: Date.parse(checked_at), until: Date.parse(lease.expires_at) }
    );
  };

  /** Runs a call for each client, a hundred at a time. */
  const each = async (clients: readonly number[], call: (client: number) => Promise<void>) => {
    const waiting = [...clients];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await call(next);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };

  test(
    'of 1,000 clients on 100 slots never more than 100 hold one, and slots of killed clients are taken again',
    async () => {
      const taken: Held[] = [];
      const takes = async (client: number) => {
        const held = await ask(client);
        if (held) taken.push(held);
      };
      const everybody = Array.from({ length: CLIENTS }, (_, n) => n);
      await each(everybody, takes);
      expect(taken).toHaveLength(SLOTS);
      // Half of the holders are killed: they neither renew nor give back.
      const alive = taken.filter((_, n) => n % 2 === 0);
      const renews = async (client: number) => {
        const mine = alive.find((held) => held.client === client) as Held;
        const renewed = await ask(client, mine.lease_id);
        expect(renewed?.lease_id).toBe(mine.lease_id);
        mine.until = renewed?.until ?? 0;
      };
      const holders = new Set(taken.map(({ client }) => client));
      const others = everybody.filter((client) => !holders.has(client));
      while (taken.length < SLOTS + SLOTS / 2) {
        await each(
          alive.map(({ client }) => client),
          renews,
        );
        await each(others.splice(0, AT_ONCE), takes);
        if (others.length === 0) others.push(...everybody.filter((client) => !holders.has(client)));
      }
      const most = Math.max(
        ...taken.map(({ from }) => taken.filter((one) => one.from <= from && one.until > from).length),
      );
      expect(most).toBe(SLOTS);
      const now = taken.filter(({ until }) => until > Math.max(...taken.map(({ from }) => from)));
      expect(now).toHaveLength(SLOTS);
    },
    TIMEOUT_MS,
  );
};
