import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { bodyAtHand } from '../../adapters/pipeline/input.ts';
import { operate } from '../../adapters/pipeline/operate.ts';
import type { ReceivedFile } from '../../application/shared/files.ts';
import { unseen } from '../../application/shared/progress.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Refused, refuse } from '../../domain/shared/outcome.ts';
import type { Service } from '../composition/bootstrap.ts';
import { type Engines, type Settings, settingsOf } from '../composition/settings.ts';
import { type Config, ConfigError, placeOf, readConfig } from '../configuration/config.ts';
import { bellAt } from '../engines/job-bell.ts';
import { isInDataDir } from '../engines/kinds.ts';
import { openOperatorEngines } from '../engines/open-engines.ts';
import { configuration, configuredUrls } from './options.ts';
import { type Sender, senderTo } from './send.ts';

/** A file of a command as an endpoint receives it. */
const received = async (file: File): Promise<ReceivedFile> => {
  const bytes = Buffer.from(await file.arrayBuffer());
  const { name, size, type } = file;
  const open = () => Readable.from([bytes]);
  return { name, size, type: type || 'application/octet-stream', sha256: hash('sha256', bytes), open };
};

/**
 * A module of a service. Types check that the areas of each service provide all parts that they need. The declared type
 * of the service with all parts would take 100 KB of the package.
 */
type Served = { readonly serve: (settings: Settings, engines: Engines) => object };

/** The services with their groups of commands. Each has only the areas that these need, because loading them takes time. */
const SERVICES: readonly (readonly [groups: string, load: () => Promise<Served>])[] = [
  ['account device team trial', () => import('./services/accounts.ts')],
  ['collect', () => import('./services/collect.ts')],
  ['export license', () => import('./services/exports.ts')],
  ['grant key', () => import('./services/licenses.ts')],
  ['owner agent-token webhook', () => import('./services/people.ts')],
  ['product publish release import look notices policy reports audit', () => import('./services/products.ts')],
  ['usage signing-key artifact-key', () => import('./services/products.ts')],
  ['order subscription event search sums sync', () => import('./services/sales.ts')],
];

/** Calls the endpoints of a service in this process. */
export const localSender = ({ get }: Service, permit: Permit): Sender =>
  senderTo(get('endpoints'), async (endpoint, { body, file, ...sent }, progress = unseen) => {
    const raw = { ...sent, body: bodyAtHand(body, file && { file: await received(file) }), locale: 'en' } as const;
    return operate(get('handle'), endpoint, raw, { permit, progress });
  });

/**
 * The refusal of a command that needs a store if there is none: its name may be mistyped, and opening it would create
 * an empty one. Throws ConfigError.
 */
export const missingStore = async (): Promise<Refused<'no_store'> | null> => {
  const config = await configuration();
  const { engine, place } = config.store;
  if (engine.exists?.(place) !== false) return null;
  return refuse('no_store', {
    message: `${placeOf(config)} holds no store; name ${isInDataDir(engine) ? 'the folder of yours' : 'yours'}, or create a store there with import, account add or by starting the server.`,
  });
};

/**
 * Runs the work on the service of a group of commands, with the engines that the environment names, and closes the
 * engines afterwards. A server may use the same engines meanwhile. Throws ConfigError for wrong variables, and the engine's own error if it can't be
 * opened.
 */
export const withService = async <T>(group: string, work: (service: Service) => Promise<T>): Promise<T> => {
  const config = await configuration();
  for (const [variable, { name, engine }] of [
    ['STORE', config.store],
    ['OBJECTS', config.objects],
  ] as const) {
    if (engine.variable === null) {
      throw new ConfigError(
        `${variable} is "${name}", which exists only inside a running server; set ${variable} to another engine to use the command line.`,
      );
    }
  }
  return withConfigured(config, group, work);
};

/** Runs the work on an empty temporary store in memory. Throws ConfigError for wrong variables. */
export const withEmptyService = <T>(work: (service: Service) => Promise<T>): Promise<T> =>
  withConfigured(readConfig({ ...process.env, STORE: 'memory', OBJECTS: 'memory' }), 'import', work);

const withConfigured = async <T>(config: Config, group: string, work: (service: Service) => Promise<T>): Promise<T> => {
  const urls = configuredUrls(config);
  const [, load] = SERVICES.find(([groups]) => groups.split(' ').includes(group)) ?? [];
  const [engines, { serve }] = await Promise.all([
    openOperatorEngines(config, urls),
    load?.() ?? import('./services/every-area.ts'),
  ]);
  try {
    const jobBell = bellAt(config.jobsQueueUrl);
    return await work(serve(settingsOf(config, urls), { ...engines, jobBell }) as Service);
  } finally {
    await engines.close();
  }
};
