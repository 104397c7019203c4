import { AUDIT } from '../../../application/audit/list-audit.ts';
import type { ListedProduct, ListedRelease } from '../../../application/catalog/shop-products.ts';
import { REPORTS } from '../../../application/support/reports.ts';
import type { ApiKey } from '../../../domain/access/api-key.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { checkGiven } from '../../../domain/access/principal.ts';
import type { Account } from '../../../domain/accounts/account.ts';
import { ORDERS } from '../../../domain/billing/order.ts';
import { GRANTS } from '../../../domain/licensing/grant-change.ts';
import { SUBSCRIPTIONS } from '../../../domain/licensing/subscription.ts';
import type { SaleEvent } from '../../../domain/sales/sale-event.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import { type ListOrder, placeOf, type StretchRequest, stretchOf } from '../../../domain/shared/paging.ts';
import type { BodyOf } from '../../../ports/inbound/endpoint.ts';
import * as shopAccounts from '../../../ports/inbound/shop/accounts.ts';
import * as shopOrders from '../../../ports/inbound/shop/orders.ts';
import * as shopProducts from '../../../ports/inbound/shop/products.ts';
import * as shopSupport from '../../../ports/inbound/shop/support.ts';
import { areaUsing, type PartsOf } from '../area.ts';
import type { keys } from './access-keys.ts';
import type { buyers } from './accounts.ts';
import type { licensing } from './licensing.ts';
import type { operations } from './operations.ts';
import type { sales } from './sales.ts';
import type { signIn } from './sign-in.ts';
import type { support } from './support.ts';

type Uses = PartsOf<
  (typeof buyers)['parts'] &
    (typeof keys)['parts'] &
    (typeof operations)['parts'] &
    (typeof sales)['parts'] &
    (typeof support)['parts']
> &
  Pick<PartsOf<(typeof signIn)['parts']>, 'createSignInLink' | 'mailSignInLink'> &
  Pick<PartsOf<(typeof licensing)['parts']>, 'grantEntitlement'>;

type Refused = 'shop_not_found' | 'shop_refused';

/** The outcome in the refusals of the shop host, which have the code of the use case as their reason. */
const told = <T, V = T>(
  outcome: Outcome<T, string>,
  shape = (value: T): V => value as unknown as V,
): Outcome<V, Refused> => {
  if (outcome.ok) return ok(shape(outcome.value));
  const { code, message, data } = outcome;
  const missing = code === 'not_found' || code.endsWith('_not_found') || code === 'account_erased';
  return refuse(missing ? 'shop_not_found' : 'shop_refused', { message, data: { ...data, reason: code } });
};

/** A read of the shop. */
const read = async <T, V = T>(working: Promise<Outcome<T, string>>, shape?: (value: T) => V) =>
  told(await working, shape);

/** A change of the shop, which waits for the gates. */
const write =
  <T, V = T>(work: (permit: Permit) => Promise<Outcome<T, string>>, shape?: (value: T) => V) =>
  async ({ permit }: { readonly permit: Permit }) =>
    told(await work(permit), shape);

/** A page of a list: its entries are shaped as the host tells them. */
const page =
  <T, V = T>(asked: StretchRequest, order: ListOrder<T>, shape = (entry: T): V => entry as unknown as V) =>
  (entries: readonly T[]) => {
    const { data, next_after } = stretchOf(entries, asked, order);
    return { data: data.map(shape), next_after };
  };

/** One entry more than a page has tells whether there is a page after it. */
const oneMore = <Q extends StretchRequest>(asked: Q): Q => ({ ...asked, limit: asked.limit + 1 });

const BY_ID: ListOrder<{ readonly id: number }> = { place: ({ id }) => placeOf(id) };
const PRODUCTS: ListOrder<ListedProduct> = { place: ({ product }) => BY_ID.place(product) };

/** A page of releases, whose order is that of their versions. */
const releasesPage = (asked: StretchRequest, all: readonly ListedRelease[]) => {
  const last = all.findIndex((one) => BY_ID.place(one) === asked.after);
  if (asked.after !== null && last < 0) return refuse('release_not_found', { message: 'No release has this cursor.' });
  return ok(page<ListedRelease>({ ...asked, after: null }, BY_ID)(all.slice(last + 1)));
};

const NO_MAIL = refuse('mail_off', {
  message:
    'Your role has sign-in links mailed, and this shop sends no mail; a token of the role everything gets the link.',
});
const mailedLink = (mailed_to: string) => ({ url: null, expires_at: null, mailed_to });

/** An id of a path that can't be one names nothing. */
const idOf = (id: number | null): number => id ?? 0;

