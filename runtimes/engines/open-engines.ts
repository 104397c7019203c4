import type { HostRoute } from '../../adapters/host/host.ts';
import { bringForward, formatOf } from '../../adapters/store/formats.ts';
import { StoreClock } from '../../adapters/store/store-clock.ts';
import { StoredMadeKeys } from '../../adapters/store/store-records.ts';
import type { Table } from '../../adapters/store/table.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { Engines } from '../composition/settings.ts';
import { type Config, endsWithTheProcess } from '../configuration/config.ts';
import { prepareDataDir } from '../configuration/data-dir.ts';
import { lazyObjects } from './built-in.ts';
import { openNamed } from './choose.ts';
import { isInDataDir, type OpenedStore, type OpenedTable, type Signatures, type SignedUrls } from './kinds.ts';
import { type OpenedKeys, openKeys, openReadKeys } from './signing-keys.ts';

/** Wraps each engine that a process opens in a measurement. */
export type Measures = {
  readonly table: (table: Table) => Table;
  readonly objects: (objects: ObjectStore) => ObjectStore;
};

/** Leaves the engines unchanged. */
export const UNMEASURED: Measures = { table: (table) => table, objects: (objects) => objects };

/** The routes of the URLs that an object store signs but does not serve itself. */
const routesOf = async (objects: ObjectStore, { downloads, uploads }: Signatures) => {
  const { downloadsRoute, uploadsRoute } = await import('../../adapters/host/signed-urls.ts');
  return { downloads: downloadsRoute(objects, downloads), uploads: uploadsRoute(objects, uploads) };
};

/** An opened object store, and the routes of the URLs that it signs. */
export type OpenedObjects = {
  readonly objects: ObjectStore;
  /** The route of signed download URLs; undefined if the object store serves them itself. */
  readonly downloads: HostRoute | undefined;
  /** The route of signed upload URLs; undefined if the object store serves them itself. */
  readonly uploads: HostRoute | undefined;
  /** Removes the files of support reports whose retention has ended; undefined if the object store does so itself. */
  readonly tidy: (() => Promise<void>) | undefined;
};

export type { OpenedKeys } from './signing-keys.ts';

export type OpenedStores = Required<Pick<Engines, 'table' | 'tableScan'>> &
  OpenedObjects &
  Pick<OpenedTable, 'faults'> & { readonly storeClock: StoreClock; readonly close: () => Promise<void> };

export type OpenedEngines = OpenedStores & OpenedKeys;

/** Reports the migration of a store's format to an operator at a terminal, or in a program's log. */
const toStandardError = (line: string): void => void process.stderr.write(`${line}\n`);

/**
 * Opens the stores and the signing keys that the configuration names; see `openStores`. Data of an older format are
 * first migrated to the current one.
 */
export const openEngines = (
  config: Config,
  urls: SignedUrls,
  measures?: Measures,
  tell = toStandardError,
): Promise<OpenedEngines> =>
  withKeys(openStores(config, urls, measures), async (stores) => {
    await bringForward(stores, tell);
    return openReadKeys(config, { made: new StoredMadeKeys(stores.table) });
  });

/** Opens the stores and the signing keys for an examination, which creates no key and leaves the data unchanged. */
export const openExamined = (config: Config, urls: SignedUrls): Promise<OpenedEngines> =>
  withKeys(openStores(config, urls), async ({ table }) => {
    await formatOf(table);
    return openKeys(config, { made: new StoredMadeKeys(table), make: false });
  });

/** Adds the keys to opened engines, and closes the engines if the keys can't be opened. */
const withKeys = async <E extends Pick<OpenedStores, 'close'>>(
  opening: Promise<E>,
  open: (engines: E) => OpenedKeys | Promise<OpenedKeys>,
): Promise<E & OpenedKeys> => {
  const engines = await opening;
  try {
    return { ...engines, ...(await open(engines)) };
  } catch (error) {
    await engines.close();
    throw error;
  }
};

/** Creates the folder of the engines that keep their data in one. */
const prepareFolder = ({ store, objects, dataDir }: Config): void => {
  if (isInDataDir(store.engine) || isInDataDir(objects.engine)) prepareDataDir(dataDir, true);
};

/**
 * Opens the table and the objects that the configuration names. `urls` are the addresses of signed downloads and
 * uploads, if the object store does not serve them itself. `measures` wraps every call of the stores.
 */
export const openStores = async (
  config: Config,
  urls: SignedUrls,
  measures: Measures = UNMEASURED,
): Promise<OpenedStores> => {
  prepareFolder(config);
  await using opened = new AsyncDisposableStack();
  const { objects: unmeasured, signatures, tidy, close } = await openObjects(config, urls);
  if (close) opened.defer(close);
  const objects = measures.objects(unmeasured);
  const routes = signatures && (await routesOf(objects, signatures));
  const storeClock = new StoreClock();
  const { table: unwatched, dump, faults } = await openTable(config, storeClock);
  const table = measures.table(unwatched);
  opened.defer(() => table.close());
  const open = opened.move();
  return {
    objects,
    downloads: routes?.downloads,
    uploads: routes?.uploads,
    tidy,
    table,
    tableScan: dump,
    ...(faults && { faults }),
    storeClock,
    close: () => open.disposeAsync(),
  };
};

/**
 * Opens the engines that an operator's command needs: no routes, and the object store and the keys only on first use,
 * because most commands use none.
 */
export const openOperatorEngines = (
  config: Config,
  urls: SignedUrls,
): Promise<Omit<Engines, 'jobBell'> & Pick<OpenedStores, 'close'>> => {
  const open = async () => {
    prepareFolder(config);
    const opened = new AsyncDisposableStack();
    const objects = lazyObjects(async () => {
      const store = await openObjects(config, urls);
      if (store.close) opened.defer(store.close);
      return store.objects;
    });
    const { table, dump } = await openTable(config);
    opened.defer(() => table.close());
    return { table, tableScan: dump, objects, close: () => opened.disposeAsync() };
  };
  return withKeys(open(), async (stores) => {
    await bringForward(stores, toStandardError);
    return openKeys(config, { made: new StoredMadeKeys(stores.table) });
  });
};

/** Opens only the table. Without a server to record the clock, it deletes no expired rows. */
export const openTable = async (config: Config, clock = new StoreClock()): Promise<OpenedTable> => {
  const { store } = config;
  if (isInDataDir(store.engine)) prepareDataDir(config.dataDir);
  return openNamed(store.name, () => store.engine.open(store.place, 'serving', clock.horizon));
};

const openObjects = async (config: Config, urls: SignedUrls): Promise<OpenedStore> => {
  const { name, engine, place } = config.objects;
  // S3 signs its own URLs, and each loaded module delays a function.
  const sign = async (): Promise<Signatures> => {
    const { keptSignatures, passingSignatures } = await import('./signatures.ts');
    return endsWithTheProcess(config) ? passingSignatures(urls) : keptSignatures(config.dataDir, urls);
  };
  const opened = await openNamed(name, () => engine.open(place, sign));
  if (!config.files) return opened;
  const { filesByCloudFront } = await import('./files-by-cloudfront.ts');
  return { ...opened, objects: filesByCloudFront(opened.objects, config.files) };
};
