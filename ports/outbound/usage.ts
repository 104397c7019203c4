import type { Permit } from '../../domain/access/permit.ts';
import type { InstallRecord } from '../../domain/devices/install-record.ts';
import type { UsageDay } from '../../domain/devices/usage.ts';

export interface Usage {
  /**
   * Replaces the row of each account, product, device key and date. Each row is written whole. A call that fails may
   * have written some of the rows; the same call again writes all, and changes nothing else.
   */
  save(permit: Permit, accountId: number, keyId: number, days: readonly UsageDay[]): Promise<void>;
  /**
   * The rows of an account, by product and date: of one product alone, and from a day (`YYYY-MM-DD`) on, where these
   * are not null. One whose time has just ended may still be among them.
   */
  list(
    accountId: number,
    wish?: { readonly product_id: number | null; readonly since: string | null },
  ): AsyncIterable<UsageDay & { readonly key_id: number }>;
}

export interface Installs {
  record(permit: Permit, install: InstallRecord): Promise<void>;
  /** The installs of an account, newest first. One whose time has just ended may still be among them. */
  list(accountId: number): AsyncIterable<InstallRecord>;
}
