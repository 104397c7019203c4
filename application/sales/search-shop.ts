import type { ApiKey } from '../../domain/access/api-key.ts';
import { composedId } from '../../domain/devices/seat.ts';
import { type Found, found, productsNamed } from '../../domain/sales/found.ts';
import { typedTicketNumber } from '../../domain/support/ticket.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { FindOrder } from '../billing/shop-orders.ts';

type Ports = Needs<
  | ('accounts' | 'apiKeys' | 'catalogs' | 'keySecrets' | 'licenseKeySecrets' | 'orderRecords' | 'paymentEvents')
  | ('sales' | 'tickets')
> & { findOrder: FindOrder; providerNames: readonly string[] };

const ID = /^[1-9]\d{0,15}$/;

/** A key of this service, or its beginning as lists show it, by its visible prefix. */
const OWN_KEY = /^((?:svc|lic)_.{10}).*$|[.…]+$/;

const keyFound = ({ id, name, prefix, account_id }: ApiKey): Found =>
  found('key', id, `${name} (${prefix}…)`, account_id);

/**
 * The records that a text names as a whole: about thirty look-ups by key, at once, whatever the size of the shop. A
 * full key is looked up by its hash and kept nowhere.
 */
export const searchShop = ({
  accounts,
  apiKeys,
  catalogs,
  findOrder,
  keySecrets,
  licenseKeySecrets,
  orderRecords,
  paymentEvents,
  providerNames,
  sales,
  tickets,
}: Ports) => {
  const account = async (id: number): Promise<Found[]> => {
    const one = await accounts.get(id);
    if (one) return [found('account', id, one.email, id)];
    const heir = (await accounts.erasure(id))?.merged_into;
    return heir === undefined ? [] : account(heir);
  };

  const ofAddress = async (text: string): Promise<Found[]> => {
    const one = await accounts.findByEmail(text);
    return one ? [found('account', one.id, one.email, one.id)] : [];
  };

  const order = async (text: string): Promise<Found[]> => {
    const owned = await Promise.all([findOrder(`id:${text}`), findOrder(`number:${text}`)]);
    const read = await Promise.all(
      owned.map((one) => (one.ok ? orderRecords.read(one.value.account_id, one.value.id) : undefined)),
    );
    return read.flatMap((one) => (one ? [found('order', one.order.id, one.order.number, one.order.account_id)] : []));
  };

  const key = async (text: string): Promise<Found[]> => {
    const hash = keySecrets.hash(text) ?? licenseKeySecrets.hash(text);
    const scopes = await Promise.all([
      hash && apiKeys.find(hash).then((one) => one && [one]),
      apiKeys.withPrefix(text.replace(OWN_KEY, '$1')),
      ID.test(text) &&
        apiKeys.scopeOf(Number(text)).then((scope) => scope?.keys.filter(({ id }) => id === Number(text))),
    ]);
    return scopes.flatMap((keys) => (keys || []).map(keyFound));
  };

  const ticket = async (text: string): Promise<Found[]> => {
    const number = typedTicketNumber(text);
    const id = number === undefined ? (ID.test(text) ? Number(text) : undefined) : await tickets.numbered(number);
    const one = id === undefined ? undefined : await tickets.get(id);
    return one ? [found('ticket', one.id, one.summary, one.account_id)] : [];
  };

  /** The records of a provider's id. */
  const provided =
    (text: string) =>
    async (provider: string): Promise<Found[]> => {
      const [event, name] = await Promise.all([
        paymentEvents.find({ provider, id: text }),
        paymentEvents.name(provider, text),
      ]);
      const { meaning = null } = name ?? {};
      const reference = meaning && 'order_reference' in meaning ? meaning.order_reference : text;
      const [{ records }, buyer] = await Promise.all([
        sales.read(provider, { order: reference, subscription: text }),
        meaning && 'buyer' in meaning ? ofAddress(meaning.buyer.email) : [],
      ]);
      const { order, subscription } = records;
      return [
        ...buyer,
        ...(order ? [found('order', order.id, order.number, order.account_id)] : []),
        ...(subscription ? [found('subscription', subscription.id, text, subscription.account_id)] : []),
        ...(event ? [found('event', event.id, event.type, event.account_id, provider)] : []),
      ];
    };

  return async function searchShop(typed: string): Promise<Found[]> {
    const text = composedId(typed.trim());
    if (text === '') return [];
    const { products } = await catalogs.current();
    const all = await Promise.all([
      text.includes('@') ? ofAddress(text) : [],
      ID.test(text) ? account(Number(text)) : [],
      order(text),
      key(text),
      ticket(text),
      ...providerNames.map(provided(text)),
    ]);
    const each = [...all.flat(), ...productsNamed(products.values(), text)];
    return [...new Map(each.map((one) => [`${one.kind} ${one.id} ${one.provider}`, one])).values()];
  };
};
