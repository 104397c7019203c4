import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EngineEnvironment, openService, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, type ServerProcess, startServer } from './server.ts';

const COPIES = 50;
/** Together with the ticket of the copies, fewer than an account may open in a day. */
const DIFFERENT = 40;
const PROCESSES = 2;
const ATTEMPTS = 10;

type Reply = { readonly status: number; readonly ticket: number; readonly reports: number };

const tell = async (url: string, key: string, detail: string, attempt = 1): Promise<Reply> => {
  const response = await fetch(`${url}/api/support/reports`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'app_report', summary: 'It stops', detail, app_bundle_id: 'com.example.timer' }),
  });
  const { ticket } = (await response.json()) as { ticket?: { id: number; reports: number } };
  if (ticket) return { status: response.status, ticket: ticket.id, reports: ticket.reports };
  // Repeats a report that got 503, because DynamoDB Local may be too slow on a busy machine.
  if (response.status !== 503 || attempt === ATTEMPTS) throw new Error(`The report was answered ${response.status}.`);
  await sleep(Math.random() * 1000);
  return tell(url, key, detail, attempt + 1);
};

/**
 * Registers the test that copies of a report create one ticket across two processes on one store. `open` prepares the
 * store and returns the variables that select it, none for SQLite.
 */
export const reportsOverProcesses = (open: () => EngineEnvironment | Promise<EngineEnvironment>): void => {
  const servers: ServerProcess[] = [];
  let env: Record<string, string>;
  let prepared: Prepared;

  beforeAll(async () => {
    env = (await open()) as Record<string, string>;
    prepared = await prepareDataDir(null, env);
    await Promise.all(
      Array.from({ length: PROCESSES }, async () => servers.push(await startServer(prepared.dataDir, env))),
    );
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => killServer(server, 'SIGTERM')));
    prepared.remove();
  });

  const tellAll = (length: number, detail: (n: number) => string): Promise<Reply[]> =>
    Promise.all(
      Array.from({ length }, (_, n) => tell((servers[n % PROCESSES] as ServerProcess).url, prepared.key, detail(n))),
    );
  const tickets = async (): Promise<number[]> => {
    const { service, close } = await openService(prepared.dataDir, env);
    const kept = await Array.fromAsync(service.get('tickets').list());
    await close();
    return kept.map(({ id }) => id).sort();
  };

  test('50 concurrent copies of a report make one ticket over two processes, and 40 different ones make 40', async () => {
    const same = await tellAll(COPIES, () => 'The same.');
    expect(same.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(same.filter(({ status }) => status === 200)).toHaveLength(COPIES - 1);
    expect(new Set(same.map(({ reports }) => reports)).size).toBe(COPIES);
    expect(await tickets()).toEqual([...new Set(same.map(({ ticket }) => ticket))]);

    const different = await tellAll(DIFFERENT, (n) => `Number ${n}.`);
    expect(different.every(({ status }) => status === 201)).toBe(true);
    expect(await tickets()).toEqual([...new Set([...same, ...different].map(({ ticket }) => ticket))].sort());
    expect(await tickets()).toHaveLength(1 + DIFFERENT);
  });
};
