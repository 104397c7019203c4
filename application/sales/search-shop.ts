import type { Account } from '../../domain/accounts/account.ts';
import type { Order } from '../../domain/billing/order.ts';
import { composedId } from '../../domain/devices/seat.ts';
import { isUnclaimed } from '../../domain/licensing/key-batch.ts';
import { type Found, found, productsNamed } from '../../domain/sales/found.ts';
import { canName } from '../../domain/shared/plain-text.ts';
import { typedTicketNumber } from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindOrder } from '../billing/shop-orders.ts';

type Ports = Needs<
  | (
      | 'accounts'
      | 'apiKeys'
      | 'catalogs'
      | 'devices'
      | 'keySecrets'
      | 'licenseKeySecrets'
      | 'orderRecords'
      | 'paymentEvents'
    )
  | ('sales' | 'tickets')
> & { findOrder: FindOrder; providerNames: readonly string[] };

const ID = /^[1-9]\d{0,15}$/;

/** A key of this service, or its beginning as lists show it, by its visible prefix. */
const OWN_KEY = /^((?:svc|lic)_.{10}).*$|[.…]+$/;

/** The characters of an address with which a search begins, and the most accounts or devices that it finds. */
const [SHORTEST_BEGINNING, MOST_BEGINNING] = [3, 10];

/**
 * The records that a text names as a whole, and the accounts and devices whose addresses or ids begin with it: about
 * forty look-ups by key, at once, whatever the size of the shop. A full key is looked up by its hash and beginning, and stored nowhere.
 */
export const searchShop = (ports: Ports) => {
  const {
    accounts,
    apiKeys,
    catalogs,
    devices,
    findOrder,
    orderRecords,
    paymentEvents,
    providerNames,
    sales,
    tickets,
  } = ports;

  const account = async (one: Account | undefined): Promise<Found[]> =>
    one ? [found('account', one.id, one.email, one.id)] : [];

  const accountOf = async (id: number): Promise<Found[]> => {
    const [one, erasure] = await Promise.all([accounts.get(id), accounts.erasure(id)]);
    return erasure?.merged_into ? accountOf(erasure.merged_into) : account(one);
  };

  /** The account with an address, or those whose addresses begin with the text. */
  const addressed = async (text: string): Promise<Found[]> => {
    const exact = text.includes('@') ? await account(await accounts.findByEmail(text)) : [];
    if (exact.length > 0 || text.length < SHORTEST_BEGINNING) return exact;
    return (await Promise.all((await accounts.beginningWith(text, MOST_BEGINNING)).map(account))).flat();
  };

  const devicesNamed = async (text: string): Promise<Found[]> =>
    (await devices.named(text.replace(/[.…]+$/, ''), MOST_BEGINNING)).map(({ account_id, device_id }) =>
      found('device', device_id, device_id, account_id),
    );

  const order = (one: Order | undefined): Found[] => (one ? [found('order', one.id, one.number, one.account_id)] : []);

  const orderNamed = async (named: string): Promise<Found[]> => {
    const owned = await findOrder(named);
    return owned.ok ? order((await orderRecords.read(owned.value.account_id, owned.value.id))?.order) : [];
  };

  const keys = async (text: string): Promise<Found[]> => {
    const hash = ports.keySecrets.hash(text) ?? ports.licenseKeySecrets.hash(text);
    const [live, begun, scope] = await Promise.all([
      hash === undefined ? undefined : apiKeys.findEither(hash),
      apiKeys.withPrefix(text.replace(OWN_KEY, '$1')),
      ID.test(text) ? apiKeys.scopeOf(Number(text)) : undefined,
    ]);
    const own = scope?.keys.filter(({ id }) => String(id) === text) ?? [];
    if (live && isUnclaimed(live)) {
      return [found('key', live.id, `Unused license key of batch ${live.batch_id} (${live.prefix}…)`)];
    }
    return [...(live ? [live] : []), ...begun, ...own].map(({ id, name, prefix, account_id }) =>
      found('key', id, `${name} (${prefix}…)`, account_id),
    );
  };

  const ticket = async (text: string): Promise<Found[]> => {
    const number = typedTicketNumber(text);
    const id = number === undefined ? Number(text) : await tickets.numbered(number);
    const one = id !== undefined && ID.test(String(id)) ? await tickets.get(id) : undefined;
    return one ? [found('ticket', one.id, one.summary, one.account_id)] : [];
  };

  /** The records of a provider's id. */
  const provided = async (provider: string, text: string): Promise<Found[]> => {
    const [event, name] = await Promise.all([
      paymentEvents.find({ provider, id: text }),
      paymentEvents.name(provider, text),
    ]);
    const { meaning = null } = name ?? {};
    const reference = meaning && 'order_reference' in meaning ? meaning.order_reference : text;
    const { records } = await sales.read(provider, { order: reference, subscription: text });
    const { subscription } = records;
    return [
      ...(meaning && 'buyer' in meaning ? await account(await accounts.findByEmail(meaning.buyer.email)) : []),
      ...order(records.order),
      ...(subscription ? [found('subscription', subscription.id, text, subscription.account_id)] : []),
      ...(event ? [found('event', event.id, event.type, event.account_id, provider)] : []),
    ];
  };

  return async function searchShop(typed: string): Promise<Found[]> {
    const text = composedId(typed.trim());
    if (text === '' || !canName(text)) return [];
    const { products } = await catalogs.current();
    const all = await Promise.all([
      addressed(text),
      devicesNamed(text),
      ID.test(text) ? accountOf(Number(text)) : [],
      orderNamed(`id:${text}`),
      orderNamed(`number:${text}`),
      keys(text),
      ticket(text),
      ...providerNames.map((provider) => provided(provider, text)),
      productsNamed(products.values(), text),
    ]);
    return [
      ...new Map(all.flat().map((one) => [`${one.kind} ${one.id} ${one.provider ?? one.account_id}`, one])).values(),
    ];
  };
};
