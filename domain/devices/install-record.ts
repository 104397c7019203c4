import type { Instant } from '../shared/instant.ts';

/** What a device says it has installed. */
export type InstallRecord = {
  readonly id: number;
  readonly account_id: number;
  readonly key_id: number;
  readonly product_id: number;
  readonly version: string;
  readonly bundle_id: string | null;
  readonly installed_at: Instant;
  readonly release_id: number | null;
  readonly artifact_sha256: string | null;
  readonly recorded_at: Instant;
};
