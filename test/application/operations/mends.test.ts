import { describe, expect, test } from 'vitest';
import { mendRecords } from '../../../application/operations/mend-records.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Claim } from '../../../domain/operations/record-owner.ts';
import { isSameJson } from '../../../domain/shared/same-json.ts';
import type { SavedRecord } from '../../../ports/outbound/billing.ts';
import { anAccount } from '../../support/account-builders.ts';
import { anInvoice, anOrder } from '../../support/builders.ts';

/* The ports stand for a store that an older version wrote: no present code writes such records. */

const permit = grantPermit();
const none = async function* () {};

describe('the owners of the records of an older version', () => {
  /** Account 1 has order 1 and invoice 5. `owned` are the ids and numbers that have an owner. */
  const mend = async (owned: readonly Claim[], saved: SavedRecord = 'unchanged') => {
    const saves: string[] = [];
    const ports = {
      accounts: {
        list: async function* () {
          yield anAccount({ id: 1 });
        },
      },
      tickets: { list: none },
      galleryEditor: { reindex: async () => 0 },
      storedOrders: { ofAccount: async () => [anOrder({ id: 1, number: 'A' })] },
      invoices: { newest: async () => [anInvoice({ id: 5, number: 'B' })] },
      recordOwners: {
        of: async (claims: readonly Claim[]) =>
          claims.map((claim) => (owned.some((one) => isSameJson(one, claim)) ? { account_id: 1, id: 1 } : undefined)),
      },
      billingRecords: {
        saveOrder: async (_: unknown, { id }: { id: number }) => {
          saves.push(`order ${id}`);
          return saved;
        },
        saveInvoice: async (_: unknown, { id }: { id: number }) => {
          saves.push(`invoice ${id}`);
          return saved;
        },
      },
    };
    const mended = await mendRecords(ports as unknown as Parameters<typeof mendRecords>[0])(permit);
    return { mended: mended.owned, saves };
  };
  const ORDER: Claim[] = [
    { kind: 'order', id: 1 },
    { kind: 'order', number: 'A' },
  ];
  const INVOICE: Claim[] = [
    { kind: 'invoice', id: 5 },
    { kind: 'invoice', number: 'B' },
  ];

  test('a record without an owner of its id or of its number is saved again and counted', async () => {
    expect(await mend([])).toEqual({ mended: 2, saves: ['order 1', 'invoice 5'] });
    expect(await mend([...ORDER, ...INVOICE.slice(0, 1)])).toEqual({ mended: 1, saves: ['invoice 5'] });
    expect(await mend([...ORDER.slice(1), ...INVOICE])).toEqual({ mended: 1, saves: ['order 1'] });
  });

  test('a record that has its owners stays as it is', async () => {
    expect(await mend([...ORDER, ...INVOICE])).toEqual({ mended: 0, saves: [] });
  });

  test('a record whose id or number another account has counts as not mended', async () => {
    expect(await mend([], 'taken')).toEqual({ mended: 0, saves: ['order 1', 'invoice 5'] });
  });
});

test('the tickets that are listed now are counted, and no others, and the screens that are indexed anew', async () => {
  const tickets = {
    list: async function* () {
      yield* [{ id: 1 }, { id: 2 }, { id: 3 }];
    },
    enlist: async (_: unknown, { id }: { id: number }) => id !== 2,
  };
  const galleryEditor = { reindex: async () => 3 };
  const ports = { accounts: { list: none }, tickets, galleryEditor } as unknown as Parameters<typeof mendRecords>[0];
  expect(await mendRecords(ports)(permit)).toEqual({ owned: 0, listed: 2, indexed: 3 });
});
