import type { ObjectBytes } from '../../ports/outbound/object-store.ts';

/** A file that came with a request. It is there until the request is answered, and nothing but its bytes is certain. */
export type ReceivedFile = {
  /** As the client named it, without directories; 1 to 255 characters without control characters. */
  readonly name: string;
  /** The media type that the client gave it. */
  readonly type: string;
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly open: () => ObjectBytes;
};
