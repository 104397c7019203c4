import type { ByteRange, ObjectBytes } from '../../ports/outbound/object-store.ts';

/** A file ready to be sent: what it is, and how to open a part of it. */
export type Download = {
  readonly filename: string;
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
  /** Undefined where the store has lost the file. */
  readonly open: (range?: ByteRange) => Promise<ObjectBytes | undefined>;
};
