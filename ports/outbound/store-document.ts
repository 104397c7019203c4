import type { FileSums } from '../../domain/delivery/release.ts';
import type { ObjectBytes } from './object-store.ts';

export type FileFacts = {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  readonly sums: FileSums;
  /** The media type of the file's ending; `application/octet-stream` for an unknown ending. */
  readonly content_type: string;
};

/** Called with the number of bytes of each chunk that is read. */
export type ReadBytes = (bytes: number) => void;

/**
 * The files that an operator imports, below one folder. Paths are relative to that folder, with `/` between their
 * parts. A path that leads out of the folder, by `..` or a link, counts as missing.
 */
export interface StoreFiles {
  /** Bytes of the file; undefined if there is none. */
  size(path: string): Promise<number | undefined>;
  /** The facts of the file, read whole in constant memory; undefined if there is none. */
  facts(path: string, read?: ReadBytes): Promise<FileFacts | undefined>;
  open(path: string, read?: ReadBytes): Promise<ObjectBytes>;
  /** The whole file. Throws ChecksumMismatch if it no longer has this SHA-256. */
  read(path: string, sha256: string): Promise<Uint8Array>;
  /**
   * The sorted paths, relative to `folder`, of everything below it except folders and hidden paths (a part begins with
   * a period). Undefined if there is no such folder.
   */
  list(folder: string): Promise<string[] | undefined>;
}

/** A JSON document that is written field by field, in constant memory. */
export interface OpenDocument {
  /** The bytes that were written so far. */
  readonly size: number;
  /** Writes a member. Each name may come once. */
  set(name: string, value: unknown): Promise<void>;
  /** Adds an entry to a list. All entries of a list come one after the other. */
  append(list: string, entry: unknown): Promise<void>;
  /** Completes the document, which gets its name only then. */
  close(): Promise<void>;
}

/** A new folder for an export. Only its owner can read it, because it holds personal data. */
export interface ExportFolder {
  /** Opens a document. Only one is open at a time. */
  open(name: string): Promise<OpenDocument>;
  /**
   * Writes a file once; a path that was written before stays as it is. Throws ChecksumMismatch if the stream has other
   * bytes than expected, and an error for a path that leads out of the folder.
   */
  keep(
    path: string,
    expected: { readonly sha256: string; readonly size: number },
    bytes: () => Promise<ObjectBytes>,
  ): Promise<void>;
}
