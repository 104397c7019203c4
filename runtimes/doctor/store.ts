import { noKey } from '../../adapters/crypto/signing-key-ring-files.ts';
import { PROVIDER_NAMES } from '../../adapters/payments/providers.ts';
import { formatOf, presentFormat } from '../../adapters/store/formats.ts';
import { lastRunKey } from '../../adapters/store/keys/store.ts';
import { newestMoment } from '../../adapters/store/store-clock.ts';
import { StoredMadeKeys } from '../../adapters/store/store-records.ts';
import type { TypedTable } from '../../adapters/store/typed-table.ts';
import { eachAccount, type Progress, unseen } from '../../application/shared/progress.ts';
import { isWithoutPerson } from '../../domain/accounts/account.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';
import type { UnfinishedErasure } from '../../domain/accounts/erasure.ts';
import { claimsOf, ownerFault } from '../../domain/billing/record-owner.ts';
import { DAYS_TRIED, isStuck, type Message } from '../../domain/mail/message.ts';
import { needsShop } from '../../domain/sales/payment-event.ts';
import { clockFault } from '../../domain/shared/clock.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { addDays, hasPassed, MINUTE_MS, toInstant } from '../../domain/shared/instant.ts';
import { KEY_USES, type KeyUse } from '../../domain/signing/key-use.ts';
import { currentKey, nextKey } from '../../domain/signing/signing-key-ring.ts';
import { contradictions } from '../../domain/store-document/billing-contradictions.ts';
import type { Accounts } from '../../ports/outbound/accounts.ts';
import type { Service } from '../composition/bootstrap.ts';
import type { Config } from '../configuration/config.ts';
import { dataFiles } from '../configuration/data-dir.ts';
import { oneLine } from '../configuration/installation.ts';
import { absentKeys, makesKeys } from '../engines/signing-keys.ts';
import { openDemoAccount } from './demo-account.ts';
import { type Finding, fine, firstOf, next, type Part, wrong, wrongs } from './finding.ts';

const keyFault = async (service: Service, config: Config, use: KeyUse): Promise<string | undefined> => {
  try {
    const inSecret = config.keySecrets[use] !== '';
    const { ring } = await service.get('signingKeyRings')[use].read();
    if (ring.length > 0) return undefined;
    if (!inSecret && (await new StoredMadeKeys(service.get('table')).has(use)))
      return absentKeys(config)(dataFiles(config.dataDir).keys, use);
    // No server starts without this key. The others may be created later.
    return use === 'license' && (inSecret || !makesKeys(config)) ? noKey(use) : undefined;
  } catch (error) {
    return oneLine(error);
  }
};

/**
 * Finds keys that are lost or can't be read. It creates none, because a new key is no repair: clients trust the lost
 * one.
 */
export const checkKeys = async (service: Service, config: Config): Promise<Finding[]> => {
  const faults = await Promise.all(KEY_USES.map((use) => keyFault(service, config, use)));
  return faults.flatMap((message) => (message === undefined ? [] : [wrong('keys', message)]));
};

/** Checks that a key signs the client policy. */
export const checkPolicy = async (service: Service): Promise<Finding> => {
  try {
    const { ring } = await service.get('signingKeyRings').policy.read();
    const now = toInstant(Date.now());
    const key = currentKey(ring, now);
    if (!key) {
      const text = 'No key signs the client policy, so it is given out without a signature; run: signing-key create';
      return next('policy', text);
    }
    const { version } = (await service.get('policies').read()).policy;
    const listed = nextKey(ring, now) ? ', and the next key is listed' : '';
    return fine('policy', `Key ${key.kid} signs the client policy, whose version is ${version}${listed}.`);
  } catch (error) {
    return wrong('policy', oneLine(error));
  }
};

/** The finding about a store that does not open or respond. A damaged database can only be restored from a backup. */
export const unreadable = (error: unknown): Finding => {
  const why = oneLine(error);
  const isDamaged = /is damaged|is not a database/.test(why);
  return wrong(
    'store',
    isDamaged ? `${why} Stop the server, and restore a backup (docs/backup.md, "Restore for good").` : why,
  );
};

