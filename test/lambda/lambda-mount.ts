import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEGACY_VARIABLE } from '../../adapters/lambda-events/deployment.ts';
import { bundleOf, FUNCTIONS, type FunctionName } from '../../infra/bundles/functions.ts';
import { BACKGROUND, type Route, routesOf } from '../../infra/routes.ts';
import { HOSTS, type Host } from '../../ports/inbound/hosts.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { type Mount, type MountSettings, webhookVariables } from '../surface/mount.ts';
import { EMBEDDED_BUNDLES } from './build-embedded.ts';
import { Fleet } from './fleet.ts';
import { gatewayFront } from './front.ts';

export type LambdaMount = Mount & {
  /** The log lines of the functions. */
  readonly lines: readonly string[];
  readonly fleets: Readonly<Record<FunctionName, Fleet>>;
};

const UNREACHED = 1_000_000;
const UNLIMITED = { perAccount: UNREACHED, perAgent: UNREACHED, perAddress: UNREACHED, filesPerAddress: UNREACHED };

/** The timeout of a background function's call. */
const BACKGROUND_MS = 15 * 60_000;

/** The signed URLs of the embedded object store. On AWS, S3 serves them. */
const SIGNED: Route = { path: '/downloads/{proxy+}', to: 'downloads' };

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

/** The error in a log line of a fault, or undefined for another line. */
const faultIn = (line: string): unknown => {
  if (!line.startsWith('{')) return undefined;
  const { msg, err } = JSON.parse(line) as { msg?: string; err?: unknown };
  return msg === 'fault' ? err : undefined;
};

/** The log lines of requests among the lines of functions. */
const requestsIn = (lines: readonly string[]): Record<string, unknown>[] =>
  lines
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request');

export type LambdaMountOptions = {
  readonly bundles?: string;
  readonly own?: (name: FunctionName) => Readonly<Record<string, string>>;
};

/**
 * Opens the built functions behind a local API Gateway, on the engines in `env`; `own` adds variables to a function.
 * The test's own service uses the same engines to prepare cases.
 */
export const openLambdaMount = async (
  env: Readonly<Record<string, string>>,
  given: MountSettings = {},
  { bundles = EMBEDDED_BUNDLES, own = () => ({}) }: LambdaMountOptions = {},
): Promise<LambdaMount> => {
  const lines: string[] = [];
  const faults: unknown[] = [];
  const onLine = (line: string): void => {
    lines.push(line);
    const fault = faultIn(line);
    if (fault !== undefined) faults.push(fault);
  };
  const limits = { ...UNLIMITED, ...given };
  const variables: Record<string, string> = {
    ...env,
    RATE_LIMIT_PER_MINUTE: String(limits.perAccount),
    RATE_LIMIT_AGENT_PER_MINUTE: String(limits.perAgent),
    RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(limits.perAddress),
    RATE_LIMIT_FILES_PER_MINUTE: String(limits.filesPerAddress),
    MAIL: 'outbox',
    CORS_ORIGINS: given.corsOrigins?.join(',') ?? '',
    ...webhookVariables(given),
  };
  const fleets = Object.fromEntries(
    FUNCTIONS.map((name) => {
      const timeoutMs = BACKGROUND.includes(name) ? BACKGROUND_MS : undefined;
      const ofFunction = (): Record<string, string> => ({ ...variables, ...own(name) });
      return [name, new Fleet({ bundle: bundleOf(name, bundles), env: ofFunction, onLine, timeoutMs })];
    }),
  ) as Record<FunctionName, Fleet>;
  const fronts = HOSTS.map((host) => gatewayFront([...routesOf(host), SIGNED], fleets));
  const legacy = gatewayFront(routesOf('legacy'), fleets, { [LEGACY_VARIABLE]: 'true' });
  const legacyUrl = await listen(legacy);
  const listening = await Promise.all(fronts.map(listen));
  const urls = Object.fromEntries(HOSTS.map((host, n) => [host, listening[n]])) as Record<Host, string>;
  for (const host of HOSTS) variables[`${host.toUpperCase()}_URL`] = urls[host];
  // On a store in a folder, only the functions read their keys from a secret.
  const config = readConfig(env['STORE'] === 'dynamodb' ? variables : { ...variables, LICENSE_KEY_SECRET_ARN: '' });
  const engines = await openEngines(config, urls);
  const [licenseKey] = engines.licenseSigner.publicJwks();
  if (!licenseKey) throw new Error('The engines brought no license key.');
  const { mail } = config;
  const settings = { urls, ...limits, mail, catalogAge: config.store.engine.catalogAge };
  const service = bootstrap(settings, engines, EVERY_AREA);
  const close = async (): Promise<void> => {
    for (const front of [...fronts, legacy]) {
      front.close();
      front.closeAllConnections();
    }
    await Promise.all(FUNCTIONS.map((name) => fleets[name].stop()));
    await engines.close();
  };
  return {
    urls,
    legacyUrl,
    service,
    licenseKey,
    faults,
    requestLines: () => requestsIn(lines),
    close,
    lines,
    fleets,
  };
};

/** Opens a Lambda mount on SQLite and files, in a folder that is removed with the mount. */
export const openEmbeddedLambda = async (
  settings?: MountSettings,
  env: Readonly<Record<string, string>> = {},
): Promise<LambdaMount> => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'account-service-lambda-'));
  const mount = await openLambdaMount({ DATA_DIR, STORE: 'sqlite', OBJECTS: 'filesystem', ...env }, settings);
  const close = async (): Promise<void> => {
    await mount.close();
    await rm(DATA_DIR, { recursive: true, force: true });
  };
  return { ...mount, close };
};
