import { type ApiKey, licenseKeyStep, licenseKeys, newLicenseKey } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { addressKey } from '../../domain/accounts/address.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { type EarlierLicense, earlierGrant, isGuessable, shownOf } from '../../domain/licensing/earlier-license.ts';
import { MOST_LICENSE_KEYS } from '../../domain/licensing/key-batch.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { currentKey } from '../../domain/signing/signing-key-ring.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { withPerson } from '../accounts/accounts.ts';
import { findBuyer } from '../sales/find-buyer.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import type { ReadAccess } from './access.ts';

type Ports = Needs<'apiKeys' | 'catalogs' | 'clock' | 'digest' | 'ids' | 'licenseKeySecrets' | 'pauses'> &
  SealPorts & { readAccess: ReadAccess };

type SealPorts = Needs<'licenseKeys' | 'secretBox'>;

/** The encrypted value of a key for a product that shows it again; else undefined. */
const sealedFor = async (
  { licenseKeys: ring, secretBox }: SealPorts,
  { license_keys }: Product,
  value: string,
  now: Instant,
): Promise<string | undefined> => {
  const key = typeof license_keys === 'object' ? currentKey(await ring.current(), now) : undefined;
  return key && secretBox.seal(key, value);
};

/**
 * The live license keys of a product that its buyer may see again, newest first, with their values. A value whose
 * encryption key is gone, or that was made before the product showed them, is left out.
 */
export const showLicenseKeys = ({
  apiKeys,
  catalogs,
  clock,
  licenseKeys: signing,
  secretBox,
}: SealPorts & Needs<'apiKeys' | 'catalogs' | 'clock'>) =>
  async function showLicenseKeys(account_id: number, product_id: number): Promise<string[]> {
    const product = (await catalogs.current()).products.get(product_id);
    if (typeof product?.license_keys !== 'object') return [];
    const [ring, scope] = await Promise.all([signing.current(), apiKeys.scope(account_id, product_id)]);
    const sealed = await Promise.all(
      licenseKeys(scope, clock.now())
        .toReversed()
        .map((key) => apiKeys.sealed(key)),
    );
    return sealed.flatMap((one) => (one && secretBox.open(ring, one)) ?? []);
  };

export type LicenseKeyInput = {
  readonly account_id: number;
  readonly product_id: number;
  /** The message that delivers the key. Without it, the buyer requests another key, beside the older ones. */
  readonly message?: string;
  /** If true, the buyer's existing key stays, as for a message. */
  readonly keep?: boolean;
};

/** The key, and its value, which is stored nowhere, or encrypted if the product shows it again; null if the buyer already has the key. */
export type MadeLicenseKey = { readonly key: ApiKey; readonly value: string | null };

const noKey = ({ account_id, product_id }: LicenseKeyInput) =>
  refuse('license_key_not_found', {
    message: `Account ${account_id} gets no license key for product ${product_id}: the product has none, or the account has no access to it.`,
  });

/**
 * Creates the license key of a product for an account that may use it (`licenseKeyStep`). Refuses a product without
 * license keys, and an account whose access has ended or, unless for a message, has not begun.
 */
export const makeLicenseKey = ({
  apiKeys,
  catalogs,
  clock,
  digest,
  ids,
  licenseKeySecrets,
  pauses,
  readAccess,
  licenseKeys: signing,
  secretBox,
}: Ports) =>
  async function makeLicenseKey(
    permit: Permit,
    { account_id, product_id, message, keep = false }: LicenseKeyInput,
  ): Promise<Outcome<MadeLicenseKey, 'license_key_not_found'>> {
    const catalog = await catalogs.current();
    const product = catalog.products.get(product_id);
    const access = product?.license_keys && (await readAccess(account_id, product, catalog));
    if (!product) return noKey({ account_id, product_id });
    // The mail about a subscription's payment may be sent before its subscription arrives.
    const isToCome = message !== undefined && access && !access.granted && access.reason === 'not_entitled';
    if (!access || !(access.granted || isToCome)) {
      return noKey({ account_id, product_id });
    }
    const request_hash = message === undefined ? null : digest.sha256(message);
    return untilWritten(pauses, async () => {
      const now = clock.now();
      const scope = await apiKeys.scope(account_id, product_id);
      const step = licenseKeyStep(scope, keep ? '' : request_hash, now);
      if (step.status === 'existing') return ok({ key: step.key, value: null });
      const { value, ...stored } = licenseKeySecrets.mint();
      const fresh = {
        ...{ id: ids.next(), ...stored, name: 'License key' },
        ...(request_hash !== null && { request_hash }),
        ...(step.replaces.length > 0 && { replaces: step.replaces }),
      };
      const key = newLicenseKey(scope, fresh, now);
      // If a message delivers the key, no separate message is needed.
      const messages = message === undefined ? [messageAbout('key', key)] : [];
      const sealed = await sealedFor({ licenseKeys: signing, secretBox }, product, value, now);
      const change = { add: key, ...(sealed && { sealed }), revoke: step.replaced, messages };
      const written = await apiKeys.change(permit, scope, change, now);
      return written ? ok({ key, value }) : CONFLICT;
    });
  };

export type MakeLicenseKey = ReturnType<typeof makeLicenseKey>;

/**
 * Mails the license key of a product, which is created when the mail is sent. It refuses the same requests as
 * `makeLicenseKey`.
 */
