import type { DownloadSignature } from '../../adapters/filesystem/download-signature.ts';
import type { UploadSignature } from '../../adapters/filesystem/upload-signature.ts';
import type { CacheAge } from '../../adapters/store/cached-copy.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { TableDump } from '../../adapters/store/table-dump.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import type { ObjectListing, ObjectStore } from '../../ports/outbound/object-store.ts';

/** The place of an engine's data. `STORE` or `OBJECTS` names the engine, and `variable` names the place. */
export type DataPlace = {
  /**
   * The variable whose value is the place, such as TABLE_NAME; null if the data ends with the process. DATA_DIR, for an
   * engine that keeps its data in the folder of the store. The value is printed and logged, so that a password has its
   * own variable.
   */
  readonly variable: string | null;
  /** The meaning of that value, for messages: "the name of the table". */
  readonly takes: string;
  /** False if there is no store at the place. Without it, `open` finds that out. */
  readonly exists?: (place: string) => boolean;
};

/** A server and most commands serve: a call fails soon. A copy is patient, because it takes the load of hours at once. */
export type Purpose = 'serving' | 'copying';

/** An open table, and the reader and writer of all of it, which is often the same object. */
export type OpenedTable = {
  readonly table: Table;
  readonly dump: TableDump;
  /** Sentences for `doctor` on what the place promises less than a store needs. */
  readonly faults?: () => Promise<readonly string[]>;
};

/** An engine for the table: everything of a store but its files. */
export type TableEngine = DataPlace & {
  /**
   * Milliseconds until a running server sees what another process has changed in the catalog; `unbounded` where no
   * other process writes to the table.
   */
  readonly catalogAge: CacheAge;
  /**
   * False if no server and no command makes a first signing key by the way, because the processes of the store share no
   * folder: an operator makes it by `signing-key create`.
   */
  readonly makesKeys?: false;
  /**
   * Opens the table at the place, and makes it where there is none. `close` of the table ends its use. Throws an error
   * whose message is one sentence that says what to do. An engine that deletes expired rows itself deletes none whose
   * expiry is later than `horizon`, in milliseconds since 1970, because the clock of the machine may be wrong.
   */
  readonly open: (place: string, purpose: Purpose, horizon?: () => number) => Promise<OpenedTable>;
};

/** Public addresses of signed downloads (API host) and signed uploads (design host). */
export type SignedUrls = Readonly<Pick<Record<Host, string>, 'api' | 'design'>>;

/** Sign the URLs of an object store that does not serve its own. */
export type Signatures = { readonly downloads: DownloadSignature; readonly uploads: UploadSignature };

/** An open object store, and what the runtimes need to know of it. */
export type OpenedStore = {
  readonly objects: ObjectStore;
  readonly listing: ObjectListing;
  /** The signatures that the store was given, where the hosts serve the URLs that it signs. */
  readonly signatures?: Signatures;
  /** Removes files whose time has ended, and what was never finished. A server calls it once a day. */
  readonly tidy?: () => Promise<void>;
  /** Ends the use of the store and frees its connections. */
  readonly close?: () => Promise<void>;
};

/** An engine for the files: releases, content assets, captures, what buyers attach to reports. */
export type ObjectsEngine = DataPlace & {
  /**
   * Opens the object store at the place. A store that serves no URLs itself calls `sign`, and returns its result as
   * `signatures`. Throws an error whose message is one sentence that says what to do.
   */
  readonly open: (place: string, sign: () => Promise<Signatures>) => Promise<OpenedStore>;
};

/** Engines by the names that `STORE`, `OBJECTS` and the places of `migrate` give them. */
export type EngineKinds = {
  readonly tables: Readonly<Record<string, TableEngine>>;
  readonly objects: Readonly<Record<string, ObjectsEngine>>;
};

/** Engines of a team's own, beside those of this package. A name is 2 or more of `a-z` and `0-9`. */
export type OwnEngines = Partial<EngineKinds>;

/** True if the engine keeps its data in a data folder. Such a folder has the keys of the store too. */
export const isInDataDir = ({ variable }: Pick<TableEngine, 'variable'>): boolean => variable === 'DATA_DIR';

/** An engine, its name and the place of its data. */
export type Chosen<E> = { readonly name: string; readonly place: string; readonly engine: E };

/** A place for people: the password of a URL is none of theirs. */
export const shownPlace = (place: string): string =>
  place.replace(/(\/\/[^/@:]*:).*@/s, '$1…@').replace(/([?&](?:ssl)?password=)[^&]*/g, '$1…');
