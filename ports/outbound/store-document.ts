import type { FileSums } from '../../domain/delivery/release.ts';
import type { ObjectBytes } from './object-store.ts';

export type FileFacts = {
  /** The size in bytes. */
  readonly size: number;
  /** The SHA-256 in lower-case hex. */
  readonly sha256: string;
  readonly sums: FileSums;
  /** The media type for the file's extension; `application/octet-stream` for an unknown one. */
  readonly content_type: string;
};

/** Called with the number of bytes of each chunk read. */
export type ReadBytes = (bytes: number) => void;

/**
 * The files that an operator imports, in one folder. Paths are relative to that folder, with `/` between their parts. A
 * path that leads out of the folder, by `..` or a link, counts as missing.
 */
export interface StoreFiles {
  /** The size of the file in bytes; undefined if there is none. */
  size(path: string): Promise<number | undefined>;
  /** The size, hash and type of the file, read whole in constant memory; undefined if there is none. */
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
  /** The number of bytes written so far. */
  readonly size: number;
  /** Writes a field. Each name may occur once. */
  set(name: string, value: unknown): Promise<void>;
  /** Adds an entry to a list. The entries of a list must be consecutive. */
  append(list: string, entry: unknown): Promise<void>;
  /** Completes the document, which gets its final name only then. */
  close(): Promise<void>;
}

/** A new folder for an export. Only its owner can read it, because it has personal data. */
export interface ExportFolder {
  /** Opens a document. Only one is open at a time. */
  open(name: string): Promise<OpenDocument>;
  /**
   * Writes a file once; a path that was already written stays unchanged. Throws ChecksumMismatch if the bytes of the
   * stream are not the expected ones, and an error if the path leads out of the folder.
   */
  keep(
    path: string,
    expected: { readonly sha256: string; readonly size: number },
    bytes: () => Promise<ObjectBytes>,
  ): Promise<void>;
}
