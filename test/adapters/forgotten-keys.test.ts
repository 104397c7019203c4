import { expect, test } from 'vitest';
import { MemoryTable } from '../../adapters/memory/memory-table.ts';
import { StoredApiKeys } from '../../adapters/store/api-keys.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { audited } from '../support/audited.ts';
import { anApiKey, NOW } from '../support/builders.ts';

const PERMIT = grantPermit();

test('an account that makes and revokes a key 100 times leaves no more key records than one that does so 25 times', async () => {
  const table = new MemoryTable();
  const keys = new StoredApiKeys(audited(table));
  const churn = async (first: number, count: number): Promise<number> => {
    for (let id = first; id < first + count; id++) {
      const key = anApiKey({ id, account_id: 7, hash: String(id).padStart(64, '0') });
      await keys.change(PERMIT, await keys.scope(7, null), { add: key }, NOW);
      await keys.touch(key, NOW);
      await keys.change(PERMIT, await keys.scope(7, null), { revoke: [key] }, NOW);
    }
    const { entries } = await table.dump(0);
    return entries.filter(({ pk }) => !pk.startsWith('AUDIT#')).length;
  };
  const few = await churn(1, 25);
  expect(await churn(26, 75)).toBe(few);
  expect(await keys.scopeOf(100)).toBeDefined();
  expect(await keys.scopeOf(1)).toBeUndefined();
});
