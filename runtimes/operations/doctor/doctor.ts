import { join } from 'node:path';
import { noKey } from '../../../adapters/crypto/missing-keys.ts';
import { readPrivately } from '../../../adapters/crypto/secret-file.ts';
import { parseSigningKey } from '../../../adapters/crypto/signing-key-file.ts';
import { keyPartsOf } from '../../../adapters/crypto/signing-key-maker.ts';
import { keepSingleKey, SINGLE_KEY_FILES } from '../../../adapters/crypto/signing-key-ring-files.ts';
import { FetchRefused, guardedFetch } from '../../../adapters/outbound-http/guarded-fetch.ts';
import { StoredMadeKeys } from '../../../adapters/store/operations.ts';
import { StoreUnavailable } from '../../../adapters/store/table.ts';
import type { Progress } from '../../../application/operations/progress.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { countOf } from '../../../domain/shared/count-of.ts';
import { toInstant } from '../../../domain/shared/instant.ts';
import { KEY_USES, type KeyUse } from '../../../domain/signing/key-use.ts';
import { currentKey, type PrivateKey } from '../../../domain/signing/signing-key-ring.ts';
import type { Host } from '../../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../composition/areas/everything.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import {
  type Config,
  ConfigError,
  checkWayIn,
  keepsInDataDir,
  readConfig,
  VARIABLES,
} from '../../composition/config.ts';
import { dataFiles } from '../../composition/data-dir.ts';
import type { OwnEngines } from '../../composition/engines/kinds.ts';
import { oneLine } from '../../composition/faults.ts';
import { linksOn } from '../../composition/links.ts';
import { type OpenedEngines, openExamined } from '../../composition/open-engines.ts';
import type { Service } from '../../composition/service.ts';
import { settingsOf } from '../../composition/settings.ts';
import { absentKeys, makesKeys } from '../../composition/signing-keys.ts';
import { openDemoAccount } from '../demo-account.ts';
import { checkAccounts } from './accounts.ts';
import { checkCatalog } from './catalog.ts';
import { checkDataDir } from './data-dir.ts';
import { checkFiles } from './files.ts';
import { type Finding, fine, next, wrong } from './finding.ts';
import { probeObjects } from './object-probe.ts';
import { checkModes } from './open-files.ts';
import { checkPolicy } from './policy.ts';
import { repairSnapshots } from './snapshots.ts';
import { checkUpstream } from './upstream.ts';

/** A file of a single key that has not the key in use. */
type Differing = { readonly use: KeyUse; readonly file: string; readonly key: PrivateKey; readonly text: string };

const differing = async (service: Service, { keySecrets, dataDir }: Config): Promise<Differing[]> => {
  const found: Differing[] = [];
  for (const use of KEY_USES) {
    const name = SINGLE_KEY_FILES[use];
    if (name === undefined || keySecrets[use] !== '') continue;
    const file = join(dataFiles(dataDir).keys, name);
    const { ring } = await service.get('signingKeyRings')[use].read();
    const key = currentKey(ring, toInstant(Date.now()));
    const text = readPrivately(file)?.trim() ?? '';
    const there = parseSigningKey(text);
    if (key && (!there || keyPartsOf(there).kid !== key.kid)) found.push({ use, file, key, text });
  }
  return found;
};

const toldOf = ({ use, file, key, text }: Differing): string => {
  if (text === '') return `${file} is missing, and an older version would sign with a new key; run: doctor --repair`;
  const unlike = `${file} does not hold the key in use, ${key.kid}, so that nothing signs with it; `;
  return parseSigningKey(text)
    ? `${unlike}run: signing-key create --use ${use} --from ${file}`
    : `${unlike}move it away, and run: doctor --repair`;
};

/**
 * Finds a file of a single key whose key does not sign: somebody replaced or removed it after a rotation, when only
 * older versions of the service read it.
 */
const checkSingleKeys = async (service: Service, config: Config): Promise<Finding[]> =>
  (await differing(service, config)).map((one) => wrong('keys', toldOf(one)));

/** Writes the key in use to the files of a single key that are missing or empty. Any other file may be somebody's key. */
const repairSingleKeys = async (service: Service, config: Config, _permit: Permit): Promise<Finding[]> => {
  const missing = (await differing(service, config)).filter(({ text }) => text === '');
  for (const { file, key } of missing) keepSingleKey(file, key);
  return missing.map(({ file, key }) => fine('repair', `${file} has the key in use again, ${key.kid}.`));
};