/** Checks that the table responds. */
export const checkTable = async (service: Part<'table'>, { store }: Config): Promise<Finding> => {
  try {
    const format = await formatOf(service.get('table'));
    const later = format < presentFormat() ? `, which the next start brings to ${presentFormat()}` : '';
    return fine('store', `The ${store.name} store opens and responds; its data format is ${format}${later}.`);
  } catch (error) {
    return unreadable(error);
  }
};

/** Reports a clock that disagrees with the newest moment that the store has seen. */
export const checkClock = async (service: Part<'table'>): Promise<Finding[]> => {
  const seen = await newestMoment(service.get('table'));
  const found = seen && clockFault(seen, toInstant(Date.now()));
  return found ? [(found.isWrong ? wrong : fine)('clock', found.message)] : [];
};

/** The problems of accounts' records, each as a short phrase. */
type Findings = Readonly<Record<'foreign' | 'fault' | 'warning' | 'address' | 'team', string[]>>;

/** Notes an account whose address mail can't reach, or whose address finds or may find another account. */
const examineAddress = async (accounts: Accounts, id: number, { address }: Findings): Promise<void> => {
  const { email } = (await accounts.get(id)) ?? { email: '' };
  if (isWithoutPerson({ id, email })) return;
  const canonical = canonicalAddress(email);
  const owner = canonical === null ? undefined : await accounts.findByEmail(canonical);
  if (!owner) address.push(`${id} (no mail or one spelling alone reaches it: account rename ${id} --email ADDRESS)`);
  else if (owner.id !== id) address.push(`${id} (one mailbox with ${owner.id}: account merge ${id} ${owner.id})`);
};

const examineAccount = async (service: Service, account_id: number, found: Findings): Promise<void> => {
  await examineAddress(service.get('accounts'), account_id, found);
  const [held, orders, invoices] = await Promise.all([
    service.get('storedLicenses').held(account_id, undefined, []),
    service.get('storedOrders').ofAccount(account_id),
    service.get('invoices').newest(account_id, { limit: Number.POSITIVE_INFINITY, passes: () => true }),
  ]);
  const listed = await service.get('listTeams')(account_id);
  for (const { product, over_used, seats } of listed.ok ? listed.value.own : []) {
    if (over_used > 0 && seats.limit > 0)
      found.team.push(`${product.slug} of account ${account_id} (${seats.used} of ${seats.limit})`);
  }
  const records = { id: account_id, ...held, orders, invoices };
  const claims = claimsOf(records, `account ${account_id}`);
  const owners = await service.get('recordOwners').of(claims.map(({ claim }) => claim));
  for (const [n, claim] of claims.entries()) {
    const fault = ownerFault(claim, owners[n]);
    if (fault) found.foreign.push(`account ${account_id} (${fault.message})`);
  }
  for (const { severity, kind, id, member, message } of contradictions(records, service.get('clock').now())) {
    found[severity].push(`${kind} ${id} of account ${account_id} (${member} ${message})`);
  }
};

/** Checks the ids, numbers and dates of accounts' orders, invoices, entitlements and subscriptions. */
export const checkAccounts = async (service: Service, progress: Progress = unseen): Promise<Finding[]> => {
  const found: Findings = { foreign: [], fault: [], warning: [], address: [], team: [] };
  let accounts = 0;
  await eachAccount(service.get('accounts'), progress, async (id) => {
    accounts++;
    await examineAccount(service, id, found);
  });
  if (accounts === 0) return [next('accounts', 'There is no account yet; run: account add --email ADDRESS')];
  const all = [
    ...wrongs('addresses', found.address, 'Settle the addresses of these accounts: {}'),
    ...wrongs('records', found.foreign, 'Two accounts have records of one id or number: {}; import one of them anew.'),
    ...wrongs('records', found.fault, 'These records contradict themselves: {}; import them anew.'),
    ...(found.team.length > 0 ? [fine('teams', `More seats are taken than were bought: ${firstOf(found.team)}.`)] : []),
    ...(found.warning.length > 0 ? [fine('records', `Check these records: ${firstOf(found.warning)}.`)] : []),
  ];
  return all.length > 0 ? all : [fine('records', `The records of ${countOf(accounts, 'account')} are consistent.`)];
};

