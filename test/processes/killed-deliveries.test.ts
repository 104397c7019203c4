import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { aProduct } from '../support/builders.ts';
import { SIGNERS } from '../support/payment-bodies.ts';
import { openService } from './data-dir.ts';
import { killServer, startServer } from './server.ts';

const KILLS = 10;
const SALES = 120;

const { sign, secret } = SIGNERS.shop;
const ENVIRONMENT = { SHOP_WEBHOOK_SECRET: secret, SAMPLE_STORE: 'never', MAIL_FROM: 'shop@example.com' };

const dataDir = mkdtempSync(join(tmpdir(), 'account-service-killed-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const buyerOf = (n: number): string => `buyer-${n}@example.com`;

/** Delivers a sale signed by the shop's own system. True once the server has confirmed it. */
const deliver = async (url: string, n: number): Promise<boolean> => {
  const paid_at = '2026-11-20T10:00:00.000Z';
  const lines = [{ product: 'product-1', total_cents: 1900 }];
  const facts = { reference: `web-${n}`, buyer: { email: buyerOf(n), name: 'A Buyer' }, ordered_at: paid_at, paid_at };
  const data = { ...facts, currency: 'USD', total_cents: 1900, lines };
  const body = JSON.stringify({ type: 'order', timestamp: paid_at, data });
  const headers = { 'content-type': 'application/json', ...sign(body, Date.now(), secret, `event-${n}`) };
  const answer = await fetch(`${url}/webhooks/shop`, { method: 'POST', headers, body }).catch(() => undefined);
  return answer?.status === 200 && ((await answer.json().catch(() => ({}))) as { state?: string }).state === 'done';
};

/** Delivers the unconfirmed sales on four connections, until all are confirmed or the server is gone. */
const deliverAll = async (url: string, answered: Set<number>, isGone = () => false): Promise<void> => {
  const waiting = Array.from({ length: SALES }, (_, n) => n).filter((n) => !answered.has(n));
  const connection = async (): Promise<void> => {
    for (let n = waiting.shift(); n !== undefined && !isGone(); n = waiting.shift())
      if (await deliver(url, n)) answered.add(n);
  };
  await Promise.all([0, 1, 2, 3].map(connection));
};

test('a server that is killed ten times while sales are delivered loses none, and makes one order and one mail for each', async () => {
  const prepared = await openService(dataDir);
  await prepared.service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: aProduct({ id: 1 }) });
  await prepared.close();

  const answered = new Set<number>();
  for (let round = 0; round < KILLS; round++) {
    const server = await startServer(dataDir, ENVIRONMENT);
    const before = answered.size;
    let isGone = false;
    const delivering = deliverAll(server.url, answered, () => isGone);
    // Waits for a different number of answers in each round, so that the kills hit different points.
    while (answered.size < before + 1 + round) await sleep(1);
    await killServer(server, 'SIGKILL');
    isGone = true;
    await delivering;
  }
  const server = await startServer(dataDir, ENVIRONMENT);
  while (answered.size < SALES) await deliverAll(server.url, answered);
  expect(await killServer(server, 'SIGTERM')).toBe(0);

  const { service, close } = await openService(dataDir);
  const outbox = join(dataDir, 'outbox');
  // A kill may leave a part of a message, with another extension.
  const messages = readdirSync(outbox).filter((name) => name.endsWith('.eml'));
  const written = messages.map((name) => /^To: (\S+)/m.exec(readFileSync(join(outbox, name), 'utf8'))?.[1]);
  const waiting = (await service.get('messages').waiting(2 * SALES)).map(({ account_id }) => account_id);
  expect([new Set(written).size, new Set(waiting).size]).toEqual([written.length, waiting.length]);
  for (let n = 0; n < SALES; n++) {
    const account = await service.get('accounts').findByEmail(buyerOf(n));
    const orders = account ? await service.get('storedOrders').ofAccount(account.id) : [];
    expect([n, orders.length]).toEqual([n, 1]);
    expect([n, written.includes(buyerOf(n)) || waiting.includes(account?.id ?? 0)]).toEqual([n, true]);
  }
  await close();
}, 120_000);
