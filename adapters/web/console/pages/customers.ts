import { html } from 'hono/html';
import { ORDER_STATUS_LABELS, type OrderStatus } from '../../../../domain/billing/order.ts';
import { GRANT_STATUS_LABELS, type GrantStatus } from '../../../../domain/licensing/entitlement.ts';
import { refuse } from '../../../../domain/shared/outcome.ts';
import type { AnswerIn, EndpointSpec } from '../../../../ports/inbound/endpoint.ts';
import * as shop from '../../../../ports/inbound/shop/accounts.ts';
import { listShopProducts } from '../../../../ports/inbound/shop/products.ts';
import { day } from '../../shared/dates.ts';
import { facts, type Html } from '../../shared/pieces.ts';
import { fieldsOf } from '../fields.ts';
import { customers as en } from '../messages/en/customers.ts';
import { customers as ko } from '../messages/ko/customers.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { allows, blocked, type ConsolePaths, done, type MemberFormVisit, type MemberVisit, refused } from '../paths.ts';
import { dangerForm, form, type Kit } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, folded, list, section } from '../views/pieces.ts';

const words = inBoth({ en, ko });
type StepName = keyof typeof en.steps;

/** The most records of a kind on a page. */
const MOST = 100;

/** A change of a record: its form on the record's page, and its call. */
type Step<R> = {
  readonly of: EndpointSpec;
  readonly fields?: (kit: Kit, record: R, page: ConsolePage) => Html;
  /** Fields of the call in addition to those of the form. */
  readonly body?: (visit: MemberFormVisit) => object | Promise<object>;
  readonly when?: (record: R) => boolean;
  /** The page after the step, in place of that of the record. */
  readonly to?: string;
};
type Steps<R> = { readonly [N in StepName]?: Step<R> };

const entriesOf = <R>(steps: Steps<R>) => Object.entries(steps) as [StepName, Step<R>][];

/** A step with a consequence to think about. It is folded, and needs a recent proof of identity. */
const questionOf = (name: StepName, { steps }: typeof en): string | undefined => {
  const { question }: { label: string; question?: string } = steps[name];
  return question;
};

/** The forms of the steps that the member may take on the page of a record. */
const stepForms = <R>(page: ConsolePage, here: string, record: R, steps: Steps<R>): Html => {
  const m = words(page);
  const open = entriesOf(steps).filter(
    ([, { of, when }]) => allows(page.member, [of]) && (when === undefined || when(record)),
  );
  return html`${open.map(([name, { fields }]) => {
    const { label } = m.steps[name];
    const [spec, question] = [{ action: `${here}/${name}`, submit: label }, questionOf(name, m)];
    const inputs = (kit: Kit): Html | '' => fields?.(kit, record, page) ?? '';
    if (question !== undefined) return dangerForm(page, { ...spec, label, question }, inputs);
    if (fields === undefined) return form(page, spec);
    return folded(label, form(page, spec, inputs), page.refused?.action === spec.action);
  })}`;
};

type Show = (visit: MemberVisit) => Promise<ConsoleAnswer>;

/** A page of a record with its steps. After a refused step it is shown again. */
const addPage = (paths: ConsolePaths, path: string, needs: EndpointSpec, shown: Show, ...all: Steps<never>[]): void => {
  paths.page(path, [needs], shown);
  for (const [name, { of, body, to }] of all.flatMap((steps) => entriesOf(steps))) {
    paths.form(`${path}/${name}`, { fresh: questionOf(name, en) !== undefined }, async (visit) => {
      const { params, path: sent } = visit.req;
      const fields = { ...fieldsOf(visit.form, of), ...(await body?.(visit)) };
      const outcome = await paths.ask(visit, of, { params, body: fields } as never);
      if (!outcome.ok) return refused(visit, outcome, await shown(visit));
      return done(visit, to ?? sent.slice(0, sent.lastIndexOf('/')), words(visit).steps[name].said);
    });
  }
};

