import { beforeEach, describe, expect, test } from 'vitest';
import { billingKeys } from '../../adapters/store/keys/billing.ts';
import { licensingKeys } from '../../adapters/store/keys/licensing.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { entitlement, order, WHOLE } from '../support/billing-entries.ts';
import { anEntitlement, anOrder, NOW } from '../support/builders.ts';
import { aDoctoredStore, STOCKED } from '../support/doctored-store.ts';
import { accountEntry, productEntry } from '../support/store-folder.ts';

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

  test('the doctor reports a refunded order with an entitlement that gives access', async () => {
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

  test('the doctor names a team with more seats in use than were bought', async () => {
    const invited = { role: 'member', invited_at: NOW, account_id: 2 } as const;
    const people = [{ ...invited, id: 7, email: 'member@example.com' }];
    const seats = { entitlements: [entitlement()], teams: [{ product_id: 1, people }] };
    const products = [productEntry({ id: 1, slug: 'memo', slots: 'persons' })];
    await fill({ ...STOCKED, products, accounts: [accountEntry({ id: 1, orders: [order()], ...seats })] });
    expect((await findings()).filter(({ check }) => check === 'teams')).toMatchObject([
      { ok: true, message: 'More seats are taken than were bought: memo of account 1 (2 of 1).' },
    ]);
  });

  test('the doctor names two accounts with one order', async () => {
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1, orders: [order()] }), accountEntry({ id: 2 })] });
    await put(itemOf(billingKeys.order(2, 5), anOrder({ id: 5, account_id: 2, number: 'O-55' })));
    expect(await wrongs()).toEqual([
      'records: Two accounts have records of one id or number: account 2 (order 5 belongs to account 1; give this one an id of its own); import one of them anew.',
    ]);
  });

  test('the doctor names stored dates that no import would accept', async () => {
    await fill({ ...STOCKED, accounts: [accountEntry({ id: 1 })] });
    const entitled = anEntitlement({ id: 8, granted_at: NOW, access_expires_at: addDays(NOW, -1) });
    await put(itemOf(licensingKeys.entitlement(1, 1, 8), entitled));
    expect(await wrongs()).toContain(
      'records: These records contradict themselves: entitlement 8 of account 1 (access_expires_at must not lie before granted_at); import them anew.',
    );
  });
});
