import { licenseKeys } from '../../domain/access/api-key.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';
import type { Product } from '../../domain/catalog/product.ts';
import type { Entitlement } from '../../domain/licensing/entitlement.ts';
import { MOST_LICENSE_KEYS } from '../../domain/licensing/key-batch.ts';
import {
  isOpenOffer,
  newOffer,
  OFFERS_A_DAY,
  type TransferOffer,
  transferPlan,
} from '../../domain/licensing/transfer.ts';
import { messageAbout } from '../../domain/mail/message.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { accountMissing, accountSuspended, follow } from '../accounts/accounts.ts';
import { findBuyer } from '../sales/find-buyer.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';

type Ports = Needs<
  'accounts' | 'apiKeys' | 'catalogs' | 'clock' | 'ids' | 'pauses' | 'storedLicenses' | 'teams' | 'transfers'
>;

export type MovedGrant = {
  /** `unchanged`: an earlier call had moved it, and what was left has followed. */
  readonly result: 'transferred' | 'unchanged';
  readonly into: number;
  readonly entitlements: readonly Entitlement[];
  /** The products whose license keys and devices go along. */
  readonly products: readonly Product[];
  readonly keys: number;
};

type Refusal =
  | 'account_not_found'
  | 'account_suspended'
  | 'grant_not_found'
  | 'not_transferable'
  | 'own_address'
  | 'offer_not_found';

const OWN = refuse('own_address', {
  message: 'The license is already in the account of this address; name another one.',
});

const NO_OFFER = refuse('offer_not_found', {
  message: 'There is no such offer any more: it was accepted, cancelled or has expired.',
});

/** The writes of an entitlement and of a license key, and the most of both in one transaction. */
const [GRANT_WRITES, KEY_WRITES, MOST_WRITES] = [6, 6, 84];

type Move = { readonly from: number; readonly id: number; readonly into: number };

/**
 * Moves an entitlement to another account: for the shop (null), or only if the receiver accepts the sender's offer. An
 * interrupted call is completed by the same call.
 */
const moveGrant = (ports: Ports) => {
  const { accounts, apiKeys, catalogs, clock, pauses, storedLicenses, teams, transfers } = ports;

  return async (
    permit: Permit,
    { from, id, into }: Move,
    accepted: TransferOffer | null | undefined,
    trial = false,
  ): Promise<Outcome<MovedGrant, Refusal>> => {
    const catalog = await catalogs.current();
    const moved = await untilWritten(pauses, async (): Promise<Outcome<MovedGrant, Refusal> | typeof CONFLICT> => {
      const [heir, holdings, theirs, led] = await Promise.all([
        accounts.get(into),
        storedLicenses.held(from),
        storedLicenses.held(into),
        teams.ofAccount(from),
      ]);
      const done = theirs.entitlements.find((one) => one.id === id && one.transferred);
      if (done && (trial || (await transfers.follow(permit, { into, entitlement: done, giver: from }))))
        return ok({ result: 'unchanged', into, entitlements: [done], products: [], keys: 0 });
      if (accepted === undefined) return NO_OFFER;
      if (heir?.suspended_at) return accountSuspended(into);
      const at = clock.now();
      const plan = transferPlan(holdings, id, catalog, at, led);
      if (!plan.ok) return plan;
      const { entitlements, products } = plan.value;
      const scopes = await Promise.all(
        products.map(async ({ id: product_id }) => ({
          mine: await apiKeys.scope(from, product_id),
          theirs: await apiKeys.scope(into, product_id),
        })),
      );
      const keysOf = scopes.map(({ mine, theirs }) => [licenseKeys(mine, at).length, licenseKeys(theirs, at).length]);
      const keys = keysOf.reduce((sum, [mine = 0]) => sum + mine, 0);
      const isFull = keysOf.some(([mine = 0, theirs = 0]) => mine > 0 && mine + theirs > MOST_LICENSE_KEYS);
      if (isFull || entitlements.length * GRANT_WRITES + keys * KEY_WRITES > MOST_WRITES) {
        return refuse('not_transferable', {
          message: `${countOf(entitlements.length, 'entitlement')} and ${countOf(keys, 'license key')} are too many for one transfer or for the account that gets them, which has at most ${MOST_LICENSE_KEYS} license keys of a product; revoke keys that nobody uses first.`,
        });
      }
      const result: MovedGrant = { result: 'transferred', into, entitlements, products, keys };
      if (trial) return ok(result);
      const devices_of = products.map((product) => product.id);
      const told = accepted ? [from] : [from, into];
      const product_id = entitlements[0]?.product_id;
      const messages = told.map((account_id) => messageAbout('transferred', { account_id, id, product_id }));
      const transfer = { from, into, at, entitlements, keys: scopes, devices_of, accepted: accepted ?? undefined };
      if (await transfers.move(permit, { ...transfer, messages })) return ok(result);
      const isOpen = !accepted || (await transfers.offers(from)).some((one) => isSameJson(one, accepted));
      return isOpen ? CONFLICT : NO_OFFER;
    });
    if (!moved.ok || trial) return moved;
    const { result, entitlements, keys } = moved.value;
    const [entitlement] = entitlements;
    if (entitlement && result === 'transferred') await transfers.follow(permit, { into, entitlement });
    if (result === 'unchanged' || keys > 0) await follow({ apiKeys, pauses }, permit, into);
    return moved;
  };
};