type Customer = AnswerIn<typeof shop.showAccount> & {
  /** The products that can be given. */
  readonly sold: readonly (readonly [id: string, name: string])[];
};
type Grant = AnswerIn<typeof shop.listGrants>['data'][number];
type Key = AnswerIn<typeof shop.listApiKeys>['data'][number];
type Device = AnswerIn<typeof shop.listAccountDevices>['data'][number]['devices'][number] & { readonly slug: string };

const pathOf = (...parts: readonly (string | number)[]): string =>
  `/customers${parts.map((part) => `/${encodeURIComponent(part)}`).join('')}`;

/** The ends of days (UTC) that the form has; null for an empty one. */
const ends = ({ form }: MemberFormVisit): object =>
  Object.fromEntries(
    ['access_expires_at', 'updates_supported_until'].map((name) => {
      const typed = form.text(name);
      return [name, typed === '' ? null : `${typed}T23:59:59.999Z`];
    }),
  );

const termFields = ({ text, number }: Kit, page: ConsolePage): Html => {
  const m = words(page);
  return html`${text({ name: 'access_expires_at', label: m.until, type: 'date' })}
${text({ name: 'updates_supported_until', label: m.updatesUntil, type: 'date' })}
${number({ name: 'device_limit', label: m.allowed, min: 0 })}`;
};

const isOpen = ({ revoked_at }: { readonly revoked_at: string | null }): boolean => revoked_at === null;

const LICENSE: Steps<Grant> = {
  extend: {
    of: shop.extendGrant,
    fields: (kit, _, page) => html`<p>${words(page).extendHint}</p>${termFields(kit, page)}`,
    body: ends,
    when: isOpen,
  },
  revoke: { of: shop.revokeGrant, when: isOpen },
};

const DEVICE: Steps<Device> = {
  release: {
    of: shop.releaseAccountDevice,
    fields: ({ hidden, check }, { slug, offline_until }, page) =>
      html`${hidden('product', slug)}${check({ name: 'revoke_keys', label: words(page).releaseKeys, checked: false })}
${offline_until === null ? '' : check({ name: 'offline_too', label: words(page).releaseOffline, checked: false })}`,
  },
  block: {
    of: shop.withdrawDevice,
    fields: ({ hidden, text }, { slug }, page) =>
      html`${hidden('product', slug)}${text({ name: 'reason', label: words(page).withdrawReason, maxlength: 255 })}`,
    body: ({ req }) => ({ account_id: Number(req.params['account']) }),
    when: ({ withdrawn }) => !withdrawn,
  },
  unblock: {
    of: shop.restoreDevice,
    fields: ({ hidden }, { slug }) => hidden('product', slug),
    when: ({ withdrawn }) => withdrawn,
  },
};

const KEY: Steps<Key> = { end: { of: shop.revokeApiKey, when: isOpen } };

const ERASURE: Steps<unknown> = { erase: { of: shop.eraseAccount, to: '/customers' } };

const LICENSES: Steps<Customer> = {
  give: {
    of: shop.grantEntitlement,
    fields: (kit, { sold }, page) =>
      html`${kit.select({ name: 'product_id', label: words(page).product, options: sold })}
<p>${words(page).untilHint}</p>${termFields(kit, page)}`,
    body: ends,
    when: ({ sold }) => sold.length > 0,
  },
};

const KEYS: Steps<Customer> = {
  mailKey: {
    of: shop.createLicenseKey,
    fields: ({ select, hidden }, { products }, page) => html`<p>${words(page).newKeyText}</p>${hidden('mail', 'true')}
${select({ name: 'product', label: words(page).product, options: products.map(({ slug }) => [slug, slug]) })}`,
    when: ({ products }) => products.length > 0,
  },
};

const ACCOUNT: Steps<Customer> = {
  mailLink: { of: shop.createSignInLink },
  rename: {
    of: shop.renameAccount,
    fields: ({ text }, { email, name }, page) =>
      html`${text({ name: 'email', label: words(page).email, type: 'email', value: email })}
${text({ name: 'name', label: words(page).name, value: name ?? '', maxlength: 255 })}`,
  },
  limit: {
    of: shop.limitAccount,
    fields: ({ number }, { requests_per_minute: value = null }, page) => {
      const { limitLabel: label, limitHint: hint } = words(page);
      return number({ name: 'requests_per_minute', label, hint, value, min: 1 });
    },
  },
  lockOut: { of: shop.lockOut },
};

