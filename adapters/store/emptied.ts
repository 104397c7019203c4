import type { Permit } from '../../domain/access/permit.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { itemOf } from './item-of.ts';
import type { KeyOf, Table } from './table.ts';

/**
 * Writes the emptied record, or counts it where there is no permit; 0 where it is empty or gone. A record that is
 * written meanwhile is read again.
 */
export const emptied = async <T extends object>(
  table: Table,
  permit: Permit | null,
  key: KeyOf<T>,
  empty: (record: T) => T,
): Promise<0 | 1> => {
  for (;;) {
    const item = await table.get(key);
    if (!item) return 0;
    const record = empty(item.data);
    if (isSameJson(item.data, record)) return 0;
    if (permit === null) return 1;
    if (await table.put(itemOf<T>(key, record, item.expires_at), { version: item.version })) return 1;
  }
};