export const mailLicenseKey = ({
  accounts,
  catalogs,
  messages,
  readAccess,
}: Pick<Ports, 'catalogs' | 'readAccess'> & Needs<'accounts' | 'messages'>) =>
  async function mailLicenseKey(
    permit: Permit,
    input: LicenseKeyInput,
  ): Promise<Outcome<LicenseKeyInput, 'license_key_not_found' | 'account_without_person'>> {
    const account = await accounts.get(input.account_id);
    const may = account && withPerson(account);
    if (may?.ok === false) return may;
    const catalog = await catalogs.current();
    const product = catalog.products.get(input.product_id);
    const access = product?.license_keys && (await readAccess(input.account_id, product, catalog));
    if (!access || !access.granted) return noKey(input);
    await messages.add(permit, messageAbout('license_key', { ...input, id: input.product_id }));
    return ok(input);
  };

export type MailLicenseKey = ReturnType<typeof mailLicenseKey>;

export type ImportedKeys = {
  readonly created: number;
  readonly unchanged: number;
  readonly refused: readonly RefusedRow[];
};

/** The line of a row, and the reason, which continues from "Line 7". */
export type RefusedRow = { readonly line: number; readonly message: string };

export type EarlierKeys = {
  readonly product_id: number;
  readonly licenses: readonly EarlierLicense[];
};

type Hashed = EarlierLicense & { readonly hash: string };

/** Adds a license key by its hash to an account; false if the account has or had it. */
export const addLicenseKey = ({ apiKeys, clock, ids, pauses }: Needs<'apiKeys' | 'clock' | 'ids' | 'pauses'>) =>
  function addLicenseKey(
    permit: Permit,
    account_id: number,
    product_id: number,
    { hash, prefix, created_at }: Pick<ApiKey, 'hash' | 'prefix'> & Partial<Pick<ApiKey, 'created_at'>>,
  ): Promise<boolean> {
    return untilWritten(pauses, async () => {
      const now = clock.now();
      const scope = await apiKeys.scope(account_id, product_id);
      if (scope.keys.some((one) => one.hash === hash)) return false;
      const add = newLicenseKey(scope, { id: ids.next(), hash, prefix, name: 'License key' }, created_at ?? now);
      return (await apiKeys.change(permit, scope, { add }, now)) || CONFLICT;
    });
  };

export type AddLicenseKey = ReturnType<typeof addLicenseKey>;

/**
 * Imports the keys of an earlier system as license keys of a product. Each buyer's account is found by address, or
 * created, and gets the product with the devices of all its rows. Only hashes of the keys are stored. A row imported
 * before changes nothing, even if its key was revoked since. A refused row doesn't affect the others.
 */
export const importLicenseKeys = (
  ports: Needs<'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'grants' | 'ids' | 'licenseKeySecrets' | 'pauses'>,
) => {
  const { apiKeys, catalogs, clock, grants, ids, licenseKeySecrets } = ports;
  const accountOf = findBuyer(ports);
  const addKey = addLicenseKey(ports);

  return async function importLicenseKeys(
    permit: Permit,
    { product_id, licenses }: EarlierKeys,
  ): Promise<Outcome<ImportedKeys, 'product_without_keys'>> {
    if (!(await catalogs.current()).products.get(product_id)?.license_keys) {
      return refuse('product_without_keys', {
        message: 'The product has no license keys; import it with "license_keys": true first.',
      });
    }
    const counts = { created: 0, unchanged: 0 };
    const refused: RefusedRow[] = [];
    const refuseRow = ({ line }: EarlierLicense, message: string) => refused.push({ line, message });
    const hashed = licenses.flatMap((license): Hashed[] => {
      const hash = licenseKeySecrets.hash(license.key);
      if (isGuessable(license.key))
        refuseRow(license, 'has a key that is too short to be safe; give its buyer a new one.');
      else if (!hash) refuseRow(license, 'has a key with characters that no key may have.');
      else return [{ ...license, hash }];
      return [];
    });
    for (const [email, all] of Map.groupBy(hashed, ({ email }) => addressKey(email))) {
      const account = await accountOf(permit, { email, name: all[0]?.name ?? null, locale: null });
      const account_id = account.ok ? account.value : 0;
      const scope = await apiKeys.scope(account_id, product_id);
      const room = MOST_LICENSE_KEYS - licenseKeys(scope, clock.now()).length;
      const [known, added]: [Hashed[], Hashed[]] = [[], []];
      // Gumroad lists each payment of a subscription in a row, all with the same key.
      for (const row of new Map(all.map((one) => [one.hash, one])).values()) {
        if (!account.ok) refuseRow(row, 'has no valid email address of its buyer.');
        else if (scope.keys.some(({ hash }) => hash === row.hash)) known.push(row);
        else if (await apiKeys.findEither(row.hash))
          refuseRow(row, 'has a key that another buyer or product has already.');
        else if (added.length >= room)
          refuseRow(row, `is more than the ${MOST_LICENSE_KEYS} keys that a buyer may have.`);
        else added.push(row);
      }
      counts.unchanged += known.length;
      counts.created += added.length;
      if (added.length === 0) continue;
      // The grant comes first, so an interrupted call can be repeated for the missing keys.
      const grant = earlierGrant([...known, ...added], clock.now());
      await grants.saveEntitlement(permit, { ...grant, id: ids.next(), account_id, product_id });
      for (const { hash, key } of added) {
        await addKey(permit, account_id, product_id, { hash, prefix: shownOf(key) });
      }
    }
    return ok({ ...counts, refused: refused.sort((a, b) => a.line - b.line) });
  };
};