const dangerOf = ({ ask }: ConsolePaths): Steps<Customer> => ({
  suspend: {
    of: shop.suspendAccount,
    body: () => ({ suspended: true }),
    when: ({ suspended_at }) => !suspended_at,
  },
  reinstate: {
    of: shop.suspendAccount,
    body: () => ({ suspended: false }),
    when: ({ suspended_at }) => Boolean(suspended_at),
  },
  merge: {
    of: shop.mergeAccounts,
    fields: ({ text }, _, page) => text({ name: 'into', label: words(page).mergeInto, required: true }),
    body: async (visit) => {
      const heir = await ask(visit, shop.findAccount, { body: { account: visit.form.text('into') } });
      return { into: heir.ok ? heir.value.account_id : 0 };
    },
    to: '/customers',
  },
});

const endText = (page: ConsolePage, until: string | null): Html | string =>
  until === null ? words(page).forever : day(page, until);

const grantBadge = (page: ConsolePage, { status }: Grant): Html =>
  badge(GRANT_STATUS_LABELS[status as GrantStatus][page.locale], status === 'active' ? 'good' : '');

const keyBadge = (page: ConsolePage, key: Key): Html =>
  isOpen(key) ? badge(words(page).works, 'good') : badge(words(page).ended);

const deviceBadge = (page: ConsolePage, { withdrawn, shared_at }: Device): Html | '' =>
  withdrawn ? badge(words(page).withdrawn, 'bad') : shared_at ? badge(words(page).shared, 'due') : '';

const keyName = ({ name, prefix }: Key): string => `${name} (${prefix}…)`;

type Parts = {
  readonly customer: Customer;
  readonly grants: readonly Grant[];
  readonly devices: readonly Device[];
  readonly keys: readonly Key[];
  readonly ways: AnswerIn<typeof shop.listWaysIn>['ways_in'];
};

const customerView = (
  page: ConsolePage,
  { customer, grants, devices, keys, ways }: Parts,
  danger: Steps<Customer>,
): Html => {
  const m = words(page);
  const { id, email, name, created_at, last_used_at, suspended_at, newest_orders, newest_tickets } = customer;
  const here = pathOf(id);
  const part = (
    of: keyof typeof m.lists,
    rows: Parameters<typeof list>[1]['rows'],
    steps: Steps<Customer> = {},
  ): Html =>
    section(
      m.lists[of].caption,
      html`${list(page, { ...m.lists[of], rows })}${stepForms(page, here, customer, steps)}`,
    );
  return layout(page, {
    title: email,
    section: 'customers',
    up: { href: '/customers', text: m.lists.customers.caption },
    badge: suspended_at ? badge(m.suspended, 'bad') : '',
    body: html`${facts([
      [m.name, name],
      [m.since, day(page, created_at)],
      [m.lastUsed, last_used_at === null ? m.never : day(page, last_used_at)],
    ])}
${part(
  'licenses',
  grants.map((grant) => ({
    ...(grant.kind === 'entitlement' && { href: pathOf(id, 'licenses', grant.id) }),
    cells: [grant.products.join(', '), grantBadge(page, grant), endText(page, grant.access_expires_at)],
  })),
  LICENSES,
)}
${part(
  'orders',
  newest_orders.map(({ number, status, ordered_at }) => ({
    ...(page.sections.has('orders') && { href: `/orders/${encodeURIComponent(number)}` }),
    cells: [number, day(page, ordered_at), ORDER_STATUS_LABELS[status as OrderStatus][page.locale]],
  })),
)}
${part(
  'devices',
  devices.map((one) => ({
    href: pathOf(id, 'devices', one.slug, one.device_id),
    cells: [
      one.name ?? one.device_id,
      one.slug,
      one.app_version ?? '',
      day(page, one.last_seen_at),
      deviceBadge(page, one),
    ],
  })),
)}
${part(
  'keys',
  keys.map((key) => ({
    href: pathOf(id, 'keys', key.id),
    cells: [
      keyName(key),
      key.kind === 'license' ? m.licenseKind : m.apiKind,
      day(page, key.created_at),
      keyBadge(page, key),
    ],
  })),
  KEYS,
)}
${part(
  'tickets',
  newest_tickets.map((ticket) => ({
    ...(page.sections.has('tickets') && { href: `/tickets/${ticket.id}` }),
    cells: [ticket.summary, day(page, ticket.created_at)],
  })),
)}
${part(
  'ways',
  ways.map(({ way, name, since }) => ({ cells: [m.ways[way], name ?? '', since === null ? '' : day(page, since)] })),
  ACCOUNT,
)}
${section(
  m.danger,
  html`${stepForms(page, here, customer, danger)}${allows(page.member, [shop.eraseAccount]) ? html`<p><a href="${here}/erasure">${m.steps.erase.label}</a></p>` : ''}`,
)}`,
  });
};