/** Compares the sums of sales with the orders. */
export const checkSums = async (service: Service): Promise<Finding[]> => {
  if (!(await service.get('shopSales').isComplete())) {
    return [fine('sums', 'The stored orders are not all counted yet; a running server does it.')];
  }
  const { orders, sums } = await service.get('examineSums')(null);
  if (orders + sums === 0) return [fine('sums', 'The sums of sales are those of the orders.')];
  const found = `${countOf(orders, 'order')} and ${countOf(sums, 'sum')} of sales are not counted right`;
  return [wrong('sums', `${found}; run: sums rebuild`)];
};

/** The maximum number of erasures to examine. */
const MOST_ERASURES = 1000;

/**
 * Reports the progress of the erasures' scan, or names the accounts that have waited for more than an hour while no
 * scan runs.
 */
export const checkErasures = async (service: Part<'accountErasures'>): Promise<Finding[]> => {
  const before = toInstant(Date.now() - 60 * MINUTE_MS);
  const erasures = service.get('accountErasures');
  const walk = await erasures.walk();
  if (walk && walk.walked_at > before) {
    const { accounts, entries, began_at, walked_at } = walk;
    const extent = `${entries} entries read from ${began_at} to ${walked_at}`;
    return [fine('erasures', `One walk erases ${countOf(accounts.length, 'account')}: ${extent}.`)];
  }
  const unfinished = await erasures.unfinished(MOST_ERASURES);
  const named = ({ account_id, merged_into }: UnfinishedErasure): string =>
    merged_into === undefined ? String(account_id) : `${account_id} (merged into ${merged_into})`;
  const overdue = unfinished.filter(({ erased_at }) => erased_at < before).map(named);
  const why =
    'The erasure of these accounts has not ended for more than an hour: {}; run: account erase ID --yes, or account merge ID INTO --yes';
  return wrongs('erasures', overdue, why);
};

/** The number of days and the maximum number of shared devices that the check covers. */
const [SHARED_DAYS, MOST_SHARED] = [30, 1000];

/** Names the devices that two machines were recently found to share. */
export const checkDevices = async (service: Service): Promise<Finding[]> => {
  const since = addDays(toInstant(Date.now()), -SHARED_DAYS);
  const none = { until: null, account_id: null, product_id: null, by: null, subject: null };
  const shared: string[] = [];
  for await (const { account_id, subject_id } of service
    .get('auditLog')
    .list({ ...none, since, action: 'device.shared' })) {
    shared.push(`${subject_id} of account ${account_id}`);
    if (shared.length === MOST_SHARED) break;
  }
  if (shared.length === 0) return [];
  const found = `Two machines use one device, as was found in the last ${SHARED_DAYS} days: ${firstOf(shared)}`;
  return [fine('devices', `${found}. A product with "shared_devices": "refused" licenses none of them.`)];
};

/** The maximum number of messages that the check counts. */
const MOST_MESSAGES = 1000;

/**
 * Reports unsent messages, and the reason of the last fault, even if this configuration sends no mail, because the
 * servers' may.
 */
export const checkMail = async (service: Part<'catalogs' | 'messages'>, { mail }: Config): Promise<Finding[]> => {
  const now = toInstant(Date.now());
  const messages = service.get('messages');
  const [failed, waiting] = await Promise.all([messages.failed(MOST_MESSAGES), messages.waiting(MOST_MESSAGES)]);
  const stuck = waiting.filter((message) => isStuck(message, now));
  const named = ({ id, kind, account_id, fault }: Message): string =>
    `${id} (${kind}${account_id === null ? '' : ` to account ${account_id}`}: ${fault ?? 'no server sends it'})`;
  const found = [
    ...wrongs('mail', failed.map(named), 'These messages could not be sent, and are not tried again: {}'),
    ...wrongs('mail', stuck.map(named), `These messages wait for another attempt, for ${DAYS_TRIED} days: {}`),
  ];
  const { to, ...times } = (await service.get('catalogs').current()).storefront?.notify ?? {};
  const isWished = to !== undefined || Object.values(times).some((time) => time !== 'never');
  if (!mail && isWished)
    found.push(
      wrong('mail', 'The storefront sets "notify", but this service sends no mail; set SMTP_URL, or MAIL=ses.'),
    );
  if (!mail) return found;
  if (found.length > 0) return found;
  return mail.way === 'outbox'
    ? [next('mail', `Messages reach nobody: they are files in ${mail.folder}; set SMTP_URL to send them.`)]
    : [fine('mail', `Messages are sent by ${mail.way}; none has failed.`)];
};

