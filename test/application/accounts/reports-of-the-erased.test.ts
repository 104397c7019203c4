import { beforeEach, describe, expect, test } from 'vitest';
import type { ReceivedFile } from '../../../application/shared/files.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { anErasureShop, type ErasureShop, inMemory, naming, onDisk } from '../../support/erasure-shop.ts';
import { SHARED_FILE } from '../../support/full-account.ts';
import { done } from '../../support/outcomes.ts';
import { passed } from '../../support/permits.ts';
import { aFile, aReport } from '../../support/report-builders.ts';

const SECRET = 'write to ann@late.example';

describe.each([
  ['in memory', inMemory],
  ['on SQLite and files', onDisk],
])('a report that runs while its account is erased %s', (_, open) => {
  let shop: ErasureShop;
  beforeEach(async () => {
    shop = await anErasureShop(open);
  });

  const report = (file: ReceivedFile | null, permit: Promise<Permit>) => {
    const late = aReport({ summary: SECRET, detail: SECRET, device_id: SECRET });
    return passed(
      shop.service.get('receiveSupportReport')({ account_id: 7, body: late, files: { bundle: file } }),
      permit,
    );
  };

  /** Sends the report, erases the account once the report has read the store, and then lets the report continue. */
  const overtaken = async (file: ReceivedFile | null) => {
    const gate = Promise.withResolvers<Permit>();
    const reporting = report(file, gate.promise);
    await new Promise((resolve) => setTimeout(resolve, 20));
    done(await shop.erase());
    const before = (await shop.objects.list()).keys;
    gate.resolve(grantPermit());
    return { outcome: await reporting, before };
  };

  test.each([
    ['opens a ticket', false],
    ['joins a ticket', true],
  ])('a report that %s is refused like one with a revoked key, and leaves neither text nor file', async (__, joins) => {
    if (joins) done(await report(null, Promise.resolve(grantPermit())));
    const { outcome, before } = await overtaken(aFile(SECRET, { name: 'late.log' }));
    expect(outcome).toMatchObject({ ok: false, code: 'invalid_api_key' });
    const entries = await shop.entries();
    expect([...naming(entries, SECRET), ...naming(entries, 'late.log')]).toEqual([]);
    expect((await shop.objects.list()).keys).toEqual(before);
  });

  test('the file of a reply is removed with its account', async () => {
    const before = (await shop.objects.list()).keys;
    const { id } = done(await report(null, Promise.resolve(grantPermit()))).ticket;
    const reply = { account_id: 7, id, text: 'See it.', file: aFile(SECRET) };
    done(await shop.service.get('replyToTicket')(grantPermit(), reply));
    expect((await shop.objects.list()).keys).toHaveLength(before.length + 1);
    done(await shop.erase());
    expect((await shop.objects.list()).keys.filter((key) => !before.includes(key))).toEqual([]);
    expect(naming(await shop.entries(), 'clock.log')).toEqual([]);
  });

  test('a file that another account also sent stays', async () => {
    const { before } = await overtaken(aFile(SHARED_FILE));
    expect((await shop.objects.list()).keys).toEqual(before);
    expect(before).toHaveLength(2);
  });
});
