import { memberWith } from '../../domain/access/member.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { Account } from '../../domain/accounts/account.ts';
import {
  merchantOfRecord,
  type Order,
  productsOfOrder,
  type Refund,
  UNPAID_STATUSES,
} from '../../domain/billing/order.ts';
import { moneyBack, refundedMoney } from '../../domain/billing/refund.ts';
import { zoneOf } from '../../domain/catalog/catalog.ts';
import { shownDeviceId } from '../../domain/devices/seat.ts';
import { accessTo, productsBrought } from '../../domain/licensing/access.ts';
import { isOpenOffer } from '../../domain/licensing/transfer.ts';
import {
  INVITATIONS_OF_ADDRESS,
  isSameRefund,
  type Message,
  NOTICES_A_DAY,
  WAYS_IN_NOTICES_A_DAY,
} from '../../domain/mail/message.ts';
import type { Facts, LicenseKeyFact } from '../../domain/mail/texts.ts';
import { HOUR_MS, millis } from '../../domain/shared/instant.ts';
import { inLocale, type Locale, type Localized } from '../../domain/shared/locale.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import type { SignInMethods } from '../../domain/sign-in/session.ts';
import { LINK_MINUTES } from '../../domain/sign-in/sign-in-link.ts';
import { type Ticket, ticketNumber } from '../../domain/support/ticket.ts';
import { invitationOf } from '../../domain/teams/team.ts';
import type { Links } from '../../ports/outbound/links.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { MakeLicenseKey } from '../licensing/license-keys.ts';
import { findBuyer } from '../sales/find-buyer.ts';
import type { MailLink, MailOrderLink, MailUndoLink } from '../sign-in/sign-in-links.ts';

export type Ports = Needs<
  | 'accounts'
  | 'apiKeys'
  | 'catalogs'
  | 'clock'
  | 'dailyBounds'
  | 'devices'
  | 'digest'
  | 'ids'
  | 'licenses'
  | 'links'
  | 'members'
  | 'orders'
  | 'pauses'
  | 'rateLimits'
  | 'releases'
  | 'teams'
  | 'tickets'
  | 'transfers'
> & {
  makeLicenseKey: MakeLicenseKey;
  signInMethods: SignInMethods;
  mailLink: MailLink;
  mailOrderLink: MailOrderLink;
  mailUndoLink: MailUndoLink;
};

/** The maximum number of characters of a ticket's text that its confirmation quotes. */
const QUOTED = 4000;

/** The account that a message is about; undefined if it was erased, or no account has the typed address. */
export const recipientOf = (
  { accounts }: Pick<Ports, 'accounts'>,
  { account_id, email, notice }: Message,
): Promise<Account | undefined> =>
  notice
    ? Promise.resolve(undefined)
    : account_id === null
      ? accounts.findByEmail(email ?? '')
      : accounts.get(account_id);

/**
 * Reads a message's facts when it is sent; undefined if it is obsolete, for example about a key that was revoked
 * meanwhile. One-time codes and license keys are created here, so no stored message ever holds one.
 */
