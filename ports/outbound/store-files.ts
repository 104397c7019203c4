import type { ObjectBytes } from './object-store.ts';

export type FileFacts = {
  /** Bytes. */
  readonly size: number;
  /** Lower-case hex. */
  readonly sha256: string;
  /** Media type by the file's name; `application/octet-stream` where the name tells nothing. */
  readonly content_type: string;
};

/** Told of bytes as they are read. */
export type ReadBytes = (bytes: number) => void;

/**
 * The files that an operator brings along, below one folder. Paths are relative to it, with `/` between their parts.
 * A path that leads out of the folder, by its parts or by a link, leads nowhere.
 */
export interface StoreFiles {
  /** Bytes of the file; undefined where the path leads to none. */
  size(path: string): Promise<number | undefined>;
  /** Reads the whole file, in constant memory; undefined where the path leads to none. */
  facts(path: string, read?: ReadBytes): Promise<FileFacts | undefined>;
  open(path: string, read?: ReadBytes): Promise<ObjectBytes>;
  /** The whole file; ChecksumMismatch where it no longer has this sum. */
  read(path: string, sha256: string): Promise<Uint8Array>;
  /**
   * Paths, relative to the folder that is named, of everything below it that isn't a folder, sorted; hidden ones (a
   * part begins with a period) are left out. Undefined where the path leads to no folder.
   */
  list(folder: string): Promise<string[] | undefined>;
}
