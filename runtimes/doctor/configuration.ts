import { lstat, mkdtemp, opendir, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { linksOn } from '../../adapters/host/addresses.ts';
import { type MailSettings, mailFault } from '../../adapters/mail/mailer.ts';
import { FetchRefused, guardedFetch } from '../../adapters/outbound-http/guarded-fetch.ts';
import { OpenidProvider } from '../../adapters/upstream/openid-provider.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Host } from '../../ports/inbound/hosts.ts';
import {
  type Config,
  ConfigError,
  checkWayIn,
  keepsInDataDir,
  readConfig,
  VARIABLES,
} from '../configuration/config.ts';
import type { UpstreamConfig } from '../configuration/feature-config.ts';
import { oneLine } from '../configuration/installation.ts';
import type { OwnEngines } from '../engines/kinds.ts';
import { type Finding, fine, firstOf, NAMED, next, wrong } from './finding.ts';

/** Long names only, because a short one, such as API_URL, is too similar to variables of other programs. */
const MEANT = VARIABLES.filter((name) => name.length >= 15);

/** True if one character is wrong, missing or extra, or two neighbors are swapped. */
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
 * Reports variables whose names nearly match those of the service. Otherwise the intended settings would silently keep
 * their defaults.
 */
const misspelled = (env: Environment): Finding[] =>
  Object.keys(env).flatMap((typed) =>
    MEANT.filter((meant) => isSlip(typed, meant)).map((meant) =>
      wrong('configuration', `${typed} is no variable of the service and sets nothing; name it ${meant}.`),
    ),
  );

const permissions = (mode: number): string => `mode ${(mode & 0o777).toString(8).padStart(4, '0')}`;

/** Checks that the folder exists and is writable by this user only. */
const checkDataDir = async (folder: string): Promise<Finding> => {
  try {
    const found = await stat(folder);
    if (!found.isDirectory()) return wrong('data-dir', `DATA_DIR ${folder} is not a folder; set DATA_DIR to a folder.`);
    await rm(await mkdtemp(join(folder, '.doctor-')), { recursive: true });
    const mode = permissions(found.mode);
    return (found.mode & 0o022) === 0
      ? fine('data-dir', `${folder} can be written, ${mode}.`)
      : wrong('data-dir', `Other users can write to ${folder} (${mode}); run: chmod 700 ${folder}`);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
      ? wrong('data-dir', `DATA_DIR ${folder} does not exist; the first start or import makes it.`)
      : wrong('data-dir', `DATA_DIR ${folder} can't be used: ${oneLine(error)}`);
  }
};

/** Every file and folder below a folder. Links are left out. */
async function* filesBelow(folder: string): AsyncGenerator<{ path: string; mode: number; isFolder: boolean }> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    // A running server may remove its own files meanwhile.
    const found = entry.isSymbolicLink() ? undefined : await lstat(path).catch(() => undefined);
    if (!found) continue;
    yield { path, mode: found.mode, isFolder: found.isDirectory() };
    if (found.isDirectory()) yield* filesBelow(path);
  }
}

/**
 * Checks that the files of DATA_DIR are readable only by their owner: the database and its companion files, objects,
 * keys, uploads in progress, and everything else there. The names in a folder that others can't enter may be readable.
 */
const checkModes = async (folder: string): Promise<Finding> => {
  if (process.platform === 'win32') return fine('modes', 'Windows has no file modes; the folder’s permissions count.');
  const named: string[] = [];
  let [seen, open] = [0, 0];
  try {
    for await (const { path, mode, isFolder } of filesBelow(folder)) {
      seen++;
      if ((mode & (isFolder ? 0o022 : 0o077)) === 0) continue;
      if (++open <= NAMED) named.push(`${relative(folder, path)} (${permissions(mode)})`);
    }
  } catch (error) {
    return wrong('modes', `The files in ${folder} can't be listed: ${oneLine(error)}`);
  }
  const every = countOf(seen, 'file and folder', 'files and folders');
  return open === 0
    ? fine('modes', `Only their owner can read the ${every} of ${folder}.`)
    : wrong('modes', `Others may use ${firstOf(named, open)}; run: chmod -R go= ${folder}`);
};

/** The package's error code for metadata with an unexpected issuer (OpenID Connect Discovery 1.0, 4.3). */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/**
 * Checks that the provider can be found in the same way as for a sign-in. It can't see whether the client is registered
 * there.
 */
