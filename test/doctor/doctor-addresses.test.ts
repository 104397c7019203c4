import { expect, test } from 'vitest';
import { accountKeys } from '../../adapters/store/keys/accounts.ts';
import { itemOf } from '../../adapters/store/records.ts';
import { anAccount } from '../support/account-builders.ts';
import { aDoctoredStore, STOCKED } from '../support/doctored-store.ts';
import { accountEntry } from '../support/store-folder.ts';

test('the doctor names accounts that share a mailbox and unreachable ones, with a command for each', async () => {
  const { wrongs, fill, put } = await aDoctoredStore();
  await fill({
    ...STOCKED,
    accounts: [accountEntry({ id: 1, email: 'user@xn--mnchen-3ya.de' }), accountEntry({ id: 9 })],
  });
  for (const [id, email] of [
    [2, 'user@münchen.de'],
    [3, 'a@b'],
    [4, 'ｕser@example.com'],
    [5, 'ｗｉｄｅ@example.com'],
  ] as const) {
    await put(itemOf(accountKeys.account(id), anAccount({ id, email })));
    await put(itemOf(accountKeys.listing(id), { account_id: id }));
    await put(itemOf(accountKeys.byEmail(email), { account_id: id }));
  }
  const [told = '', ...more] = await wrongs();
  expect(more).toEqual([]);
  const renamed = (id: number) =>
    `${id} (no mail or one spelling alone reaches it: account rename ${id} --email ADDRESS)`;
  expect(
    told
      .replace(/^.* accounts: /, '')
      .split(', ')
      .toSorted(),
  ).toEqual(['2 (one mailbox with 1: account merge 2 1)', renamed(3), renamed(4)]);
});
