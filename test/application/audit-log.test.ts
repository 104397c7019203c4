import { beforeEach, describe, expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import type { AuditInput } from '../../application/audit/list-audit.ts';
import type { Actor } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { AuditFilter } from '../../domain/audit/entry.ts';
import { auditEvent, SUBJECT_LENGTH } from '../../domain/audit/event.ts';
import { addDays } from '../../domain/shared/instant.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../support/account-builders.ts';
import { EVERY_ENTRY } from '../support/audited.ts';
import { anEntitlement, aProduct, NOW } from '../support/builders.ts';
import { put } from '../support/contents.ts';
import { aClock } from '../support/fakes.ts';
import { done } from '../support/outcomes.ts';
import { memoryService } from '../support/service.ts';

const OPERATOR: Actor = { kind: 'command', id: 'kim', account_id: null, through: 'device release', from: 'shop-1' };

describe('the audit log', () => {
  let service: Service;
  let clock: ReturnType<typeof aClock>;
  const list = (filter: Partial<AuditFilter> = {}) =>
    Array.fromAsync(service.get('auditLog').list({ ...EVERY_ENTRY, ...filter }));
  const note = (id: number, by: Actor = OPERATOR) =>
    service.get('auditLog').add(
      grantPermit(() => by),
      auditEvent({ kind: 'account', id, account_id: id }, 'changed'),
    );

  beforeEach(() => {
    clock = aClock();
    service = memoryService({ clock });
  });

  test('a change is logged with its actor, newest first', async () => {
    await service.get('accounts').save(
      grantPermit(() => OPERATOR),
      anAccount({ id: 7 }),
    );
    clock.at = addDays(NOW, 1);
    await service.get('grants').saveEntitlement(grantPermit(), anEntitlement({ id: 3, account_id: 7 }));
    expect(await list()).toMatchObject([
      { action: 'entitlement.created', subject_id: '3', account_id: 7, at: addDays(NOW, 1), by: { kind: 'service' } },
      { action: 'account.created', subject_id: '7', account_id: 7, at: NOW, by: OPERATOR },
    ]);
  });

  test('a save without changes leaves no entry', async () => {
    const one = anEntitlement({ id: 3, account_id: 7 });
    await service.get('grants').saveEntitlement(grantPermit(), one);
    await service.get('grants').saveEntitlement(grantPermit(), one);
    expect(await list()).toHaveLength(1);
  });

  test('a released device is logged, and a device without a slot is not', async () => {
    const devices = service.get('devices');
    const device = {
      device_id: 'laptop',
      name: 'Kim’s laptop',
      activated_at: NOW,
      last_seen_at: NOW,
      revoked_at: null,
    };
    const { slots } = await devices.find(7, 1, 'laptop');
    await devices.activate(grantPermit(), 7, 1, device, slots);
    await devices.release(
      grantPermit(() => OPERATOR),
      7,
      1,
      'laptop',
      { now: NOW },
    );
    await devices.release(
      grantPermit(() => OPERATOR),
      7,
      1,
      'laptop',
      { now: NOW },
    );
    const told = await list();
    expect(told).toMatchObject([{ action: 'device.released', subject_id: 'laptop', product_id: 1 }]);
    expect(JSON.stringify(told)).not.toContain('Kim');
  });

  test('entries of many months are listed in order of time, whatever their shards', async () => {
    for (let n = 0; n < 40; n++) {
      clock.at = addDays(NOW, n * 9);
      await note(n);
    }
    const ids = (await list()).map(({ subject_id }) => Number(subject_id));
    expect(ids).toEqual(Array.from({ length: 40 }, (_, n) => 39 - n));
    const some = await list({ since: addDays(NOW, 90), until: addDays(NOW, 108) });
    expect(some.map(({ subject_id }) => subject_id)).toEqual(['11', '10']);
  });

  test('filters select an account, an action, a kind of record and an actor', async () => {
    await note(1);
    await note(2, { kind: 'key', id: '55', account_id: 1, through: 'logout', from: '192.0.2.1' });
    await service.get('grants').saveEntitlement(grantPermit(), anEntitlement({ id: 3, account_id: 2 }));
    const subjects = async (filter: Partial<AuditFilter>) => (await list(filter)).map((one) => one.subject_id).sort();
    expect(await subjects({ account_id: 1 })).toEqual(['1', '2']);
    expect(await subjects({ action: 'account' })).toEqual(['1', '2']);
    expect(await subjects({ action: 'entitlement.created' })).toEqual(['3']);
    expect(await subjects({ by: 'key:55' })).toEqual(['2']);
    expect(await subjects({ by: 'command' })).toEqual(['1']);
    expect(await subjects({ subject: '3' })).toEqual(['3']);
  });

  test('entries of the same moment are listed by descending id, and none is lost', async () => {
    for (let n = 0; n < 30; n++) await note(n);
    const ids = (await list()).map(({ subject_id }) => Number(subject_id));
    expect(ids).toEqual(Array.from({ length: 30 }, (_, n) => 29 - n));
  });

  test('a period includes its start, excludes its end and reads no entry outside it', async () => {
    for (let n = 0; n < 10; n++) {
      clock.at = addDays(NOW, n / 24);
      await note(n);
    }
    const seen: string[] = [];
    const period = { ...EVERY_ENTRY, since: addDays(NOW, 3 / 24), until: addDays(NOW, 5 / 24) };
    const found = await Array.fromAsync(service.get('auditLog').list(period, (at) => seen.push(at)));
    expect(found.map(({ subject_id }) => subject_id)).toEqual(['4', '3']);
    expect(seen).toHaveLength(2);
  });

  test('a caller that reads some entries of a long log loads at most one page of each shard', async () => {
    const table = new MemoryTable();
    service = memoryService({ clock, table });
    await Promise.all(Array.from({ length: 5000 }, (_, n) => note(n)));
    let read = 0;
    const query = table.query.bind(table);
    table.query = async (input) => {
      const page = await query(input);
      read += page.items.length;
      return page as never;
    };
    const entries = service.get('auditLog').list(EVERY_ENTRY);
    for await (const { subject_id } of entries) {
      expect(subject_id).toBe('4999');
      break;
    }
    expect(read).toBeGreaterThan(0);
    expect(read).toBeLessThanOrEqual(8 * 250);
  });

  test('a client’s text that is longer than any honest one is cut', async () => {
    const by: Actor = { ...OPERATOR };
    const long = auditEvent({ kind: 'device', id: 'x'.repeat(9000) }, 'released');
    await service.get('auditLog').add(
      grantPermit(() => by),
      long,
    );
    const [entry] = await list();
    expect(entry?.subject_id).toHaveLength(SUBJECT_LENGTH);
  });

  test('an entry is deleted after a year', async () => {
    await note(1);
    clock.at = addDays(NOW, 364);
    expect(await list()).toHaveLength(1);
    clock.at = addDays(NOW, 365);
    expect(await list()).toEqual([]);
  });
});

describe('the entries that an operator asks for', () => {
  const KEY: Actor = { kind: 'key', id: '55', account_id: 1, through: 'logout', from: '192.0.2.1' };
  const EVERY: AuditInput = {
    account_id: null,
    product: null,
    action: null,
    by: null,
    subject: null,
    since: null,
    until: null,
    limit: 100,
  };
  let service: Service;
  let clock: ReturnType<typeof aClock>;
  const note = (id: number, by: Actor = OPERATOR) =>
    service.get('auditLog').add(
      grantPermit(() => by),
      auditEvent({ kind: 'account', id, account_id: id }, 'changed'),
    );
  const ask = async (input: Partial<AuditInput>) =>
    done(await service.get('listAudit')({ ...EVERY, ...input })).map(({ subject_id }) => subject_id);

  beforeEach(() => {
    clock = aClock();
    service = memoryService({ clock });
  });

  test('the newest entries come first, up to the limit', async () => {
    for (const n of [1, 2, 3]) {
      clock.at = addDays(NOW, n);
      await note(n);
    }
    expect(await ask({})).toEqual(['3', '2', '1']);
    expect(await ask({ limit: 2 })).toEqual(['3', '2']);
  });

  test('a period includes its first and its last moment', async () => {
    for (const n of [1, 2, 3, 4]) {
      clock.at = addDays(NOW, n);
      await note(n);
    }
    expect(await ask({ since: addDays(NOW, 2), until: addDays(NOW, 3) })).toEqual(['3', '2']);
  });

  test('an actor is selected by its kind, or by kind and id', async () => {
    await note(1);
    await note(2, KEY);
    await note(3, { ...KEY, id: '56' });
    expect((await ask({ by: { kind: 'key', id: null } })).sort()).toEqual(['2', '3']);
    expect(await ask({ by: { kind: 'key', id: '55' } })).toEqual(['2']);
    expect(await ask({ by: { kind: 'command', id: null } })).toEqual(['1']);
  });

  test('a product is selected by id or slug, and an unknown one is refused', async () => {
    await put(service, { products: [aProduct({ id: 3, slug: 'tool' }), aProduct({ id: 4 })] });
    expect(await ask({ product: 'tool' })).toEqual(['3']);
    expect(await ask({ product: '4' })).toEqual(['4']);
    expect(await service.get('listAudit')({ ...EVERY, product: 'none' })).toMatchObject({
      code: 'product_not_found',
    });
  });

  test('a long search reports the days read after every 2000 entries', async () => {
    await Promise.all(Array.from({ length: 4100 }, (_, n) => note(n)));
    clock.at = addDays(NOW, 2);
    const told = async (input: Partial<AuditInput>) => {
      const all: number[][] = [];
      await service.get('listAudit')({ ...EVERY, limit: 5000, ...input }, (...days) => all.push(days));
      return all;
    };
    expect(await told({ since: addDays(NOW, -8) })).toEqual([
      [2, 10],
      [2, 10],
    ]);
    expect(await told({ since: addDays(NOW, -8), until: addDays(NOW, 1) })).toEqual([
      [1, 9],
      [1, 9],
    ]);
    expect(await told({})).toEqual([
      [2, 365],
      [2, 365],
    ]);
  });
});
