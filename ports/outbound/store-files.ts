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
 * parts. A path that leaves the folder, by its parts or by a link, counts as missing.
 */
export interface StoreFiles {
  /** Bytes of the file; undefined where there is none. */
  size(path: string): Promise<number | undefined>;
  /** The facts of the file, read whole in constant memory; undefined where there is none. */
  facts(path: string, read?: ReadBytes): Promise<FileFacts | undefined>;
  open(path: string, read?: ReadBytes): Promise<ObjectBytes>;
  /** The whole file. Throws ChecksumMismatch where it no longer has this SHA-256. */
  read(path: string, sha256: string): Promise<Uint8Array>;
  /**
   * The sorted paths, relative to `folder`, of everything below it except folders and hidden paths (a part begins with
   * a period). Undefined where there is no such folder.
   */
  list(folder: string): Promise<string[] | undefined>;
}
