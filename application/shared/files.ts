import type { ByteRange, ObjectBytes } from '../../ports/outbound/object-store.ts';

/** A file to send. `open` returns its bytes, or a range of them. */
export type Download = {
  readonly filename: string;
  readonly sha256: string;
  /** The size in bytes. */
  readonly size: number;
  /** Resolves with undefined if the store has lost the file. */
  readonly open: (range?: ByteRange) => Promise<ObjectBytes | undefined>;
};

/**
 * A file of a request, readable until the request is answered. `name` and `type` are claims of the client; `size` and
 * `sha256` are measured.
 */
export type ReceivedFile = {
  /** The client's name for the file, without directories; 1 to 255 characters without control characters. */
  readonly name: string;
  /** The media type that the client sent. */
  readonly type: string;
  /** The size in bytes. */
  readonly size: number;
  /** The SHA-256 in lower-case hex. */
  readonly sha256: string;
  readonly open: () => ObjectBytes;
};
