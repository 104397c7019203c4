import type { ByteRange, ObjectBytes } from '../../ports/outbound/object-store.ts';

/** A file to send. `open` gives its bytes, or a range of them. */
export type Download = {
  readonly filename: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Resolves with undefined where the store has lost the file. */
  readonly open: (range?: ByteRange) => Promise<ObjectBytes | undefined>;
};
