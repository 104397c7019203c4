import { expect, test } from 'vitest';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { newSession } from '../../../domain/sign-in/session.ts';
import { anAccount } from '../../support/account-builders.ts';
import { NOW } from '../../support/builders.ts';
import { put } from '../../support/contents.ts';
import { memoryService } from '../../support/service.ts';

test('an owner erases only the own account, by typing its address', async () => {
  const service = memoryService();
  await put(service, { accounts: [anAccount(), anAccount({ id: 2 })] });
  const erase = (account_id: number, typed: string) => {
    const session = newSession({ id: 1, hash: 'h', account_id, method: 'link', browser: 'Firefox' }, NOW);
    return service.get('eraseOwnAccount')(grantPermit(), session, typed);
  };
  const begun = () => Promise.all([1, 2].map(async (id) => (await service.get('accounts').erasure(id)) !== undefined));
  expect(await erase(1, 'buyer-2@example.com')).toMatchObject({ ok: false });
  expect(await erase(9, 'buyer-1@example.com')).toMatchObject({ code: 'account_not_found' });
  expect(await begun()).toEqual([false, false]);
  expect(await erase(1, ' Buyer-1@example.com')).toEqual({ ok: true, value: null });
  expect(await begun()).toEqual([true, false]);
});
