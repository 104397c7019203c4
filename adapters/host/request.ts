import type { Readable } from 'node:stream';

/** Headers by lower-case name. Several lines of one header are joined as HTTP joins them (RFC 9110, section 5.3). */
export type HostHeaders = Readonly<Record<string, string | undefined>>;

/** A request, the same for every runtime. Mounts make it. */
export type HostRequest = {
  readonly method: string;
  /** Percent-encoded, from the first slash on, without the query. */
  readonly path: string;
  /** The part after the question mark; empty if there is none. */
  readonly query: string;
  readonly headers: HostHeaders;
  /** The client's network address, as the runtime or a trusted proxy names it; computed only when needed. */
  readonly address: () => string;
  /** Bytes of the body: 0 for a request without one, undefined where the length is not known before the end. */
  readonly length: number | undefined;
  /** The body, whole or as a stream. It is called at most once, and never for a request that is refused before. */
  readonly body: () => Uint8Array | Readable;
};
