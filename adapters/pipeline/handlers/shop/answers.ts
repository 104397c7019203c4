import type { ApiKey } from '../../../../domain/access/api-key.ts';
import type { Permit } from '../../../../domain/access/permit.ts';
import type { Account } from '../../../../domain/accounts/account.ts';
import { type Outcome, ok, refuse } from '../../../../domain/shared/outcome.ts';
import { type ListOrder, placeOf, type StretchRequest, stretchOf } from '../../../../domain/shared/paging.ts';

type Refused = 'shop_not_found' | 'shop_refused';

/** The outcome with the shop host's refusals; their reason is the use case's code. */
export const shopOutcome = <T, V = T>(
  outcome: Outcome<T, string>,
  shape = (value: T): V => value as unknown as V,
): Outcome<V, Refused> => {
  if (outcome.ok) return ok(shape(outcome.value));
  const { code, message, data } = outcome;
  const missing = code === 'not_found' || code.endsWith('_not_found') || code === 'account_erased';
  return refuse(missing ? 'shop_not_found' : 'shop_refused', { message, data: { ...data, reason: code } });
};

export const read = async <T, V = T>(working: Promise<Outcome<T, string>>, shape?: (value: T) => V) =>
  shopOutcome(await working, shape);

/** A write of the shop, which waits for the guards. */
export const write =
  <T, V = T>(work: (permit: Permit) => Promise<Outcome<T, string>>, shape?: (value: T) => V) =>
  async ({ permit }: { readonly permit: Permit }) =>
    shopOutcome(await work(permit), shape);

/** A page of a list, with its entries in the shape that the host returns. */
export const page =
  <T, V = T>(request: StretchRequest, order: ListOrder<T>, shape = (entry: T): V => entry as unknown as V) =>
  (entries: readonly T[]) => {
    const { data, next_after } = stretchOf(entries, request, order);
    return { data: data.map(shape), next_after };
  };

/** One extra entry shows whether there is another page. */
export const oneMore = <Q extends StretchRequest>(request: Q): Q => ({ ...request, limit: request.limit + 1 });

export const BY_ID: ListOrder<{ readonly id: number }> = { place: ({ id }) => placeOf(id) };
export const NEWEST: ListOrder<{ readonly id: number }> = { ...BY_ID, highestFirst: true };

export const NO_MAIL = refuse('mail_off', { message: 'This service sends no mail.' });

/** The account without the hashes of its keys. */
export const openAccount = ({ id, email, name, created_at, suspended_at, requests_per_minute }: Account) => ({
  id,
  email,
  name,
  created_at,
  ...(suspended_at && { suspended_at }),
  ...(requests_per_minute && { requests_per_minute }),
});
export const openKey = <K extends Omit<ApiKey, 'account_id'>>({
  hash: _,
  request_hash: __,
  replaces: ___,
  ...key
}: K) => key;

/** The fields of a body or a query that are set. */
export const present = <T extends object>(body: T) =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null)) as {
    readonly [N in keyof T]?: NonNullable<T[N]>;
  };

/** The answer for a one-time link that was mailed. */
export const mailedLink = (mailed_to: string) => ({ url: null, expires_at: null, mailed_to });
