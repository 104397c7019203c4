import { beforeEach, describe, expect, test } from 'vitest';
import type { Product } from '../../domain/catalog/product.ts';
import { type Access, accessTo } from '../../domain/licensing/access.ts';
import { type Entitlement, GRANT_TYPES, type Holdings } from '../../domain/licensing/entitlement.ts';
import { STORED_SUBSCRIPTION_STATUSES, type Subscription } from '../../domain/licensing/subscription.ts';
import type { Licenses } from '../../ports/outbound/licensing.ts';
import { type ContractOptions, TIMEOUT } from './clean.ts';

/** Licenses on their own data, and the functions that change those data. */
export type LicensesAtWork = {
  readonly licenses: Licenses;
  /** Two accounts that hold nothing yet, and an id that no account has. */
  readonly accounts: readonly [number, number];
  readonly unknown: number;
  /** The ids of products that `grant` can grant, at least one; two or more enable further tests. */
  readonly products: readonly [number, ...number[]];
  /**
   * Gives an account the right to a product, as the team's own system does, starting now or earlier and without an end.
   */
  readonly grant: (account_id: number, product_id: number) => Promise<unknown> | unknown;
  /** Ends such a right now: its last day passes, a subscription ends, or an order is refunded. */
  readonly end: (account_id: number, product_id: number) => Promise<unknown> | unknown;
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** Checks of a field; each returns true for a value that the type allows. */
const isId = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) > 0;
const isInstant = (value: unknown): boolean =>
  typeof value === 'string' && INSTANT.test(value) && !Number.isNaN(Date.parse(value));
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const isRecord = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value);
const orNull =
  (isRight: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === null || isRight(value);
const oneOf =
  (values: readonly string[]) =>
  (value: unknown): boolean =>
    values.includes(value as string);

type Checks<T> = { readonly [K in keyof T]: (value: unknown) => boolean };

const ENTITLEMENT: Checks<Entitlement> = {
  id: isId,
  account_id: isId,
  product_id: isId,
  source_product_id: orNull(isId),
  order_id: orNull(isId),
  order_item_id: orNull(isId),
  grant_type: oneOf(GRANT_TYPES),
  source_quantity: isId,
  device_limit: orNull(isCount),
  granted_at: isInstant,
  revoked_at: orNull(isInstant),
  access_expires_at: orNull(isInstant),
  updates_supported_until: orNull(isInstant),
};

const SUBSCRIPTION: Checks<Subscription> = {
  id: isId,
  account_id: isId,
  product_ids: (value) => Array.isArray(value) && value.every(isId) && new Set(value).size === value.length,
  status: oneOf(STORED_SUBSCRIPTION_STATUSES),
  starts_at: isInstant,
  ends_at: orNull(isInstant),
  cancelled_at: orNull(isInstant),
  grace_days: isCount,
  device_limit: orNull(isCount),
  apps: orNull(isRecord),
  billing: orNull(isRecord),
};

/** The fields of a record that are missing, or have a value that the type does not allow. */
const faultsOf = <T extends object>(record: T, checks: Checks<T>): string[] =>
  Object.entries<(value: unknown) => boolean>(checks)
    .filter(([name, isRight]) => !isRight(record[name as keyof T]))
    .map(([name]) => `${name}: ${JSON.stringify(record[name as keyof T])}`);

const NOTHING: Holdings = { entitlements: [], subscriptions: [] };

const byId = <T extends { readonly id: number }>(records: readonly T[]): T[] =>
  [...records].sort((a, b) => a.id - b.id);

const sorted = ({ entitlements, subscriptions }: Holdings): Holdings => ({
  entitlements: byId(entitlements),
  subscriptions: byId(subscriptions),
});

const idsOf = (records: readonly { readonly id: number }[]): number[] => records.map(({ id }) => id);

/** The access that holdings give to a product without bundles, now. */
const accessIn = (holdings: Holdings, id: number): Access => {
  const product: Pick<Product, 'id' | 'device_limit'> = { id, device_limit: null };
  return accessTo(product as Product, [], holdings, new Date().toISOString());
};

/**
 * Registers the tests that every implementation of `Licenses` must pass; call it at the top of a Vitest file. The rules
 * that build on it (access, device limits, update windows) rely on these tests.
 *
 * `open` is called before each test. It returns an implementation on data that are the same each time, and functions
 * that change those data as the team's own system does, never through `Licenses`. The data may be of any kind, because
 * the tests read them only through `held`.
 */
export const licensesContract = (
  name: string,
  open: () => Promise<LicensesAtWork> | LicensesAtWork,
  { timeout = TIMEOUT }: ContractOptions = {},
): void => {
  describe(`${name} as licenses`, { timeout }, () => {
    let at: LicensesAtWork;
    let account: number;
    let other: number;
    let product: number;
    beforeEach(async () => {
      at = await open();
      [account, other] = at.accounts;
      [product] = at.products;
    }, timeout);

    const held = async (of = account, product_ids?: readonly number[]): Promise<Holdings> =>
      sorted(await at.licenses.held(of, product_ids));
    const access = async (product_id = product, of = account): Promise<Access> => accessIn(await held(of), product_id);
    const grantAll = async (): Promise<void> => {
      for (const one of at.products) await at.grant(account, one);
    };

    test('an unknown account has no holdings for any requested products', async () => {
      expect(await held(at.unknown)).toEqual(NOTHING);
      expect(await held(at.unknown, [])).toEqual(NOTHING);
      expect(await held(at.unknown, at.products)).toEqual(NOTHING);
    });

    test('an account without entitlements has no access', async () => {
      for (const one of at.products) expect(await access(one)).toMatchObject({ granted: false });
    });

    test('an entitlement takes effect from the next call on, even if the account was read before', async () => {
      for (const one of at.products) {
        expect(await access(one)).toMatchObject({ granted: false });
        await at.grant(account, one);
        expect(await access(one)).toMatchObject({ granted: true });
        expect(accessIn(await held(account, [one]), one)).toMatchObject({ granted: true });
      }
    });

    test('an ended entitlement has no effect from the next call on, and can be granted again', async () => {
      for (let times = 0; times < 3; times++) {
        await at.grant(account, product);
        expect(await access()).toMatchObject({ granted: true });
        await at.end(account, product);
        expect(await access()).toMatchObject({ granted: false });
      }
    });

    test('an ended entitlement is still returned, so its owner learns why access is gone', async () => {
      await at.grant(account, product);
      await at.end(account, product);
      const reason = expect.stringMatching(/^(access_expired|entitlement_revoked)$/);
      expect(await access()).toMatchObject({ granted: false, reason });
      expect(accessIn(await held(account, [product]), product)).toMatchObject({ granted: false, reason });
    });

    test('each account has its own entitlements, and changing one account leaves the other unchanged', async () => {
      await grantAll();
      const before = await held();
      expect(await held(other)).toEqual(await held(other, at.products));
      expect(await access(product, other)).toMatchObject({ granted: false });
      await at.grant(other, product);
      expect(await held()).toEqual(before);
      await at.end(account, product);
      expect(await access(product, other)).toMatchObject({ granted: true });
      for (const of of at.accounts) {
        const { entitlements, subscriptions } = await held(of);
        expect(new Set([...entitlements, ...subscriptions].map(({ account_id }) => account_id))).toEqual(new Set([of]));
      }
    });

    test('the same data give the same holdings each time, even for simultaneous calls', async () => {
      await grantAll();
      const first = await held();
      const asked = await Promise.all(
        Array.from({ length: 20 }, (_, i) => held(account, i % 2 ? undefined : at.products)),
      );
      expect(asked.filter((_, i) => i % 2)).toEqual(Array(10).fill(first));
      for (const { subscriptions } of asked) expect(subscriptions).toEqual(first.subscriptions);
    });

    test('entitlements for the requested products are all returned, as in a request for all', async () => {
      await grantAll();
      await at.end(account, product);
      const all = await held();
      for (const asked of [...at.products.map((one) => [one]), at.products, [...at.products].reverse()]) {
        const { entitlements } = await held(account, asked);
        const wanted = (list: readonly Entitlement[]) => list.filter(({ product_id }) => asked.includes(product_id));
        expect(wanted(entitlements)).toEqual(wanted(all.entitlements));
        expect(all.entitlements).toEqual(expect.arrayContaining([...entitlements]));
      }
    });

    test('subscriptions are all returned, whatever products are requested', async () => {
      await grantAll();
      const { subscriptions } = await held();
      for (const asked of [[], [product], at.products]) {
        expect((await held(account, asked)).subscriptions).toEqual(subscriptions);
      }
    });

    test('the ids of an account’s entitlements are different, and so are those of its subscriptions', async () => {
      await grantAll();
      await at.end(account, product);
      await at.grant(account, product);
      const { entitlements, subscriptions } = await held(account, at.products);
      for (const ids of [idsOf(entitlements), idsOf(subscriptions)]) expect(new Set(ids).size).toBe(ids.length);
    });

    test('an entitlement keeps its id when it ends and when others are added', async () => {
      await at.grant(account, product);
      const first = await held();
      await grantAll();
      await at.grant(other, product);
      await at.end(account, product);
      const after = await held();
      expect(idsOf(after.entitlements)).toEqual(expect.arrayContaining(idsOf(first.entitlements)));
      expect(idsOf(after.subscriptions)).toEqual(expect.arrayContaining(idsOf(first.subscriptions)));
    });

    test('each record has all members of its type, with values that the type allows', async () => {
      await grantAll();
      await at.end(account, product);
      const { entitlements, subscriptions } = await held();
      expect(entitlements.length + subscriptions.length).toBeGreaterThan(0);
      expect(entitlements.map((one) => faultsOf(one, ENTITLEMENT))).toEqual(entitlements.map(() => []));
      expect(subscriptions.map((one) => faultsOf(one, SUBSCRIPTION))).toEqual(subscriptions.map(() => []));
    });

    test('holdings that were read before don’t change with the data', async () => {
      await at.grant(account, product);
      const before = await held();
      const copy = structuredClone(before);
      await at.end(account, product);
      await held();
      expect(before).toEqual(copy);
    });
  });
};
