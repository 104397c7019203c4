import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { checkDevice, openService, type Prepared, prepareDataDir } from './data-dir.ts';
import { killServer, startServer } from './server.ts';

const KILLS = 5;

let prepared: Prepared;

beforeAll(async () => {
  prepared = await prepareDataDir(null);
});
afterAll(() => prepared.remove());

/** Takes device slots on four connections until the server is gone. Adds each acknowledged device to the set. */
const activateUntilGone = async (url: string, round: number, acknowledged: Set<string>): Promise<void> => {
  const worker = async (connection: number): Promise<void> => {
    for (let n = 0; ; n++) {
      const device = `device-${round}-${connection}-${n}`;
      const reply = await checkDevice(url, prepared.key, device).catch(() => undefined);
      if (!reply) return;
      if (reply.status === 200) acknowledged.add(device);
    }
  };
  await Promise.all([0, 1, 2, 3].map(worker));
};

/** Every device that holds a slot, as another process reads it, because an API answer lists at most 100. */
const devicesKept = async (): Promise<string[]> => {
  const { service, close } = await openService(prepared.dataDir);
  const kept: string[] = [];
  let after: string | null = null;
  do {
    const { devices, next } = await service.get('devices').page(1, 1, { limit: 100, after });
    kept.push(...devices.map(({ device_id }) => device_id));
    after = next;
  } while (after !== null);
  await close();
  return kept;
};

test('a server killed five times during writes loses no acknowledged device', async () => {
  const acknowledged = new Set<string>();
  for (let round = 0; round < KILLS; round++) {
    const server = await startServer(prepared.dataDir);
    const before = acknowledged.size;
    const writing = activateUntilGone(server.url, round, acknowledged);
    // Waits for a different number of writes in each round, so that the kills hit different points.
    while (acknowledged.size < before + 3 + round * 4) await sleep(1);
    await killServer(server, 'SIGKILL');
    await writing;
  }
  const store = new DatabaseSync(join(prepared.dataDir, 'store.db'));
  expect(store.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
  store.close();
  expect(await devicesKept()).toEqual(expect.arrayContaining([...acknowledged]));
  const server = await startServer(prepared.dataDir);
  expect(await killServer(server, 'SIGTERM')).toBe(0);
}, 90_000);
