import type { InstallRecord } from '../../domain/devices/install-record.ts';
import type { UsageDay } from '../../domain/devices/usage.ts';
import type { Instant } from '../../domain/shared/instant.ts';

export interface Usage {
  /** Replaces one row for each (account, product, device key, date), all of them or none per 100. */
  save(accountId: number, keyId: number, days: readonly UsageDay[]): Promise<void>;
  /** Rows of an account by product and date. */
  list(accountId: number): AsyncIterable<UsageDay & { readonly key_id: number }>;
}

export interface Installs {
  record(install: InstallRecord): Promise<void>;
  /** Installs of an account, oldest first. */
  list(accountId: number): AsyncIterable<InstallRecord>;
  /** Those recorded at a moment or later, in any order. */
  since(accountId: number, moment: Instant): Promise<readonly InstallRecord[]>;
}