export type TransferInput = {
  readonly from: number;
  /** The entitlement's id. */
  readonly id: number;
  /** The address of the account that gets it, which is created if there is none. */
  readonly email: string;
  /** If true, returns the decision and writes nothing; `into` is 0 for an account that would be created. */
  readonly trial?: boolean;
};

/** Transfers an entitlement at once, for the shop. Orders, receipts and subscriptions stay with the buyer. */
export const transferGrant = (ports: Ports) => {
  const [accountOf, move] = [findBuyer(ports), moveGrant(ports)];

  return async function transferGrant(
    permit: Permit,
    { email, from, id, trial }: TransferInput,
  ): Promise<Outcome<MovedGrant, Refusal | 'email_invalid'>> {
    if (!(await ports.accounts.get(from))) return accountMissing(from);
    const into = await accountOf(permit, { email, name: null, locale: null }, trial);
    if (!into.ok) return into;
    return into.value === from ? OWN : move(permit, { from, id, into: into.value }, null, trial);
  };
};

/**
 * Offers an entitlement to an address, and mails it there. The answer is the same whether the address has an account or
 * not; it moves only if that account accepts. A new offer replaces an earlier one.
 */
export const offerTransfer = (ports: Ports & Needs<'dailyBounds'>) => {
  const { catalogs, clock, dailyBounds, storedLicenses, teams, transfers } = ports;
  const accountOf = findBuyer(ports);

  return async function offerTransfer(
    permit: Permit,
    { from, id, email }: Omit<TransferInput, 'trial'>,
  ): Promise<Outcome<TransferOffer, Refusal | 'email_invalid' | 'daily_limit_reached'>> {
    const [catalog, holdings, now] = [await catalogs.current(), await storedLicenses.held(from), clock.now()];
    const plan = transferPlan(holdings, id, catalog, now, await teams.ofAccount(from));
    if (!plan.ok) return plan;
    if ((await dailyBounds.count(permit, OFFERS_A_DAY, String(from), 1, now)) > OFFERS_A_DAY.most) {
      return refuse('daily_limit_reached', {
        message: `At most ${OFFERS_A_DAY.most} licenses can be offered in a day.`,
      });
    }
    const into = await accountOf(permit, { email, name: null, locale: null });
    if (!into.ok) return into;
    if (into.value === from) return OWN;
    const product_id = plan.value.entitlements[0]?.product_id ?? 0;
    const named = { from, into: into.value, entitlement_id: id, product_id, email: canonicalAddress(email) ?? '' };
    const offer = newOffer(named, now);
    const messages = [messageAbout('transfer', { account_id: into.value, id: `${from}-${id}`, product_id })];
    return (await transfers.offer(permit, offer, messages)) ? ok(offer) : accountMissing(from);
  };
};

/** An open offer, with the sender's address for its receiver. */
export type ReceivedOffer = { readonly offer: TransferOffer; readonly sender: string };

/** The open offers by and to an account, and the entitlements that it can offer. */
export const listTransfers = ({
  accounts,
  catalogs,
  clock,
  storedLicenses,
  teams,
  transfers,
}: Needs<'accounts' | 'catalogs' | 'clock' | 'storedLicenses' | 'teams' | 'transfers'>) =>
  async function listTransfers(account_id: number) {
    const [catalog, holdings, led, all] = await Promise.all([
      catalogs.current(),
      storedLicenses.held(account_id),
      teams.ofAccount(account_id),
      transfers.offers(account_id),
    ]);
    const now = clock.now();
    const open = all.filter((offer) => isOpenOffer(offer, now));
    const received: ReceivedOffer[] = [];
    for (const offer of open.filter(({ into }) => into === account_id)) {
      const [sender, sent] = await Promise.all([accounts.get(offer.from), transfers.offers(offer.from)]);
      const isOffered = sent.some((one) => isSameJson(one, offer));
      if (sender && !sender.suspended_at && isOffered) received.push({ offer, sender: sender.email });
    }
    return {
      given: open.filter(({ from }) => from === account_id),
      received,
      transferable: holdings.entitlements.filter(({ id }) => transferPlan(holdings, id, catalog, now, led).ok),
      products: catalog.products,
    };
  };

export type ListTransfers = ReturnType<typeof listTransfers>;

export type OfferName = { readonly account_id: number; readonly from: number; readonly id: number };

/** Moves an offered entitlement to the account that accepts it. An interrupted call is completed by the same call. */
export const acceptTransfer = (ports: Ports) => {
  const [list, move] = [listTransfers(ports), moveGrant(ports)];

  return async function acceptTransfer(
    permit: Permit,
    { account_id: into, from, id }: OfferName,
  ): Promise<Outcome<MovedGrant, Refusal>> {
    const { received } = await list(into);
    const found = received.find(({ offer }) => offer.from === from && offer.entitlement_id === id);
    return move(permit, { from, id, into }, found?.offer);
  };
};

/** Ends an offer, for its sender or its receiver. */
export const cancelTransfer = ({ transfers }: Needs<'transfers'>) =>
  async function cancelTransfer(
    permit: Permit,
    { account_id, from, id }: OfferName,
  ): Promise<Outcome<TransferOffer, 'offer_not_found'>> {
    const offer = (await transfers.offers(account_id)).find((one) => one.from === from && one.entitlement_id === id);
    return offer && (await transfers.cancel(permit, offer)) ? ok(offer) : NO_OFFER;
  };
