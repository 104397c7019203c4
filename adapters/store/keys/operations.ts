import type { Instant } from '../../../domain/shared/instant.ts';
import type { KeyUse } from '../../../domain/signing/key-use.ts';
import type { KeyOf } from './families.ts';

/** A process that fills an empty store. The claim is free again after `until`. */
export type FirstStart = { readonly until: Instant };

/** The claim of the one process that may fill an empty store. */
export const firstStartKey: KeyOf<FirstStart> = { pk: 'FIRST-START', sk: 'CLAIM' };

/** Tells the store from others, wherever it lies. */
export type StoreId = { readonly id: string };

export const storeIdKey: KeyOf<StoreId> = { pk: 'STORE', sk: 'ID' };

/** Says that the store has, or had, keys of the use. */
export type MadeKey = { readonly use: KeyUse };

export const madeKey = (use: KeyUse): KeyOf<MadeKey> => ({ pk: 'STORE', sk: `KEY#${use}` });