/** An account and a key without their hashes. */
const openAccount = ({ id, email, name, created_at, suspended_at, requests_per_minute }: Account) => ({
  id,
  email,
  name,
  created_at,
  ...(suspended_at && { suspended_at }),
  ...(requests_per_minute && { requests_per_minute }),
});
const openKey = ({ hash: _, request_hash: __, ...key }: ApiKey) => key;

type Extension = BodyOf<typeof shopAccounts.extendGrant>;

/** The terms to extend: `never` is for good, and `product` the product's own limit. */
const extensionOf = ({ access_expires_at: access, updates_supported_until: updates, device_limit }: Extension) => ({
  ...(access !== null && { access_expires_at: access === 'never' ? null : access }),
  ...(updates !== null && { updates_supported_until: updates === 'never' ? null : updates }),
  ...(device_limit !== null && { device_limit: device_limit === 'product' ? null : device_limit }),
});

const refundOf = (order: string, body: BodyOf<typeof shopOrders.refundOrder>) => ({
  order,
  item_ids: body.item_ids ?? [],
  keeps_access: body.keeps_access ?? false,
  reason: body.reason,
  trial: body.trial ?? false,
});

/** The facts of a sale as the shop's own webhooks tell them. */
const saleOf = ({
  email,
  name,
  locale,
  ordered_at,
  lines,
  ...body
}: BodyOf<typeof shopOrders.recordSale>): SaleEvent => {
  const happened_at = body.changed_at ?? ordered_at;
  const status = body.status ?? 'paid';
  return {
    provider: 'shop',
    happened_at,
    facts: {
      kind: 'order',
      reference: body.reference,
      buyer: { email, name, locale },
      status,
      ordered_at,
      paid_at: status === 'paid' ? happened_at : null,
      currency: body.currency,
      payment_method: body.payment_method ?? 'other',
      total_cents: lines.reduce((total, line) => total + line.total_cents, 0),
      vat_cents: body.vat_cents,
      receipt_url: null,
      subscription: null,
      lines: lines.map((line) => ({ ...line, quantity: line.quantity ?? 1, discount_cents: line.discount_cents ?? 0 })),
    },
  };
};

/** The parts of a publication that this host leaves to the command: patches, terms for Sparkle and other keys. */
const OF_THE_COMMAND = { sparkle: {}, deltas: [], sign_with: null, installation_type: null };

const releaseOf = (
  { account, device_id }: { readonly account: number | null; readonly device_id: string },
  { product, revoke_keys, offline_too, trial }: BodyOf<typeof shopAccounts.releaseAccountDevice>,
) => ({
  account_id: idOf(account),
  device_id,
  product,
  revoke_keys: revoke_keys ?? false,
  offline_too: offline_too ?? false,
  trial: trial ?? false,
});

const keyWishOf = (account: number | null, { abilities, ...body }: BodyOf<typeof shopAccounts.createApiKey>) => ({
  account_id: idOf(account),
  ...body,
  ...(abilities && { abilities }),
});

