import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { anOrder } from '../support/builders.ts';
import { BY_WEBHOOK } from '../support/mail.ts';
import { aFolder } from '../support/store-folder.ts';
import { aWebhook } from '../support/webhooks.ts';
import { openService } from './data-dir.ts';
import { killServer } from './server.ts';

const ORDERS = 30;
const KILLS = 4;
const HOUR_MS = 3_600_000;

test('a receiver that was down for an hour gets every event in order, though both workers are killed four times, and only those in flight twice', async () => {
  const got: { id: string; order: number; state: number }[] = [];
  let [failed, atOnce, most] = [0, 0, 0];
  let isDown = true;
  const receiver = createServer(async (req, res) => {
    most = Math.max(most, ++atOnce);
    res.on('close', () => {
      atOnce -= 1;
    });
    const { data } = JSON.parse(await text(req));
    if (isDown) failed += 1;
    else got.push({ id: String(req.headers['webhook-id']), order: data.id, state: Number(data.payment_method) });
    await sleep(2);
    res.writeHead(isDown ? 503 : 204).end();
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });

  const DATA_DIR = await aFolder();
  const { service, close } = await openService(DATA_DIR);
  await aWebhook(service);
  for (const state of [1, 2, 3])
    for (let id = 1; id <= ORDERS; id += 1) {
      const order = anOrder({ id, number: `O-${id}`, payment_method: String(state) });
      await service.get('billingRecords').saveOrder(BY_WEBHOOK, order);
    }
  await close();

  /** Runs two workers, at a later hour each time, until `isEnough`, and kills both. */
  const workUntil = async (hour: number, isEnough: () => boolean): Promise<void> => {
    const RECEIVER = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    const env = { ...process.env, DATA_DIR, RECEIVER, AHEAD_MS: String(hour * HOUR_MS) };
    const program = 'test/processes/send-webhooks.ts';
    const workers = [1, 2].map(() => spawn(process.execPath, [program], { env, stdio: 'inherit' }));
    while (!isEnough()) await sleep(1);
    await Promise.all(workers.map((child) => killServer({ child }, 'SIGKILL')));
  };
  const distinct = (): number => new Set(got.map(({ id }) => id)).size;

  await workUntil(0, () => failed >= 3);
  isDown = false;
  for (let hour = 1; hour < KILLS; hour += 1) {
    const before = got.length;
    await workUntil(hour, () => got.length >= before + 10 * hour + 1);
  }
  await workUntil(KILLS, () => distinct() === 3 * ORDERS);
  expect(got.length - distinct()).toBeLessThan(KILLS);
  expect(most).toBe(1);
  for (let id = 1; id <= ORDERS; id += 1) {
    const states = got.filter(({ order }) => order === id).map(({ state }) => state);
    expect([...new Set(states)]).toEqual([1, 2, 3]);
    expect(states).toEqual(states.toSorted());
  }
}, 180_000);
