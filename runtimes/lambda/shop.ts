import type { Context, ScheduledEvent } from 'aws-lambda';
import { isConsolePage } from '../../adapters/host/addresses.ts';
import { buffered } from '../../adapters/lambda-events/host-function.ts';
import { lazy } from '../../adapters/system/loading.ts';
import { agents, keys } from '../composition/areas/access.ts';
import { erasure } from '../composition/areas/accounts.ts';
import { consolePages } from '../composition/areas/console-pages.ts';
import { gallery } from '../composition/areas/design/gallery.ts';
import { shopMcp } from '../composition/areas/design/mcp.ts';
import { licensing } from '../composition/areas/licensing.ts';
import { payments, sales } from '../composition/areas/sales.ts';
import { shop } from '../composition/areas/shop.ts';
import { signIn } from '../composition/areas/sign-in.ts';
import { oauth } from '../composition/areas/sign-in-records.ts';
import { storeDocument } from '../composition/areas/store-document.ts';
import { support } from '../composition/areas/support.ts';
import { bootstrap } from '../composition/bootstrap.ts';
import { webhookRoutes } from '../composition/routes-beside.ts';
import { withSecrets } from '../configuration/secret-variables.ts';
import { checkBounded, type Examined, examinationOf } from '../doctor/bounded.ts';
import type { Finding } from '../doctor/finding.ts';
import { tellFindings } from '../doctor/watch.ts';
import { salesWorker } from '../worker/sales-worker.ts';
import { jobLog, jsonLine } from './json-lines.ts';
import { open } from './open.ts';
import { countLine } from './open-runtime.ts';

const AREAS = [
  agents,
  consolePages,
  erasure,
  gallery,
  keys,
  licensing,
  oauth,
  payments,
  sales,
  ...shop,
  shopMcp,
  signIn,
  storeDocument,
  support,
] as const;

const { service, host, config, urls, options, spool } = await open(
  'shop',
  await withSecrets(process.env),
  (settings, engines, own) =>
    bootstrap(settings, engines, AREAS, { examination: examinationOf((): Examined => service, own) }),
);

type ShopEvent = Parameters<ReturnType<typeof buffered>>[0];

const ofShop = buffered(host('shop', [service.get('shopMcp').route]));
const webhooks = buffered(host('api', webhookRoutes(service)));

/** The console, loaded with the first request for one of its pages, as by `npm start`. */
const pages = lazy(async () => {
  const [{ expressApp, gatewayAddress: addressOf }, { consoleApp }] = await Promise.all([
    import('../../adapters/lambda-events/express-app.ts'),
    import('../composition/console-app.ts'),
  ]);
  return expressApp(consoleApp({ service, urls, options, spool, addressOf, uploads: 'directly' }));
});

/**
 * The shop host with its MCP and the console, and the webhooks of payment providers on the API host. The gateway's own resource
 * distinguishes them, because a client chooses its path on either host.
 */
const answer = async (event: ShopEvent, context: Context) => {
  if (event.resource.startsWith('/webhooks/')) return webhooks(event);
  return isConsolePage(event.path) ? (await pages())(event, context) : ofShop(event);
};

const stage = process.env['STAGE'] ?? 'dev';
/**
 * Requests missing data of events from payment providers, and reports the number of events that need the shop's
 * attention to CloudWatch.
 */
const look = async (): Promise<void> => {
  await salesWorker(service.get('askProviders'), jobLog('shop', stage)).workOnce();
  const { refused, done, waiting } = await service.get('countOpenEvents')();
  jsonLine('info', countLine(stage, 'sale_events', refused + done + waiting), 'sale events');
};

/** Examines the store with the configuration of the functions, and reports the number of problems to CloudWatch. */
const examine = async (): Promise<readonly Finding[]> => {
  const findings = await checkBounded(service, config);
  const wrong = findings.filter(({ ok }) => !ok);
  const fields = { ...countLine(stage, 'doctor_wrong', wrong.length), function: 'shop', wrong };
  jsonLine(wrong.length > 0 ? 'error' : 'info', fields, 'doctor');
  await tellFindings(service, findings, null);
  return findings;
};

/** Schedules call it too. An operator may send the doctor's event, and gets the findings. */
export const handler = (event: ShopEvent | ScheduledEvent | { readonly doctor: true }, context: Context) => {
  if ('doctor' in event) return examine();
  return 'resource' in event ? answer(event, context) : look();
};