const checkUpstream = async (upstream: UpstreamConfig, callbackUrl: string): Promise<Finding> => {
  const { issuer, name } = upstream;
  const begun = await new OpenidProvider(upstream).begin(callbackUrl).catch(oneLine);
  if (typeof begun === 'object' && begun.ok) {
    return fine('upstream', `${name} answers at ${issuer}; its client must have the redirect URI ${callbackUrl}.`);
  }
  const reason = typeof begun === 'string' ? begun : String(begun.data?.['reason']);
  return wrong(
    'upstream',
    reason === OTHER_ISSUER
      ? `The provider at ${issuer} names another issuer; set UPSTREAM_ISSUER to the issuer in its metadata, letter by letter.`
      : `There are no OpenID Connect metadata at ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration (${reason}); check UPSTREAM_ISSUER and the way to the provider from here.`,
  );
};

/** Checks that messages can be sent, as far as that shows without sending one. */
export const checkMailServer = async (mail: MailSettings | null): Promise<Finding[]> => {
  if (mail?.way !== 'smtp' && mail?.way !== 'ses') return [];
  try {
    const fault = await mailFault(mail);
    const name = mail.way === 'ses' ? 'Amazon SES' : `The mail server ${new URL(mail.url).host}`;
    return [fault === undefined ? fine('mail server', `${name} accepts messages.`) : wrong('mail server', fault)];
  } catch (error) {
    return [next('mail server', `Amazon SES could not be asked whether it sends messages (${oneLine(error)}).`)];
  }
};

/** The metadata document of a well-known client. Any response shows that the internet is reachable. */
const DOCUMENT = 'https://vscode.dev/oauth/client-metadata.json';

/** Checks the internet access that the account host needs to fetch clients' documents. */
export const checkClientDocuments = async (
  fetch: (url: string) => Promise<Response> = guardedFetch(),
): Promise<Finding> => {
  try {
    const { status } = await fetch(DOCUMENT);
    return fine('client documents', `The metadata documents of clients can be fetched: ${DOCUMENT} answers ${status}.`);
  } catch (error) {
    const why = error instanceof FetchRefused ? error.message.replace(/\.$/, '') : oneLine(error);
    return next(
      'client documents',
      `This machine can't fetch ${DOCUMENT} (${why}), so clients such as Claude Code can't sign in; allow outbound internet access, or set CLIENT_DOCUMENTS=off`,
    );
  }
};

export type Environment = Readonly<Record<string, string | undefined>>;
export type Urls = Readonly<Record<Host, string>>;

/** The options of a server's start, in addition to the environment. */
export type StartOptions = {
  /** Engines in addition to those of this package. */
  readonly engines?: OwnEngines;
  /** True if the server has its own upstream provider, which no variable names. */
  readonly ownSignIn?: boolean;
};

/**
 * Checks the variables, the data folder with its modes, and the connections to other machines. Creates no folder.
 * Without `opens`, no store can be opened with this configuration.
 */
export const checkConfiguration = async (
  env: Environment,
  urlsOf: (config: Config) => Urls,
  { engines, ownSignIn }: StartOptions,
): Promise<{ findings: Finding[]; opens?: { config: Config; urls: Urls } }> => {
  const slips = misspelled(env);
  let config: Config;
  try {
    config = readConfig(env, engines);
    checkWayIn(config, ownSignIn);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: [...error.message.split('\n').map((message) => wrong('configuration', message)), ...slips] };
  }
  const { store, objects, dataDir, upstream } = config;
  const summary = `Every variable has a valid value: store ${store.name}, objects ${objects.name}.`;
  const found = [fine('configuration', summary)];
  if (keepsInDataDir(config)) {
    const folder = await checkDataDir(dataDir);
    found.push(folder, ...(folder.ok ? [await checkModes(dataDir)] : []));
  }
  const opens = found.every(({ ok }) => ok);
  const urls = urlsOf(config);
  if (upstream) found.push(await checkUpstream(upstream, linksOn(urls).signInCallback()));
  found.push(...(await checkMailServer(config.mail)));
  // A service that only this machine can reach has no remote clients.
  if (config.clientDocuments && urls.account.startsWith('https:')) found.push(await checkClientDocuments());
  return { findings: [...slips, ...found], ...(opens && { opens: { config, urls } }) };
};
