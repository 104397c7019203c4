import { beforeEach, describe, expect, test } from 'vitest';
import { accountKeys } from '../../adapters/store/keys/accounts.ts';
import { billingKeys } from '../../adapters/store/keys/billing.ts';
import { licensingKeys } from '../../adapters/store/keys/licensing.ts';
import { supportKeys } from '../../adapters/store/keys/support.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { newTicket } from '../../domain/support/ticket.ts';
import { entitlement, order, WHOLE } from '../support/billing-entries.ts';
import { anEntitlement, anOrder, NOW } from '../support/builders.ts';
import { aDoctoredStore, STOCKED } from '../support/doctored-store.ts';
import { aReport } from '../support/report-builders.ts';
import { accountEntry } from '../support/store-folder.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

let findings: Doctored['findings'];
let wrongs: Doctored['wrongs'];
let fill: Doctored['fill'];
let put: Doctored['put'];

beforeEach(async () => {
  ({ findings, wrongs, fill, put } = await aDoctoredStore());
});

const recordFindings = async () => (await findings()).filter(({ check }) => check === 'records');

describe('the records of accounts', () => {
  test('the doctor finds nothing wrong with the records of an account', async () => {
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1, ...WHOLE })] });
    expect(await recordFindings()).toEqual([
      { check: 'records', ok: true, kind: 'fine', message: 'The records of 1 account are consistent.' },
    ]);
  });

  test('the doctor names a refunded order with an entitlement that gives access, and finds nothing wrong', async () => {
    const refunded = { orders: [order({ status: 'refunded' })], entitlements: [entitlement()] };
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1, ...refunded })] });
    expect(await recordFindings()).toEqual([
      {
        check: 'records',
        ok: true,
        kind: 'fine',
        message: expect.stringMatching(
          /^Check these records: entitlement 8 of account 1 \(revoked_at order O-5 is refunded, and /,
        ),
      },
    ]);
  });

  test('the doctor names two accounts with one order, and records that were stored before owners were', async () => {
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1, orders: [order()] }), accountEntry({ id: 2 })] });
    await put(itemOf(billingKeys.order(2, 5), anOrder({ id: 5, account_id: 2, number: 'O-55' })));
    expect(await wrongs()).toEqual([
      'records: Two accounts have records of one id or number: account 2 (order 5 belongs to account 1; give this one an id of its own); import one of them anew.',
      'records: 1 id or number can be taken by another account, because they were stored by an older version; run: doctor --repair',
    ]);
  });

  test('a repair lists the tickets of an older version with their accounts, and those of an erased account with none', async () => {
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1 })] });
    for (const [id, account_id] of [
      [4, 1],
      [5, 2],
    ] as const) {
      await put(itemOf(supportKeys.ticket(id), newTicket(aReport(), { id, account_id }, NOW)));
    }
    await put(itemOf(accountKeys.erasure(2), { account_id: 2, erased_at: NOW, finished_at: NOW }));
    const repaired = await findings({}, { repair: grantPermit() });
    expect(repaired.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^1 ticket of an older version got into the list of an account, /),
    );
    const again = await findings({}, { repair: grantPermit() });
    expect(again.map(({ message }) => message)).toContainEqual(
      expect.stringMatching(/^0 tickets of an older version /),
    );
  });

  test('a repair gives the orders of an older version their owners, and the doctor is then clean', async () => {
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1 })] });
    await put(itemOf(billingKeys.order(1, 5), anOrder({ id: 5, account_id: 1, number: 'O-5' })));
    expect(await wrongs()).toEqual([
      'records: 2 ids or numbers can be taken by another account, because they were stored by an older version; run: doctor --repair',
    ]);
    const repaired = await findings({}, { repair: grantPermit() });
    expect(repaired.filter(({ ok }) => !ok)).toEqual([]);
    expect(repaired.find(({ check }) => check === 'repair')?.message).toMatch(
      /^1 order or invoice of an older version/,
    );
    expect(await wrongs()).toEqual([]);
  });

  test('the doctor names dates in the store that no import would take', async () => {
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1 })] });
    const entitled = anEntitlement({ id: 8, granted_at: NOW, access_expires_at: addDays(NOW, -1) });
    await put(itemOf(licensingKeys.entitlement(1, 1, 8), entitled));
    expect(await wrongs()).toContain(
      'records: These records contradict themselves: entitlement 8 of account 1 (access_expires_at must not lie before granted_at); import them anew.',
    );
  });
});