/** The shop host: what the shop's own systems and agents do in place of the operator's commands. */
export const shop = [
  areaUsing<Uses>()({
    parts: {},
    endpoints: shopOrders,
    handlers: (use) => ({
      listShopOrders: ({ query }) => read(use.listShopOrders(oneMore(query)), page(query, ORDERS)),
      describeOrder: ({ params }) => read(use.describeOrder(params.order)),
      refundOrder: async ({ params, body }) => write((permit) => use.refundOrder(permit, refundOf(params.order, body))),
      recordSale: async ({ body }) => write((permit) => use.recordSale(permit, saleOf(body))),
      listShopSubscriptions: ({ params, query }) =>
        read(use.listShopSubscriptions(idOf(params.account)), page(query, SUBSCRIPTIONS)),
      describeSubscription: ({ params }) =>
        read(use.describeSubscription(idOf(params.account), idOf(params.subscription))),
    }),
  }),
  areaUsing<Uses>()({
    parts: {},
    endpoints: shopAccounts,
    handlers: (use) => ({
      listAccounts: async ({ query }) => ok(page(query, BY_ID, openAccount)(await use.listAccounts(oneMore(query)))),
      findAccount: ({ body }) => read(use.findAccount(body.account), (account_id) => ({ account_id })),
      addAccount: async ({ body }) =>
        write((permit) => use.addAccount(permit, { ...body, password: null }), openAccount),
      showAccount: ({ params }) => read(use.showAccount(String(idOf(params.account)))),
      suspendAccount: async ({ params, body }) =>
        write(
          (permit) => use.suspendAccount(permit, { account_id: idOf(params.account), ...body }),
          ({ account, result }) => ({ account: openAccount(account), result }),
        ),
      createSignInLink: async ({ caller, params }) => {
        const account = idOf(params.account);
        if (caller.role !== 'everything') {
          return write(async (permit) => (await use.mailSignInLink?.(permit, account)) ?? NO_MAIL, mailedLink);
        }
        return write(
          (permit) => use.createSignInLink(permit, account),
          ({ code, expires_at }) => ({ url: use.links.signInLink(code), expires_at, mailed_to: null }),
        );
      },
      eraseAccount: async ({ params, body }) =>
        write((permit) => use.eraseAccount(permit, { account_id: idOf(params.account), trial: body.trial ?? false })),
      listGrants: ({ params, query }) => read(use.listGrants(idOf(params.account)), page(query, GRANTS)),
      grantEntitlement: async ({ params, body }) =>
        write((permit) => use.grantEntitlement(permit, { account_id: idOf(params.account), ...body })),
      extendGrant: async ({ params, body }) =>
        write((permit) =>
          use.extendGrant(permit, {
            account_id: idOf(params.account),
            id: idOf(params.id),
            extension: extensionOf(body),
          }),
        ),
      revokeGrant: async ({ params, body }) =>
        write((permit) =>
          use.revokeGrant(permit, {
            account_id: idOf(params.account),
            id: idOf(params.id),
            trial: body.trial ?? false,
          }),
        ),
      listAccountDevices: ({ params, query }) =>
        read(use.listAccountDevices({ account_id: idOf(params.account), ...query })),
      releaseAccountDevice: async ({ params, body }) =>
        write(
          (permit) => use.releaseAccountDevice(permit, releaseOf(params, body)),
          ({ keys, ...released }) => ({ ...released, keys: keys.map(openKey) }),
        ),
      listApiKeys: ({ params, query }) => read(use.listApiKeys(idOf(params.account)), page(query, BY_ID, openKey)),
      createApiKey: async ({ caller, params, body }) =>
        write(
          async (permit) => {
            const may = checkGiven(caller.role, body.abilities ?? []);
            return may.ok ? use.createApiKey(permit, keyWishOf(params.account, body)) : may;
          },
          ({ value, key, replaced }) => ({ value, key: openKey(key), replaced: replaced && openKey(replaced) }),
        ),
      revokeApiKey: async ({ params }) => write((permit) => use.revokeApiKey(permit, idOf(params.key)), openKey),
    }),
  }),
  areaUsing<Uses>()({
    parts: {},
    endpoints: shopProducts,
    handlers: (use) => ({
      listShopProducts: async ({ query }) =>
        ok(page(query, PRODUCTS)(await use.listShopProducts({ sold: query.sold ?? false }))),
      findProduct: ({ params }) => read(use.findProduct(params.named)),
      listProductReleases: async ({ params, query }) => {
        const all = await use.listProductReleases(params.named);
        return told(all.ok ? releasesPage(query, all.value) : all);
      },
      signReleaseUpload: async ({ body }) =>
        write(async (permit) => ok({ upload: await use.signReleaseUpload(permit, body) })),
      publishRelease: async ({ params, body: { sha256, ...body } }) =>
        write((permit) =>
          use.publishRelease(permit, {
            ...OF_THE_COMMAND,
            ...body,
            product: params.named,
            file: `${sha256}/${body.filename}`,
            files: use.uploadedFiles,
          }),
        ),
      changeRelease: async ({ params: { named, version }, body }) =>
        write((permit) =>
          use.changeRelease(permit, { product: named, version, change: body.change, trial: body.trial ?? false }),
        ),
    }),
  }),
  areaUsing<Uses>()({
    parts: {},
    endpoints: shopSupport,
    handlers: (use) => ({
      // Counts are read by adding nothing, which is a write for the gates.
      listReports: async ({ query }) =>
        write(async () => ok(page(query, REPORTS)(await use.listReports(oneMore(query))))),
      showReport: async ({ params }) =>
        write(async () => {
          const report = await use.showReport(params.report);
          if (!report.ok || report.value.kind !== 'support') return report;
          return ok({ ...report.value, files: await use.linkReportFiles(report.value.files) });
        }),
      answerTicket: async ({ params, body }) =>
        write((permit) =>
          use.answerTicket(permit, { id: idOf(params.ticket), text: body.text, close: body.close ?? false }),
        ),
      closeTicket: async ({ params }) => write((permit) => use.closeTicket(permit, idOf(params.ticket))),
      reopenTicket: async ({ params }) => write((permit) => use.reopenTicket(permit, idOf(params.ticket))),
      listAudit: ({ query }) => read(use.listAudit({ ...oneMore(query), by: null }), page(query, AUDIT)),
    }),
  }),
] as const;
