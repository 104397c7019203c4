import type { Permit } from '../../domain/access/permit.ts';
import type { InstallRecord } from '../../domain/devices/install-record.ts';
import type { UsageDay } from '../../domain/devices/usage.ts';
import type { Instant } from '../../domain/shared/instant.ts';

export interface Usage {
  /** Replaces the row of each account, product, device key and date. Each 100 rows are written all or none. */
  save(permit: Permit, accountId: number, keyId: number, days: readonly UsageDay[]): Promise<void>;
  /** The rows of an account, by product and date. */
  list(accountId: number): AsyncIterable<UsageDay & { readonly key_id: number }>;
}

export interface Installs {
  record(permit: Permit, install: InstallRecord): Promise<void>;
  /** The installs of an account, oldest first. */
  list(accountId: number): AsyncIterable<InstallRecord>;
  /** The account's installs that were recorded at `moment` or later, in any order. */
  since(accountId: number, moment: Instant): Promise<readonly InstallRecord[]>;
}
