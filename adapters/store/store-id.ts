import { randomUUID } from 'node:crypto';
import type { Permit } from '../../domain/access/permit.ts';
import { itemOf } from './item-of.ts';
import { storeIdKey } from './keys/operations.ts';
import type { Table } from './table.ts';

/** The id of the store, which it gets when it is first asked for, and which its copies share. */
export const ensureStoreId = async (_permit: Permit, table: Table): Promise<string> => {
  await table.put(itemOf(storeIdKey, { id: randomUUID() }), { absent: true });
  const kept = await table.get(storeIdKey);
  if (!kept) throw new Error('The store has lost its id meanwhile; run the command again.');
  return kept.data.id;
};
