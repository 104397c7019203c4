import { hash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { bothSteps } from '../../../application/shared/steps.ts';
import { ABILITIES } from '../../../domain/access/abilities.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { objectKeyOf } from '../../../domain/delivery/object-key.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { start } from '../../../runtimes/express/start.ts';
import { anEntitlement, aProduct } from '../../support/builders.ts';
import {
  ATTACKERS,
  FILE_BYTES,
  OTHERS,
  PRODUCT,
  PRODUCTS,
  REPLIES,
  type SocketReading,
  type Target,
  TEXT,
  TICKETS,
} from './target.ts';

/** The server as `npm start` runs it, with accounts of attackers and of others, each with fifty products. */
const FIRST_ID = 9000;

const text = (n: number) => ({ en: `Product ${n}, ${'as described at length '.repeat(20)}` });

const addAccount = async (service: Service, id: number): Promise<string> => {
  const email = `account-${id}@example.com`;
  await service
    .get('accounts')
    .save(grantPermit(), { id, email, name: null, created_at: '2025-01-01T00:00:00.000Z', password_hash: null });
  for (let n = 0; n < PRODUCTS; n++) {
    const entitlement = { id: id * PRODUCTS + n, account_id: id, product_id: PRODUCT + n };
    await service.get('grants').saveEntitlement(grantPermit(), anEntitlement(entitlement));
  }
  const key = { account_id: id, name: 'bench', abilities: ABILITIES };
  const created = await service.get('createApiKey')(grantPermit(), key);
  if (!created.ok) throw new Error(created.message);
  return created.value.value;
};

const keysOf = async (service: Service, first: number, count: number): Promise<string[]> => {
  const keys: string[] = [];
  for (let n = 0; n < count; n++) keys.push(await addAccount(service, first + n));
  return keys;
};

const signedFile = async (service: Service): Promise<string> => {
  const bytes = randomBytes(FILE_BYTES);
  const key = objectKeyOf(hash('sha256', bytes));
  const objects = service.get('objects');
  await objects.put(grantPermit(), key, Readable.from([bytes]), {
    sha256: hash('sha256', bytes),
  });
  const expiresAt = new Date(Date.now() + 15 * 60_000).toISOString();
  const { url } = await objects.signDownload(key, {
    filename: 'big.bin',
    contentType: 'application/octet-stream',
    expiresAt,
  });
  return new URL(url).pathname + new URL(url).search;
};

/** The cookie of an account that has written a day's maximum of tickets and replies, all of quotation marks. */
const writerOf = async (service: Service, id: number): Promise<string> => {
  const permit = grantPermit();
  const about = { app_bundle_id: null, app_version: null, macos_version: null, device_id: null };
  for (let n = 0; n < TICKETS; n++) {
    const report = { kind: 'general', summary: `Quotes ${n}`, detail: '"'.repeat(TEXT - n), ...about } as const;
    const received = await bothSteps(
      permit,
      service.get('receiveSupportReport')({ account_id: id, body: report, files: { bundle: null } }),
    );
    if (!received.ok) throw new Error(received.code);
    const reply = { account_id: id, id: received.value.ticket.id, text: '"'.repeat(TEXT) };
    for (let m = 0; m < REPLIES; m++) await service.get('replyToTicket')(permit, reply);
  }
  const opened = await service.get('openSession')(id, 'password', { browser: 'attacker', address: '127.0.0.1' });
  if (!opened.ok) throw new Error(opened.code);
  return `account-session=${opened.value.value}`;
};

process.on('disconnect', () => process.exit(0));
const { service, urls } = await start(process.env);
for (let n = 0; n < PRODUCTS; n++) {
  const value = aProduct({ id: PRODUCT + n, slug: `attacked-${n}`, name: text(n), description: text(n) });
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value });
}
const target: Target = {
  port: Number(new URL(urls.api).port),
  attackers: await keysOf(service, FIRST_ID, ATTACKERS),
  others: await keysOf(service, FIRST_ID + ATTACKERS, OTHERS),
  file: await signedFile(service),
  pages: { port: Number(new URL(urls.account).port), cookie: await writerOf(service, FIRST_ID) },
};
process.send?.(target);
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;
  process.send?.({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss(), sockets } satisfies SocketReading);
});
