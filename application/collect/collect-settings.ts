/** The operator's settings for collectors. */
export type CollectSettings = {
  /** Seconds for which a collector keeps the lock without an upload. */
  readonly leaseSeconds: number;
};