export const messageFacts = (ports: Ports) => {
  const { accounts, apiKeys, catalogs, clock, dailyBounds, devices, links, orders, tickets, signInMethods } = ports;
  const { digest, licenses, mailLink, mailOrderLink, members, makeLicenseKey, rateLimits, releases, teams, transfers } =
    ports;
  // An invited person without an account gets one by the mail, so its sender can't tell who has one.
  const invitee = findBuyer(ports);

  const productName = async (id: number | null, locale: Locale, sold: Localized | null = null): Promise<string> => {
    const product = id === null ? undefined : (await catalogs.current()).products.get(id);
    return inLocale(sold ?? product?.name ?? {}, locale) ?? `#${id}`;
  };

  const ticketFacts = (ticket: Ticket) => ({
    number: ticketNumber(ticket),
    subject: plainName(ticket.summary) ?? '',
    url: links.ownPage(`support/${ticket.id}`),
  });

  /** False once the account has had its daily maximum of a kind of notice. */
  const mayNotify = async (permit: Permit, { id }: Account, bound = WAYS_IN_NOTICES_A_DAY): Promise<boolean> =>
    (await dailyBounds.count(permit, bound, String(id), 1, clock.now())) <= bound.most;

  /**
   * False if the account was already told about the device in this clock hour, as when the device returns or takes a
   * slot of another product.
   */
  const isNewsOfHour = async ({ account_id, subject_id, attempts }: Message): Promise<boolean> => {
    const hour = Math.floor(millis(clock.now()) / HOUR_MS);
    const subject = `device#${digest.sha256(`${account_id} ${subject_id}`)}`;
    // A retried message was counted at its first attempt.
    return attempts > 1 || ((await rateLimits.hit(subject, hour, (hour + 2) * 3600)) ?? 1) === 1;
  };

  /** The name of a device, which only its slot of another product may have; otherwise the beginning of its id. */
  const deviceNameOf = async ({ account_id, subject_id }: Message): Promise<string> => {
    const owner = account_id ?? 0;
    const taken = [...(await devices.used(owner)).keys()];
    const held = await Promise.all(taken.map((id) => devices.find(owner, id, subject_id)));
    return held.find(({ device }) => device?.name)?.device?.name ?? shownDeviceId(subject_id);
  };

  /** The license key in a message. If the buyer already has it, only its first characters are shown. */
  const licenseKeyOf = async (permit: Permit, { id, account_id }: Message, product_id: number, locale: Locale) => {
    const made = await makeLicenseKey(permit, { account_id: account_id ?? 0, product_id, message: `message ${id}` });
    if (!made.ok) return undefined;
    const { key, value } = made.value;
    return { product: await productName(product_id, locale), prefix: key.prefix, value };
  };

  /** The license keys that a paid order includes. */
  const licenseKeysOf = async (permit: Permit, message: Message, order: Order, locale: Locale) => {
    const [{ bundles }, holdings] = await Promise.all([catalogs.current(), licenses.held(order.account_id)]);
    const keys: LicenseKeyFact[] = [];
    for (const product_id of productsOfOrder(order, holdings, bundles)) {
      const key = await licenseKeyOf(permit, message, product_id, locale);
      if (key) keys.push(key);
    }
    return keys;
  };

  /**
   * The names of an order's items: those whose product the buyer can use now, with the edition held, and the others. Or
   * all, with the units and the edition that were bought.
   */
  const namesOf = async (
    { id: order_id, account_id, items, subscription_name }: Order,
    locale: Locale,
    all: boolean,
  ) => {
    const [{ products, bundles }, holdings] = await Promise.all([catalogs.current(), licenses.held(account_id)]);
    const accessOf = (id: number) => {
      const product = products.get(id);
      const access = product && accessTo(product, bundles, holdings, clock.now());
      return access?.granted ? [access] : [];
    };
    const names: Record<'items' | 'ended', string[]> = { items: [], ended: [] };
    const boughtBy = (item_id: number, product_id: number | null) =>
      subscription_name === null
        ? holdings.entitlements.find((one) => one.order_id === order_id && one.order_item_id === item_id)
        : holdings.subscriptions.findLast((one) => one.product_ids.includes(product_id ?? 0));
    for (const { id, product_id, product_name, quantity } of items) {
      if (product_id === null && !all) continue;
      const name = await productName(product_id, locale, product_name);
      const [held] = all ? [boughtBy(id, product_id)] : productsBrought(product_id ?? 0, bundles).flatMap(accessOf);
      const units = all && product_id !== null && quantity > 1 ? `${quantity} × ` : '';
      names[all || held ? 'items' : 'ended'].push(`${units}${name}${held?.edition ? ` (${held.edition})` : ''}`);
    }
    return names;
  };

  /**
   * The facts for the mail about a paid order. It links to the download of a single product with files, otherwise to
   * all products.
   */
  const orderFacts = async (permit: Permit, account: Account, order: Order, locale: Locale) => {
    const [{ storefront, disclosure }, code] = await Promise.all([catalogs.current(), mailOrderLink(permit, account)]);
    const [only, ...others] = new Set(order.items.flatMap(({ product_id }) => product_id ?? []));
    const isOne = only !== undefined && others.length === 0;
    const hasFiles = isOne && ((await releases.of([only])).get(only) ?? []).length > 0;
    const urlOf = (page: Parameters<Links['ownPage']>[0], query = ''): string =>
      code === undefined ? links.ownPage(page) : links.signInLink(code, `/${page}${query}`);
    return {
      ordered_at: order.ordered_at,
      time_zone: zoneOf(storefront),
      seller: merchantOfRecord(order.source) ?? (disclosure?.[locale].company_name || (storefront?.name ?? null)),
      vat_cents: order.vat_cents,
      download: hasFiles ? await productName(only, locale) : null,
      signs_in: code !== undefined,
      url: hasFiles ? urlOf(`library/${only}`, '?download=1') : urlOf('library'),
      receipt_url: urlOf(`orders/${order.id}`),
    };
  };

  return async function messageFacts(
    permit: Permit,
    message: Message,
    account: Account,
    locale: Locale,
  ): Promise<Facts | undefined> {
    const { kind, subject_id, product_id } = message;
    const mailed = { message_id: message.id, known: message.known ?? false };
    switch (kind) {
      case 'order':
      case 'refund':
      case 'restored': {
        const order = await orders.find(account.id, Number(subject_id));
        if (!order || (kind !== 'refund' && UNPAID_STATUSES.includes(order.status))) return undefined;
        const isTold = (one: Refund): boolean => !message.refund || isSameRefund(one, message.refund);
        const refund = kind === 'refund' ? moneyBack(order).findLast(isTold) : undefined;
        const names = await namesOf(order, locale, kind === 'order');
        if (kind !== 'refund' && names.items.length === 0) return undefined;
        const { number, total_cents, currency } = order;
        const license_keys = kind === 'order' ? await licenseKeysOf(permit, message, order, locale) : [];
        const sale = { number, ...names, total_cents, currency, license_keys, url: links.ownPage('library') };
        if (kind === 'restored') return { kind, ...sale };
        if (kind === 'order') return { kind, ...sale, ...(await orderFacts(permit, account, order, locale)) };
        return refund && { kind, ...sale, refunded: refundedMoney(order, refund) };
      }
      case 'key': {
        const scope = await apiKeys.scopeOf(Number(subject_id));
        const key = scope?.keys.find(({ id }) => id === Number(subject_id));
        if (!key || key.revoked_at !== null || !(await mayNotify(permit, account))) return undefined;
        const product = key.product_id === null ? null : await productName(key.product_id, locale);
        return { kind, name: `${key.name} (${key.prefix}…)`, product, url: links.ownPage('keys') };
      }
      case 'passkey':
      case 'passkey_removed':
      case 'password_changed':
      case 'locked_out':
        return (await mayNotify(permit, account)) ? { kind, url: links.ownPage('security') } : undefined;
      case 'device': {
        const { device } = await devices.find(account.id, product_id ?? 0, subject_id);
        if (!device || !(await isNewsOfHour(message))) return undefined;
        if (!(await mayNotify(permit, account, NOTICES_A_DAY))) return undefined;
        const product = await productName(product_id, locale);
        const name = device.name ?? (await deviceNameOf(message));
        return { kind, name, product, url: links.ownPage('devices') };
      }
      case 'withdrawal': {
        const order = await orders.find(account.id, Number(subject_id));
        if (!order?.withdrawal) return undefined;
        const { declared_at, ticket_id } = order.withdrawal;
        const names = order.items.map((item) => productName(item.product_id, locale, item.product_name));
        const time_zone = zoneOf((await catalogs.current()).storefront);
        const url = links.ownPage(`support/${ticket_id}`);
        return { kind, order: order.number, items: await Promise.all(names), declared_at, time_zone, url };
      }
      case 'license_key': {
        const key = await licenseKeyOf(permit, message, product_id ?? 0, locale);
        return key && { kind, key, url: links.ownPage('library') };
      }
      case 'transfer': {
        const [offer] = (await transfers.offers(account.id)).filter(
          (one) => subject_id === `${one.from}-${one.entitlement_id}` && isOpenOffer(one, clock.now()),
        );
        const sender = offer && (await accounts.get(offer.from));
        if (!sender) return undefined;
        const [{ storefront }, code] = await Promise.all([catalogs.current(), mailOrderLink(permit, account)]);
        const url = code === undefined ? links.ownPage('transfers') : links.signInLink(code, '/transfers');
        const product = await productName(product_id, locale);
        return { kind, product, sender: sender.email, until: offer.expires_at, time_zone: zoneOf(storefront), url };
      }
      case 'transferred': {
        const { entitlements } = await licenses.held(account.id);
        const received = entitlements.some(({ id }) => String(id) === subject_id);
        const code = received ? await mailOrderLink(permit, account) : undefined;
        const url = code === undefined ? links.ownPage('library') : links.signInLink(code, '/library');
        return { kind, product: await productName(product_id, locale), received, url };
      }
      case 'team_over_used': {
        const { team } = await teams.read(account.id, product_id ?? 0);
        const url = links.ownPage(`teams/${account.id}/${team.product_id}`);
        return team.told_over && { kind, product: await productName(product_id, locale), url };
      }
      case 'team_invitation': {
        const { email } = message;
        const { team } = await teams.read(account.id, product_id ?? 0);
        const person = email === null ? undefined : invitationOf(team, email, clock.now());
        if (email === null || person?.id !== Number(subject_id)) return undefined;
        const bound = INVITATIONS_OF_ADDRESS;
        const count = await dailyBounds.count(permit, bound, digest.sha256(email), 1, clock.now());
        const buyer = count > bound.most ? undefined : await invitee(permit, { email, name: null, locale: null });
        const invited = buyer?.ok ? await accounts.get(buyer.value) : undefined;
        if (!invited || invited.suspended_at) return undefined;
        const code = await mailOrderLink(permit, invited);
        const page = `teams/${account.id}/${product_id ?? 0}` as const;
        const url = code === undefined ? links.ownPage(page) : links.signInLink(code, `/${page}`);
        return { kind, from: account.email, product: await productName(product_id, locale), role: person.role, url };
      }
      case 'answer': {
        const [ticket, answers] = await Promise.all([
          tickets.get(Number(subject_id)),
          tickets.answers(Number(subject_id)),
        ]);
        const answer = answers.findLast(({ from }) => from === undefined);
        return ticket && answer && { kind, ...ticketFacts(ticket), answer: answer.text };
      }
      case 'ticket': {
        const ticket = await tickets.get(Number(subject_id));
        return ticket && { kind, ...ticketFacts(ticket), text: ticket.detail.slice(0, QUOTED) };
      }
      case 'email_change': {
        const { email } = message;
        // An address that an account already has gets no link, and the requesting page doesn't reveal that.
        if (email === null || (await accounts.findByEmail(email))) return undefined;
        const code = await mailLink(permit, account, { email, mailed });
        return code === undefined ? undefined : { kind, minutes: LINK_MINUTES, url: links.emailLink(code) };
      }
      case 'email_changed': {
        const { email, undoable, created_at: undoes } = message;
        const code = undoable && email !== null ? await ports.mailUndoLink(permit, account, { email, undoes }) : null;
        return { kind, url: code === null ? links.ownPage('profile') : links.undoLink(code), undo: code !== null };
      }
      case 'notice':
        return undefined;
      case 'sign_in': {
        const { next } = message;
        const code = await mailLink(permit, account, { mailed });
        const common = { kind, minutes: LINK_MINUTES, passwords: signInMethods.password } as const;
        return code === undefined ? undefined : { ...common, url: links.signInLink(code, next) };
      }
      case 'console_sign_in': {
        // The requesting page doesn't reveal whose addresses are members'.
        if (!memberWith((await members.read()).members, account.id)) return undefined;
        const code = await mailLink(permit, account, { mailed, place: 'console' });
        return code === undefined
          ? undefined
          : { kind, minutes: LINK_MINUTES, url: links.consoleLink(code, message.next) };
      }
    }
  };
};
