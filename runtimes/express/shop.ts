import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { FirstStartClaim } from '../../adapters/store/store-records.ts';
import { bothSteps } from '../../application/shared/steps.ts';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { isSample } from '../../domain/catalog/catalog.ts';
import type { Outcome } from '../../domain/shared/outcome.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Catalogs } from '../../ports/outbound/catalog.ts';
import type { Service } from '../composition/bootstrap.ts';
import { givesSamples } from '../configuration/auto-settings.ts';
import { type Config, ConfigError, placeOf } from '../configuration/config.ts';
import { packageRoot } from '../configuration/installation.ts';
import { openDemoAccount } from '../doctor/demo-account.ts';
import { impatience, onceThereIsRoom } from './room.ts';

/** The demo account, its products and its last order, from the document of the sample store. */
export const DEMO = {
  account_id: 1,
  email: 'demo@example.com',
  password: 'demo-password',
  product_id: 4,
  appId: 3,
  order_id: 9,
};

/** The demo account and the key that was created for it. */
export type Demo = {
  readonly email: string;
  readonly password: string;
  readonly key: string;
  readonly product_id: number;
  /** The token of an agent that collects pages for the gallery. */
  readonly agentToken: string;
  /** A Mac application, which has an appcast. */
  readonly appId: number;
};

/** Facts about a store, without personal data, such as whether it has products or accounts. */
export type Shop = {
  /** An account of the store; null for a store without accounts. */
  readonly account_id: number | null;
  /** The slug of a product; null for a store without products. */
  readonly product: string | null;
  /** True for the sample store of an earlier start. */
  readonly isSample: boolean;
};

/** An account and a product of the store, for the commands in the welcome text. */
export const readShop = async ({
  get,
}: Service<{ readonly catalogs: Catalogs; readonly accounts: Accounts }>): Promise<Shop> => {
  const [catalog, demo] = await Promise.all([get('catalogs').current(), get('accounts').get(DEMO.account_id)]);
  const account = demo ?? (await get('accounts').any());
  const [product] = catalog.products.values();
  const isOurs = demo?.email === DEMO.email && isSample(catalog);
  return { account_id: account?.id ?? null, product: product?.slug ?? null, isSample: isOurs };
};

/** True for a store that has neither products nor accounts. */
export const isEmpty = ({ account_id, product }: Shop): boolean => account_id === null && product === null;

const SAMPLES = join(packageRoot(), 'examples', 'store');
const SAMPLE_STORE = join(SAMPLES, 'store.json');
/** The first design document; the file's name is its slug. */
const DOCUMENT = 'design-principles';
const NAME = 'First start';

const claimOf = (service: Service): FirstStartClaim => new FirstStartClaim(service.get('table'), service.get('clock'));

/**
 * Loads the sample store into an empty store, signs its policy, creates a demo key and an agent's token, and approves a
 * first design document. Completes a first start that was interrupted. Returns null and changes nothing if the store
 * has products or accounts. Of several processes that start on one empty store, one fills it and the others wait, which
 * `waits` tells.
 */
export const firstStart = (
  service: Service,
  repeated = (work: () => Promise<Demo>) => work(),
  waits?: (retry: number) => void,
): Promise<Demo | null> =>
  claimOf(service).alone(async (interrupted) => {
    // Another process may have filled the store since the catalog was read.
    service.get('storedCatalogs').copy.forget();
    const isHalf = interrupted && isSample(await service.get('catalogs').current());
    return isHalf || isEmpty(await readShop(service)) ? repeated(() => fill(service)) : null;
  }, waits);

/** Repeating it completes an interrupted one. */
const fill = async (service: Service): Promise<Demo> => {
  const { loadStoreFile } = await import('../files/load-document.ts');
  const loaded = await loadStoreFile(service, SAMPLE_STORE, grantPermit());
  if (!loaded.ok) throw new Error(loaded.message ?? 'The sample store could not be loaded.');
  if ((await service.get('signingKeyRings').policy.read()).ring.length === 0)
    await service.get('createSigningKey')(grantPermit(), 'policy');
  const input = { account_id: DEMO.account_id, name: NAME, abilities: ABILITIES };
  const key = done(await service.get('createApiKey')(grantPermit(), input)).value;
  await payNow(service);
  const agent = done(await service.get('createAgentToken')(grantPermit(), { role: 'collect', name: NAME }));
  await approveDocument(service, { id: agent.token.id, name: NAME });
  const { email, password, product_id, appId } = DEMO;
  return { email, password, product_id, appId, key, agentToken: agent.value };
};

/** Sets the date of the demo account's last order to now, so that its buyer can still withdraw from it. */
const payNow = async (service: Service): Promise<void> => {
  const order = await service.get('orders').find(DEMO.account_id, DEMO.order_id);
  const now = service.get('clock').now();
  if (order) await service.get('billingRecords').saveOrder(grantPermit(), { ...order, ordered_at: now, paid_at: now });
};

/** The value of a step that cannot be refused in an empty store. */
const done = <T>(outcome: Outcome<T, string>): T => {
  if (!outcome.ok) throw new Error(outcome.message ?? `The first start failed: ${outcome.code}.`);
  return outcome.value;
};

/** Writes, submits and approves the first design document. */
const approveDocument = async (service: Service, author: { id: number; name: string }): Promise<void> => {
  const body = await readFile(join(SAMPLES, `${DOCUMENT}.md`), 'utf8');
  const permit = grantPermit();
  const version = { slug: DOCUMENT, number: 1 };
  const draft = service.get('createDocumentVersion')({ slug: DOCUMENT, body, base_version: 0, author });
  // An interrupted first start may have created it.
  if (!(await bothSteps(permit, draft)).ok) return;
  done(await bothSteps(permit, service.get('submitDocumentVersion')({ ...version, agent: author })));
  const judgement = {
    verdict: 'approved',
    reason: 'The rules that the sample pages follow.',
    reviewer: author,
  } as const;
  done(await bothSteps(permit, service.get('reviewDocumentVersion')({ ...version, ...judgement })));
};

/**
 * Examines the store. An empty one gets the sample store if the configuration says so. Otherwise it stays empty, and
 * the log has a warning, because the name of the store may be mistyped. Throws ConfigError if strangers could sign in
 * with the password of the sample store.
 */
export const openShop = async (
  config: Config,
  service: Service,
  logger: Pick<Logger, 'error' | 'warn'>,
): Promise<{ readonly demo: Demo | null; readonly shop: Shop }> => {
  const shop = await readShop(service);
  const samples = givesSamples(config);
  if (!isEmpty(shop) && !(samples && (await claimOf(service).isOpen()))) {
    const open = await openDemoAccount(config, service);
    if (open) throw new ConfigError(open);
    return { demo: null, shop };
  }
  if (samples) {
    const demo = await firstStart(
      service,
      (work) => onceThereIsRoom(config.dataDir, work, (line) => logger.error(line)),
      (retry) => {
        impatience.signal.throwIfAborted();
        if (retry > 0) return;
        logger.warn(
          'Another server fills this store with the sample shop, or was ended while it did; this start waits for at most a minute.',
        );
      },
    );
    return { demo, shop: demo ? shop : await readShop(service) };
  }
  logger.warn(`This store is empty: ${placeOf(config)} has no products and no accounts.`);
  return { demo: null, shop };
};

/** The link by which the first member opens the console; null for a shop that has members. */
export const offerSetup = async (service: Service): Promise<string | null> => {
  const code = await service.get('offerSetup')(grantPermit());
  return code && service.get('links').setupLink(code);
};