/** The number of days after which a nightly backup counts as missing. */
const BACKUP_DAYS = 2;

/** Names the last backup of a store in a folder, which no other program backs up. */
export const checkBackup = async (service: Service, { store, objects }: Config): Promise<Finding[]> => {
  if (store.name !== 'sqlite' || objects.name !== 'filesystem') return [];
  const table: TypedTable = service.get('table');
  const last = (await table.get(lastRunKey('backup')))?.data;
  if (!last) return [next('backup', 'There is no backup of the store yet; run: backup FOLDER')];
  const found = `The last backup has the state of ${last.at}`;
  const isOld = hasPassed(addDays(last.at, BACKUP_DAYS), toInstant(Date.now()));
  return [isOld ? wrong('backup', `${found}; run: backup FOLDER`) : fine('backup', `${found}.`)];
};

/** The remedies for events that need the shop's attention, by state. */
export const SALES_LEFT = {
  refused: 'Sales are not recorded: {}. Mend what the events name, then run: event replay --refused',
  done: 'Sales are recorded in part: {}. Mend what the events name, then run: event replay --refused',
  waiting:
    'Events have waited for an hour for what another event tells: {}. Let the provider send that event again, and turn on all events of the provider',
} as const;

/**
 * Checks that the code of each configured payment provider loads, and that none of their events needs the shop's
 * attention.
 */
export const checkWebhooks = async (
  service: Part<'webhookSecrets' | 'paymentProviders' | 'paymentEvents'>,
): Promise<Finding[]> => {
  const secrets = service.get('webhookSecrets');
  const configured = PROVIDER_NAMES.filter((name) => (secrets[name]?.length ?? 0) > 0);
  const found: Finding[] = [];
  for (const name of configured) {
    try {
      await service.get('paymentProviders')(name);
    } catch (error) {
      found.push(wrong('webhooks', `${oneLine(error)}.`));
    }
  }
  const now = toInstant(Date.now());
  const open = (await Array.fromAsync(service.get('paymentEvents').opens())).filter((one) => needsShop(one, now));
  for (const [state, why] of Object.entries(SALES_LEFT)) {
    const names = open
      .filter((one) => one.state === state)
      .map(({ provider, id, reason }) => `${provider} ${id} (${reason})`);
    found.push(...wrongs('webhooks', names, why));
  }
  if (configured.length === 0 || found.length > 0) return found;
  return [
    fine('webhooks', `Events are taken of ${configured.join(', ')}; none is refused, and none has waited for an hour.`),
  ];
};

/** Names the webhooks of the shop's own systems that were paused because they failed. */
export const checkPausedWebhooks = async (service: Part<'webhooks'>): Promise<Finding[]> =>
  (await service.get('webhooks').list()).flatMap(({ webhook: { id, url, paused } }) => {
    if (paused === null || paused.reason === 'asked') return [];
    const name = `Webhook ${id} failed and is paused`;
    const since = `${new URL(url).host}, since ${paused.at}`;
    return [wrong('webhooks', `${name}: ${since}; mend the receiver, then run: webhook change ${id} --continue`)];
  });

/** Checks that nobody signs in with a published password. */
export const checkDemoAccount = async (service: Part<'accounts' | 'passwords'>, config: Config): Promise<Finding[]> => {
  const open = await openDemoAccount(config, service);
  return open ? [wrong('demo account', open)] : [];
};
