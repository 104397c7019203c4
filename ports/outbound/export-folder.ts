import type { ObjectBytes } from './object-store.ts';

/** A JSON document that is written member by member, in constant memory. */
export interface OpenDocument {
  /** The bytes that were written so far. */
  readonly size: number;
  /** Writes a member. Each name may come once. */
  set(name: string, value: unknown): Promise<void>;
  /** Adds an entry to a list. All entries of a list come one after the other. */
  append(list: string, entry: unknown): Promise<void>;
  /** Completes the document, which has its name only from then on. */
  close(): Promise<void>;
}

/** A new folder that takes an export. Only its owner can read it, because it holds personal data. */
export interface ExportFolder {
  /** Opens a document. Only one is open at a time. */
  open(name: string): Promise<OpenDocument>;
  /**
   * Writes a file once; a path that was written before stays as it is. Throws ChecksumMismatch where the stream has
   * other bytes than expected, and an error for a path that leads out of the folder.
   */
  keep(
    path: string,
    expected: { readonly sha256: string; readonly size: number },
    bytes: () => Promise<ObjectBytes>,
  ): Promise<void>;
}
