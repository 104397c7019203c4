import type { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import type { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import type { CacheAge } from '../../adapters/store/cached-copy.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { TableDump } from '../../adapters/store/table-dump.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { ObjectListing, ObjectStore } from '../../ports/outbound/object-store.ts';

/** The location of an engine's data. `STORE` or `OBJECTS` names the engine, and `variable` names the location. */
export type DataPlace = {
  /**
   * The variable with the location, such as TABLE_NAME; DATA_DIR for an engine that keeps its data in the store's
   * folder; null if the data end with the process. The value is printed and logged, so a password needs its own
   * variable.
   */
  readonly variable: string | null;
  /** The meaning of that value, for messages: "the name of the table". */
  readonly takes: string;
  /** False if there is no store at the location. Without this function, `open` finds out. */
  readonly exists?: (place: string) => boolean;
};

/**
 * A server and most commands use `serving`: a call fails soon. A copy is patient, because it transfers hours of load at
 * once.
 */
export type Purpose = 'serving' | 'copying';

/** An open table, and its dump, which is often the same object. */
export type OpenedTable = {
  readonly table: Table;
  readonly dump: TableDump;
  /** Sentences for `doctor` about guarantees that a store needs and the location lacks. */
  readonly faults?: () => Promise<readonly string[]>;
};

/** An engine for the table: everything of a store except its files. */
export type TableEngine = DataPlace & {
  /**
   * The time, in milliseconds, until a running server sees another process's change of the catalog; `unbounded` if no
   * other process writes to the table.
   */
  readonly catalogAge: CacheAge;
  /**
   * False if no server or command may create a first signing key on the fly, because the processes of the store share
   * no folder: an operator creates it by `signing-key create`.
   */
  readonly makesKeys?: false;
  /**
   * Opens the table at the location, and creates a missing one. `close` of the table releases it. Throws an error whose
   * message is one sentence that says what to do. An engine that deletes expired rows itself keeps those with an expiry
   * later than `horizon`, in milliseconds since 1970, because the machine's clock may be wrong.
   */
  readonly open: (place: string, purpose: Purpose, horizon?: () => number) => Promise<OpenedTable>;
};

/** Public addresses of signed downloads (API host) and signed uploads (design host). */
export type SignedUrls = Readonly<Pick<Record<Host, string>, 'api' | 'design'>>;

/** Sign the URLs of an object store that does not serve its own. */
export type Signatures = { readonly downloads: DownloadSignature; readonly uploads: UploadSignature };

/** An open object store, and the information about it that the runtimes need. */
export type OpenedStore = {
  readonly objects: ObjectStore;
  readonly listing: ObjectListing;
  /** The signatures that the store received, if the hosts serve the URLs that it signs. */
  readonly signatures?: Signatures;
  /** Removes expired files and unfinished uploads. A server calls it once a day. */
  readonly tidy?: () => Promise<void>;
  /** Closes the store and frees its connections. */
  readonly close?: () => Promise<void>;
};

/** An engine for the files: releases, content assets, captures, and attachments of reports. */
export type ObjectsEngine = DataPlace & {
  /**
   * Opens the object store at the location. A store that does not serve its own URLs calls `sign`, and returns its
   * result as `signatures`. Throws an error whose message is one sentence that says what to do.
   */
  readonly open: (place: string, sign: () => Promise<Signatures>) => Promise<OpenedStore>;
};

/** Engines by the names that `STORE`, `OBJECTS` and the places of `migrate` give them. */
export type EngineKinds = {
  readonly tables: Readonly<Record<string, TableEngine>>;
  readonly objects: Readonly<Record<string, ObjectsEngine>>;
};

/** A team's own engines, in addition to those of this package. A name is 2 or more of `a-z` and `0-9`. */
export type OwnEngines = Partial<EngineKinds>;

/** True if the engine keeps its data in a data folder. Such a folder also has the keys of the store. */
export const isInDataDir = ({ variable }: Pick<TableEngine, 'variable'>): boolean => variable === 'DATA_DIR';

/** An engine, its name and the location of its data. */
export type Chosen<E> = { readonly name: string; readonly place: string; readonly engine: E };

/** The location for people, without the password of a URL. */
export const shownPlace = (place: string): string =>
  place.replace(/(\/\/[^/@:]*:).*@/s, '$1…@').replace(/([?&](?:ssl)?password=)[^&]*/g, '$1…');
