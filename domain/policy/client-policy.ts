/** What clients are told to hold to (specification, Client policy), before it is signed. */
export type ClientPolicy = {
  readonly min_client_version: string;
  readonly revoked: readonly { readonly product_id: number; readonly device_id: string }[];
  /** Days that an application may go on offline after an authoritative answer. */
  readonly ttl_days: number;
  /** Hours after which it should ask again. */
  readonly recheck_hours: number;
};

/** In force until the operator sets another. */
export const DEFAULT_POLICY: ClientPolicy = {
  min_client_version: '0.0.0',
  revoked: [],
  ttl_days: 14,
  recheck_hours: 24,
};
