import type { KeyOf, NewItem } from './table.ts';

/**
 * The item that holds a record under its key. It compiles only for a record of the key's own type.
 * `expiresAt` is in Unix seconds; without it the item does not expire.
 */
export const itemOf = <T extends object>(key: KeyOf<T>, data: NoInfer<T>, expiresAt?: number): NewItem => ({
  pk: key.pk,
  sk: key.sk,
  data,
  expires_at: expiresAt,
});
