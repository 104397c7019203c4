import { beforeEach, describe, expect, test } from 'vitest';
import { StoredAccounts } from '../../adapters/store/accounts.ts';
import { accountKeys } from '../../adapters/store/keys/accounts.ts';
import { itemOf } from '../../adapters/store/records.ts';
import type { Table } from '../../adapters/store/table.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { anAccount } from '../support/account-builders.ts';
import { audited } from '../support/audited.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

const CANONICAL = 'user@xn--mnchen-3ya.de';
const FORMER = 'user@münchen.de';

/** Registers the tests of account addresses. `open` returns an empty table; it is called before each test. */
export const accountsContract = (
  name: string,
  open: () => Promise<Table> | Table,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`the email addresses of accounts on ${name}`, { timeout }, () => {
    let table: Table;
    let accounts: StoredAccounts;
    beforeEach(async () => {
      table = await open();
      accounts = new StoredAccounts(audited(table));
    }, timeout);

    const save = (id: number, email: string) => accounts.save(grantPermit(), anAccount({ id, email }));
    const owner = async (email: string) => (await accounts.findByEmail(email))?.id;

    /** An account as the previous version stored it, under the address as typed. */
    const putFormer = async (id: number, email: string) => {
      await table.put(itemOf(accountKeys.account(id), anAccount({ id, email })));
      await table.put(itemOf(accountKeys.listing(id), { account_id: id }));
      await table.put(itemOf(accountKeys.byEmail(email), { account_id: id }));
    };

    test('a mailbox has one account, however it is spelled and however many requests are simultaneous', async () => {
      const spellings = [CANONICAL, FORMER, 'USER@MÜNCHEN.DE', 'ｕｓｅｒ@münchen.de'];
      const saved = await Promise.all(spellings.map((email, n) => save(n + 1, email)));
      expect(saved.toSorted()).toEqual(['created', 'email_taken', 'email_taken', 'email_taken']);
      const owners = await Promise.all(spellings.map(owner));
      expect(new Set(owners).size).toBe(1);
    });

    test.each([
      [FORMER, CANONICAL],
      ['ｕｓｅｒ@example.com', 'user@example.com'],
      ['ｕｓｅｒ@münchen.de', CANONICAL],
      ['a@b', 'A@B'],
    ])('an account stored under %s is found by that and by %s, and no other account gets the address', async (...both) => {
      await putFormer(7, both[0]);
      expect(await Promise.all(both.map(owner))).toEqual([7, 7]);
      expect(await save(8, both[0])).toBe('email_taken');
      expect(await save(8, both[1])).toBe('email_taken');
      await save(7, both[1]);
      expect(await Promise.all(both.map(owner))).toEqual([7, 7]);
      await save(7, 'other@example.com');
      expect(await Promise.all([...both, 'other@example.com'].map(owner))).toEqual([undefined, undefined, 7]);
      expect(await save(8, both[1])).toBe('created');
    });

    test('accounts are found by the beginning of their address, even after it changes', async () => {
      await save(7, 'kim@example.com');
      await save(8, 'Kimchi@example.com');
      await save(9, 'other@example.com');
      const like = async (text: string, limit = 10) => (await accounts.beginningWith(text, limit)).map(({ id }) => id);
      expect([await like('kim'), await like(' KIMCHI@e'), await like('kim', 1)]).toEqual([[8, 7].sort(), [8], [7]]);
      await save(7, 'lee@example.com');
      expect([await like('kim'), await like('lee'), await like('%')]).toEqual([[8], [7], []]);
    });

    test('two former accounts of one mailbox are each found by their own spelling and stay usable', async () => {
      await putFormer(7, FORMER);
      await putFormer(8, CANONICAL);
      const both = () => Promise.all([FORMER, CANONICAL].map(owner));
      expect(await both()).toEqual([7, 8]);
      for (const id of [7, 8]) {
        const read = (await accounts.get(id)) ?? anAccount();
        expect(await accounts.revise(grantPermit(), read, { ...read, name: 'Changed' }, [])).toBe('updated');
      }
      expect(await both()).toEqual([7, 8]);
      await save(8, 'other@example.com');
      expect(await both()).toEqual([7, 7]);
    });
  });
};