/** True where the records show that the store had keys of the use. */
const had = async (service: Service, use: KeyUse): Promise<boolean> => {
  if (await new StoredMadeKeys(service.get('table')).has(use)) return true;
  if (use !== 'artifact') return false;
  const { products } = await service.get('catalogs').current();
  const released = await service.get('releases').of([...products.keys()]);
  return [...released.values()].flat().some(({ artifacts }) => artifacts.some(({ signature }) => signature != null));
};

const fault = async (service: Service, config: Config, use: KeyUse): Promise<string | undefined> => {
  try {
    const inSecret = config.keySecrets[use] !== '';
    const { ring } = await service.get('signingKeyRings')[use].read();
    if (ring.length > 0) return undefined;
    if (!inSecret && (await had(service, use))) return absentKeys(config)(join(config.dataDir, 'keys'), use);
    // No server starts without it. The keys of the others may come later.
    return use === 'license' && (inSecret || !makesKeys(config)) ? noKey(use) : undefined;
  } catch (error) {
    return oneLine(error);
  }
};

/** Finds keys that are lost or can't be read. Makes none: a new key is no repair, because clients trust the lost one. */
const checkKeys = async (service: Service, config: Config): Promise<Finding[]> => {
  const faults = await Promise.all(KEY_USES.map((use) => fault(service, config, use)));
  return faults.flatMap((message) => (message === undefined ? [] : [wrong('keys', message)]));
};

/** Long names only, because a short one, such as API_URL, is too close to variables of other programs. */
const MEANT = VARIABLES.filter((name) => name.length >= 15);

/** True if one character is wrong, missing or extra, or if two neighbours are swapped. */
const isSlip = (typed: string, meant: string): boolean => {
  if (typed === meant) return false;
  let from = 0;
  while (from < typed.length && typed[from] === meant[from]) from++;
  const most = Math.min(typed.length, meant.length) - from;
  let same = 0;
  while (same < most && typed.at(-1 - same) === meant.at(-1 - same)) same++;
  const [was, is] = [typed.slice(from, typed.length - same), meant.slice(from, meant.length - same)];
  return Math.max(was.length, is.length) === 1 || (was.length === 2 && was === `${is[1]}${is[0]}`);
};

/**
 * Findings about variables whose names are nearly those of the service. Without them, the settings meant would silently
 * keep their defaults.
 */
const misspelt = (env: Readonly<Record<string, string | undefined>>): Finding[] =>
  Object.keys(env).flatMap((typed) =>
    MEANT.filter((meant) => isSlip(typed, meant)).map((meant) =>
      wrong('configuration', `${typed} is no variable of the service and sets nothing; name it ${meant}.`),
    ),
  );

/**
 * Repairs what needs no other copy and loses nothing: the owners of orders and invoices that an older version stored,
 * the lists of the accounts' tickets, the snapshots of the catalog, and missing files of the key in use.
 */
const repair = async (service: Service, config: Config, permit: Permit): Promise<Finding[]> => {
  const mended = await service.get('mendOwners')(permit);
  const which = countOf(mended, 'order or invoice', 'orders and invoices');
  const listed = countOf(await service.get('mendTickets')(permit), 'ticket', 'tickets');
  return [
    fine('repair', `${which} of an older version got an owner, so that no other account can take the number.`),
    fine(
      'repair',
      `${listed} of an older version got into the list of an account, where its buyer and \`account show\` find it.`,
    ),
    ...(await repairSnapshots(service)),
    ...(await repairSingleKeys(service, config, permit)),
  ];
};

const CHECK = 'client documents';

/** The metadata document of a well-known client. Any answer shows that there is a way out. */
const DOCUMENT = 'https://vscode.dev/oauth/client-metadata.json';

/** Checks the way out to the internet by which the account host fetches the documents of clients. */
export const checkClientDocuments = async (
  fetch: (url: string) => Promise<Response> = guardedFetch(),
): Promise<Finding> => {
  try {
    const { status } = await fetch(DOCUMENT);
    return fine(CHECK, `The metadata documents of clients can be fetched: ${DOCUMENT} answers ${status}.`);
  } catch (error) {
    const why = error instanceof FetchRefused ? error.message.replace(/\.$/, '') : oneLine(error);
    return next(
      CHECK,
      `This machine can't fetch ${DOCUMENT} (${why}), so that clients such as Claude Code can't sign in; give it a way out to the internet, or set CLIENT_DOCUMENTS=off`,
    );
  }
};