/** The page of a part of a customer, such as a license: its facts, and its steps. */
const partView = <R>(
  page: ConsolePage,
  title: string,
  mark: Html | '',
  body: Html,
  record: R,
  steps: Steps<R>,
): Html => {
  const here = page.here.split('?', 1)[0] ?? '';
  const up = here.split('/').slice(0, 3).join('/');
  return layout(page, {
    title,
    section: 'customers',
    up: { href: up, text: words(page).account },
    badge: mark,
    body: html`${body}${stepForms(page, here, record, steps)}`,
  });
};

const MISSING = blocked(refuse('shop_not_found'));

/** The newest customers, and the page of each with everything that support does for it. */
export const addCustomerPages = (paths: ConsolePaths): void => {
  const { ask, glance } = paths;
  paths.section('customers', [shop.listAccounts]);

  const ADD: Steps<null> = {
    add: {
      of: shop.addAccount,
      fields: (
        { text },
        _,
        page,
      ) => html`${text({ name: 'email', label: words(page).email, type: 'email', required: true })}
${text({ name: 'name', label: words(page).name, maxlength: 255 })}`,
    },
  };

  addPage(
    paths,
    '/customers',
    shop.listAccounts,
    async (visit) => {
      const answer = await ask(visit, shop.listAccounts, {
        query: { newest: true, limit: 50, after: visit.query.get('after') },
      });
      if (!answer.ok) return blocked(answer);
      return show((page) => {
        const m = words(page);
        return layout(page, {
          title: m.lists.customers.caption,
          section: 'customers',
          body: html`${stepForms(page, '/customers', null, ADD)}${list(page, {
            ...m.lists.customers,
            rows: answer.value.data.map(({ id, email, name, created_at, suspended_at }) => ({
              href: pathOf(id),
              cells: [email, name ?? '', day(page, created_at), suspended_at ? badge(m.suspended, 'bad') : ''],
            })),
            next: answer.value.next_after,
          })}`,
        });
      });
    },
    ADD,
  );

  const danger = dangerOf(paths);
  const params = ({ req }: MemberVisit) => ({ account: String(req.params['account']) });
  const glanceAll = async (visit: MemberVisit) => {
    const input = { params: params(visit), query: { limit: MOST } };
    const [grants, devices, keys, ways, products] = await Promise.all([
      glance(visit, shop.listGrants, input),
      glance(visit, shop.listAccountDevices, input),
      glance(visit, shop.listApiKeys, input),
      glance(visit, shop.listWaysIn, { params: params(visit) }),
      glance(visit, listShopProducts, { query: { limit: MOST } }),
    ]);
    return {
      grants: grants?.data ?? [],
      devices: (devices?.data ?? []).flatMap(({ slug, devices: all }) => all.map((one) => ({ ...one, slug }))),
      keys: keys?.data.toReversed() ?? [],
      ways: ways?.ways_in ?? [],
      products: products?.data ?? [],
    };
  };

  addPage(
    paths,
    '/customers/:account',
    shop.showAccount,
    async (visit) => {
      const [answer, { products, ...parts }] = await Promise.all([
        ask(visit, shop.showAccount, { params: params(visit) }),
        glanceAll(visit),
      ]);
      if (!answer.ok) return blocked(answer);
      const sold = products.map(({ product: { id, name, slug } }) => {
        return [String(id), name[visit.locale] ?? name.en ?? slug] as const;
      });
      return show((page) => customerView(page, { ...parts, customer: { ...answer.value, sold } }, danger));
    },
    LICENSES,
    KEYS,
    ACCOUNT,
    danger,
  );

  addPage(
    paths,
    '/customers/:account/licenses/:id',
    shop.listGrants,
    async (visit) => {
      const answer = await ask(visit, shop.listGrants, { params: params(visit), query: { limit: MOST } });
      const one = answer.ok && answer.value.data.find(({ id }) => String(id) === visit.req.params['id']);
      if (!one) return MISSING;
      return show((page) => {
        const m = words(page);
        const rows = [
          [m.since, day(page, one.granted_at)],
          [m.until, endText(page, one.access_expires_at)],
          [m.updatesUntil, endText(page, one.updates_supported_until)],
          [m.allowed, one.device_limit === null ? null : String(one.device_limit)],
        ] as const;
        return partView(page, one.products.join(', '), grantBadge(page, one), facts(rows), one, LICENSE);
      });
    },
    LICENSE,
  );

  addPage(
    paths,
    '/customers/:account/devices/:product/:device_id',
    shop.listAccountDevices,
    async (visit) => {
      const { product: slug = '', device_id } = visit.req.params;
      const query = { product: String(slug), limit: MOST };
      const answer = await ask(visit, shop.listAccountDevices, { params: params(visit), query });
      const found = answer.ok && answer.value.data[0]?.devices.find((one) => one.device_id === device_id);
      if (!found) return MISSING;
      const one = { ...found, slug: String(slug) };
      return show((page) => {
        const m = words(page);
        const rows = [
          [m.product, one.slug],
          [m.version, one.app_version],
          [m.activated, day(page, one.activated_at)],
          [m.lastSeen, day(page, one.last_seen_at)],
        ] as const;
        return partView(page, one.name ?? one.device_id, deviceBadge(page, one), facts(rows), one, DEVICE);
      });
    },
    DEVICE,
  );

  addPage(
    paths,
    '/customers/:account/keys/:key',
    shop.listApiKeys,
    async (visit) => {
      const answer = await ask(visit, shop.listApiKeys, { params: params(visit), query: { limit: MOST } });
      const one = answer.ok && answer.value.data.find(({ id }) => String(id) === visit.req.params['key']);
      if (!one) return MISSING;
      return show((page) => {
        const m = words(page);
        const rows = [
          [m.created, day(page, one.created_at)],
          [m.lastUsed, one.last_used_at === null ? m.never : day(page, one.last_used_at)],
        ] as const;
        return partView(page, keyName(one), keyBadge(page, one), facts(rows), one, KEY);
      });
    },
    KEY,
  );

  addPage(
    paths,
    '/customers/:account/erasure',
    shop.eraseAccount,
    async (visit) => {
      const answer = await ask(visit, shop.eraseAccount, { params: params(visit), body: { trial: true } });
      if (!answer.ok) return blocked(answer);
      const { goes, stays } = answer.value;
      return show((page) => {
        const m = words(page);
        const rowsOf = <K extends string>(counts: Readonly<Record<K, number>>, names: Readonly<Record<K, string>>) =>
          (Object.keys(names) as K[])
            .filter((kind) => counts[kind] > 0)
            .map((kind) => ({ cells: [names[kind], String(counts[kind])] }));
        const lists = html`${section(m.lists.goes.caption, list(page, { ...m.lists.goes, numbers: [1], rows: rowsOf(goes, m.going) }))}
${section(m.lists.stays.caption, list(page, { ...m.lists.stays, numbers: [1], rows: rowsOf(stays, m.staying) }))}`;
        return partView(page, m.steps.erase.label, '', lists, null, ERASURE);
      });
    },
    ERASURE,
  );
};