type Environment = Readonly<Record<string, string | undefined>>;
type Urls = Readonly<Record<Host, string>>;

export type Thoroughness = {
  /** Looks whether files are there with their sizes, and reads no bytes of them. */
  readonly quick?: boolean;
  /** Repairs first, with this permit, what can be repaired without losing anything. */
  readonly repair?: Permit | undefined;
  readonly progress?: Progress;
  /** Engines beside those of this package. */
  readonly engines?: OwnEngines;
  /** True where the server has an upstream provider of its own, which no variable names. */
  readonly ownSignIn?: boolean;
};

const readOrFind = (env: Environment, { engines, ownSignIn }: Thoroughness): Config | Finding[] => {
  try {
    const config = readConfig(env, engines);
    checkWayIn(config, ownSignIn);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n').map((message) => wrong('configuration', message));
  }
};

/** A store that does not open or answer. A backup alone mends the file of a damaged database. */
const unreadable = (error: unknown): Finding => {
  const why = oneLine(error);
  return wrong(
    'store',
    /is damaged|is not a database/.test(why)
      ? `${why} Stop the server, and restore a backup (docs/backup.md, "Restore for good").`
      : why,
  );
};

const checkStore = async ({ table }: OpenedEngines, { store }: Config): Promise<Finding> => {
  try {
    await table.ping();
    return fine('store', `The ${store.name} store opens and answers, and its schema is known.`);
  } catch (error) {
    return unreadable(error);
  }
};

const checkDemo = async (service: Service, config: Config): Promise<Finding[]> => {
  const open = await openDemoAccount(config, service);
  return open ? [wrong('demo account', open)] : [];
};

const checkOpened = async (
  engines: OpenedEngines,
  config: Config,
  urls: Urls,
  { quick = false, repair: permit, progress }: Thoroughness,
): Promise<Finding[]> => {
  const service = bootstrap(settingsOf(config, urls), engines, EVERY_AREA);
  const parts = [await checkStore(engines, config), await probeObjects(engines.objects)];
  if (!parts.every(({ ok }) => ok)) return parts;
  const keys = await checkKeys(service, config);
  const files = async () => checkFiles(service, { quick, ...(progress && { progress }) });
  if (keys.length > 0) return [...parts, ...keys, ...(await files()), ...(await checkAccounts(service))];
  const repaired = permit ? await repair(service, config, permit) : [];
  return [
    ...parts,
    ...repaired,
    await checkPolicy(service),
    ...(await checkSingleKeys(service, config)),
    ...(await checkCatalog(service)),
    ...(await files()),
    ...(await checkAccounts(service)),
    ...(await checkDemo(service, config)),
  ];
};

const checkEngines = async (config: Config, urls: Urls, how: Thoroughness): Promise<Finding[]> => {
  let engines: OpenedEngines;
  try {
    engines = await openExamined(config, urls);
  } catch (error) {
    return [unreadable(error)];
  }
  try {
    return await checkOpened(engines, config, urls, how);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    return [unreadable(error)];
  } finally {
    await engines.close();
  }
};

/**
 * Checks everything that a service needs, from the environment to the bytes of its files, with one finding for each
 * check. After a wrong finding, the checks that depend on it are left out. Creates no folder. The probe of the object
 * store writes the same object each time, and `repair` writes what the docstring of that step names.
 */
export const examine = async (
  env: Environment,
  urlsOf: (config: Config) => Urls,
  how: Thoroughness = {},
): Promise<Finding[]> => {
  const config = readOrFind(env, how);
  const slips = misspelt(env);
  if (Array.isArray(config)) return [...config, ...slips];
  const { store, objects, dataDir } = config;
  const before = [
    fine('configuration', `Every variable has a valid value: store ${store.name}, objects ${objects.name}.`),
  ];
  if (keepsInDataDir(config)) before.push(await checkDataDir(dataDir));
  if (before.length > 1 && before.every(({ ok }) => ok)) before.push(await checkModes(dataDir));
  const urls = urlsOf(config);
  const { upstream } = config;
  const callback = linksOn(urls).signInCallback();
  const found = [...slips, ...before, ...(upstream ? [await checkUpstream(upstream, callback)] : [])];
  // A service on this machine alone has no clients from elsewhere.
  if (config.clientDocuments && urls.account.startsWith('https:')) found.push(await checkClientDocuments());
  return before.every(({ ok }) => ok) ? [...found, ...(await checkEngines(config, urls, how))] : found;
};
