import { html } from 'hono/html';
import { isWithoutPerson } from '../../../../domain/accounts/account.ts';
import { ORDER_STATUS_LABELS, type OrderStatus } from '../../../../domain/billing/order.ts';
import { shownDeviceId } from '../../../../domain/devices/seat.ts';
import { GRANT_STATUS_LABELS, type GrantStatus } from '../../../../domain/licensing/entitlement.ts';
import { refuse } from '../../../../domain/shared/outcome.ts';
import { TEAM_ROLES } from '../../../../domain/teams/team.ts';
import type { AnswerIn, EndpointSpec } from '../../../../ports/inbound/endpoint.ts';
import * as shop from '../../../../ports/inbound/shop/accounts.ts';
import { listShopOrders } from '../../../../ports/inbound/shop/orders.ts';
import { listMembers } from '../../../../ports/inbound/shop/people.ts';
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
  /** The name of the parameter of the call's path that the form has. */
  readonly param?: string;
  /** Fields of the call in addition to those of the form. */
  readonly body?: (visit: MemberFormVisit) => object | Promise<object>;
  readonly when?: (record: R) => boolean;
  /** The page after the step, in place of that of the record. */
  readonly to?: string | ((answer: { readonly account_id: number }) => string);
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
    return folded(label, form(page, spec, inputs), page.filled?.action === spec.action);
  })}`;
};

type Show = (visit: MemberVisit) => Promise<ConsoleAnswer>;

/** A page of a record with its steps. After a refused step it is shown again. */
const addPage = (paths: ConsolePaths, path: string, needs: EndpointSpec, shown: Show, ...all: Steps<never>[]): void => {
  paths.page(path, [needs], shown);
  for (const [name, { of, param, body, to }] of all.flatMap((steps) => entriesOf(steps))) {
    paths.form(`${path}/${name}`, { fresh: questionOf(name, en) !== undefined }, async (visit) => {
      const { path: sent } = visit.req;
      const params = { ...visit.req.params, ...(param !== undefined && { [param]: visit.form.text(param) }) };
      const fields = { ...fieldsOf(visit.form, of), ...(await body?.(visit)) };
      const outcome = await paths.ask(visit, of, { params, body: fields } as never);
      if (!outcome.ok) return refused(visit, outcome, await shown(visit));
      const next = typeof to === 'function' ? to(outcome.value as never) : to;
      return done(visit, next ?? sent.slice(0, sent.lastIndexOf('/')), words(visit).steps[name].said);
    });
  }
};

type Customer = AnswerIn<typeof shop.showAccount> & {
  /** The products that can be given. */
  readonly sold: readonly (readonly [id: string, name: string])[];
  /** The products with seats, by slug. */
  readonly teams: readonly (readonly [slug: string, name: string])[];
};
type Grant = AnswerIn<typeof shop.listGrants>['data'][number];
type Key = AnswerIn<typeof shop.listApiKeys>['data'][number];
type ListedDevices = AnswerIn<typeof shop.listAccountDevices>['data'][number];
type Device = ListedDevices['devices'][number] & {
  readonly slug: string;
  readonly slots: ListedDevices['slots'];
  readonly product: string;
};

type Team = AnswerIn<typeof shop.listAccountTeams>['teams'][number] & { readonly product: string };
type Person = Team['people'][number] & Pick<Team, 'slug' | 'product' | 'accept_url'>;

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
  transfer: {
    of: shop.transferGrant,
    fields: ({ text }, _, page) => text({ name: 'email', label: words(page).email, type: 'email', required: true }),
    when: isOpen,
    to: ({ account_id }) => pathOf(account_id),
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

const PERSON: Steps<Person> = {
  unseat: {
    of: shop.removeFromAccountTeam,
    fields: ({ hidden }, { slug, id }) => html`${hidden('product', slug)}${hidden('person_id', String(id))}`,
  },
};

const KEY: Steps<Key> = { end: { of: shop.revokeApiKey, when: isOpen } };

const ERASURE: Steps<unknown> = { erase: { of: shop.eraseAccount, to: '/customers' } };

const CUSTOMERS: Steps<null> = {
  add: {
    of: shop.addAccount,
    fields: ({ text }, _, page) => {
      const { email: label, name } = words(page);
      return html`${text({ name: 'email', label, type: 'email', required: true })}${text({ name: 'name', label: name })}`;
    },
  },
  trial: {
    of: shop.changeTrial,
    param: 'device_id',
    // The role support can't list the products.
    fields: ({ text, number }, _, page) => {
      const m = words(page);
      return html`${text({ name: 'product', label: m.product, hint: m.productHint, required: true })}
${text({ name: 'device_id', label: m.device, hint: m.deviceHint, maxlength: 255, required: true })}
${number({ name: 'days', label: m.days, hint: m.daysHint, min: 0, max: 365, required: true })}`;
    },
  },
};

const LICENSES: Steps<Customer> = {
  give: {
    of: shop.grantEntitlement,
    fields: (kit, { sold }, page) =>
      html`${kit.select({ name: 'product_id', label: words(page).product, options: sold })}
<p>${words(page).untilHint}</p>${termFields(kit, page)}${kit.text({ name: 'edition', label: words(page).edition, maxlength: 40 })}`,
    body: ends,
    when: ({ sold }) => sold.length > 0,
  },
};

const TEAMS: Steps<Customer> = {
  seat: {
    of: shop.inviteToAccountTeam,
    fields: ({ select, text }, { teams }, page) => {
      const m = words(page);
      return html`${select({ name: 'product', label: m.product, options: teams })}
${text({ name: 'email', label: m.email, type: 'email', required: true })}
${select({ name: 'role', label: m.role, options: TEAM_ROLES.map((role) => [role, m.roles[role]]) })}`;
    },
    when: ({ teams }) => teams.length > 0,
  },
};

const KEYS: Steps<Customer> = {
  mailKey: {
    of: shop.createLicenseKey,
    fields: ({ select, hidden }, { products }, page) => html`<p>${words(page).newKeyText}</p>${hidden('mail', 'true')}
${select({ name: 'product', label: words(page).product, options: products.map(({ slug }) => [slug, slug]) })}`,
    when: (customer) => customer.products.length > 0 && !isWithoutPerson(customer),
  },
};

const ACCOUNT: Steps<Customer> = {
  mailLink: { of: shop.createSignInLink, when: (customer) => !isWithoutPerson(customer) },
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

const deviceBadge = (page: ConsolePage, { withdrawn, shared_at, slots }: Device): Html | '' => {
  const m = words(page);
  if (withdrawn) return badge(m.withdrawn, 'bad');
  return shared_at ? badge(m.shared, 'due') : slots === 'sessions' ? badge(m.session) : '';
};

const personBadge = (page: ConsolePage, { has_seat, invited_until }: Person): Html | '' =>
  invited_until !== null ? badge(words(page).invited, 'due') : has_seat ? '' : badge(words(page).noSeat);

const keyName = ({ name, prefix }: Key): string => `${name} (${prefix}…)`;

type Parts = {
  readonly grants: readonly Grant[];
  readonly devices: readonly Device[];
  readonly keys: readonly Key[];
  readonly teams: readonly Team[];
  readonly people: readonly Person[];
  readonly ways: AnswerIn<typeof shop.listWaysIn>['ways_in'];
  /** Undefined for a member who may not list orders. */
  readonly orders: Pick<AnswerIn<typeof listShopOrders>, 'data'>['data'] | undefined;
};
type Rows = Parameters<typeof list>[1]['rows'];
type PartText = readonly [title: string, mark: Html | '', body: Html];

const customerView = (page: ConsolePage, parts: Parts, customer: Customer, danger: Steps<Customer>): Html => {
  const m = words(page);
  const { id, name, last_used_at, suspended_at } = customer;
  const here = pathOf(id);
  const linked = (to: 'orders' | 'tickets', one: string | number) => page.sections.has(to) && { href: `/${to}/${one}` };
  const part = (of: keyof typeof m.lists, rows: Rows, steps: Steps<Customer> = {}): Html => {
    const { caption, empty, columns } = m.lists[of];
    const none = html`<p class="none">${empty.text}</p>`;
    const shown = rows.length === 0 ? none : list(page, { caption, columns, empty, rows });
    return section(caption, html`${shown}${stepForms(page, here, customer, steps)}`);
  };
  const licenses = parts.grants.map((one) => ({
    ...(one.kind === 'entitlement' && { href: pathOf(id, 'licenses', one.id) }),
    cells: [
      one.products.join(', '),
      one.edition ?? '',
      String(one.units),
      grantBadge(page, one),
      endText(page, one.access_expires_at),
    ],
  }));
  const orders = (parts.orders ?? customer.newest_orders).map(({ id: order, number, status, ordered_at }) => ({
    ...linked('orders', `id:${order}`),
    cells: [number, day(page, ordered_at), ORDER_STATUS_LABELS[status as OrderStatus][page.locale]],
  }));
  const devices = parts.devices.map((one) => {
    const [name, seen] = [one.name ?? shownDeviceId(one.device_id), day(page, one.last_seen_at)];
    const cells = [name, one.product, one.app_version ?? '', seen, deviceBadge(page, one)];
    return { href: pathOf(id, 'devices', one.slug, one.device_id), cells };
  });
  const keys = parts.keys.map((one) => {
    const kind = one.kind === 'license' ? m.licenseKind : m.apiKind;
    const cells = [keyName(one), kind, day(page, one.created_at), keyBadge(page, one)];
    return { href: pathOf(id, 'keys', one.id), cells };
  });
  const people = parts.people.map((one) => ({
    ...(one.role !== 'owner' && { href: pathOf(id, 'seats', one.slug, one.id) }),
    cells: [one.email, one.product, m.roles[one.role], personBadge(page, one)],
  }));
  const seats = parts.teams.map(({ product, seats: { used, limit } }) => m.seats(product, used, limit)).join(', ');
  const tickets = customer.newest_tickets.map((one) => ({
    ...linked('tickets', one.id),
    cells: [one.summary, day(page, one.created_at)],
  }));
  const ways = parts.ways.map(({ way, name, since }) => ({
    cells: [m.ways[way], name ?? '', since === null ? '' : day(page, since)],
  }));
  const erasure = html`<p><a class="danger" href="${here}/erasure">${m.steps.erase.label}</a></p>`;
  return layout(page, {
    title: customer.email,
    section: 'customers',
    up: { href: '/customers', text: m.lists.customers.caption },
    badge: suspended_at ? badge(m.suspended, 'bad') : '',
    body: html`${facts([
      [m.name, name],
      [m.since, day(page, customer.created_at)],
      [m.lastUsed, last_used_at === null ? m.never : day(page, last_used_at)],
    ])}
${part('licenses', licenses, LICENSES)}${parts.teams.length === 0 ? '' : html`${part('seats', people, TEAMS)}<p>${seats}</p>`}${part('orders', orders)}${part('devices', devices)}${part('keys', keys, KEYS)}
${part('tickets', tickets)}${part('ways', ways, ACCOUNT)}
${section(m.danger, html`${stepForms(page, here, customer, danger)}${allows(page.member, [shop.eraseAccount]) ? erasure : ''}`)}`,
  });
};

/** The page of a part of a customer, such as a license, with its steps. */
const partView = <R>(page: ConsolePage, record: R, steps: Steps<R>, [title, mark, body]: PartText): Html => {
  const here = page.here.split('?', 1)[0] ?? '';
  const up = { href: here.split('/').slice(0, 3).join('/'), text: words(page).account };
  return layout(page, {
    title,
    section: 'customers',
    up,
    badge: mark,
    body: html`${body}${stepForms(page, here, record, steps)}`,
  });
};

type Listed = AnswerIn<typeof shop.listAccounts>;

const listView = (page: ConsolePage, { data, next_after: next }: Listed, members: Set<string | null>): Html => {
  const m = words(page);
  const state = (email: string | null, suspended?: string | null): Html | '' =>
    suspended ? badge(m.suspended, 'bad') : members.has(email) ? badge(m.member) : '';
  const rows = data.map(({ id, email, name, created_at, suspended_at }) => ({
    href: pathOf(id),
    cells: [email, name ?? '', day(page, created_at), state(email, suspended_at)],
  }));
  return layout(page, {
    title: m.lists.customers.caption,
    section: 'customers',
    body: html`${stepForms(page, '/customers', null, CUSTOMERS)}${list(page, { ...m.lists.customers, rows, next })}`,
  });
};

/** The newest customers, and the page of each with everything that support does for it. */
export const addCustomerPages = (paths: ConsolePaths): void => {
  const { ask, glance } = paths;
  const danger = dangerOf(paths);
  const paramsOf = ({ req }: MemberVisit) => ({ account: String(req.params['account']) });
  paths.section('customers', [shop.listAccounts]);

  const partsOf = async (visit: MemberVisit) => {
    const params = paramsOf(visit);
    const input = { params, query: { limit: MOST } };
    const [grants, devices, keys, ways, teams, orders, goods] = await Promise.all([
      glance(visit, shop.listGrants, input),
      glance(visit, shop.listAccountDevices, input),
      glance(visit, shop.listApiKeys, input),
      glance(visit, shop.listWaysIn, { params }),
      glance(visit, shop.listAccountTeams, { params }),
      glance(visit, listShopOrders, { query: { account_id: params.account, limit: MOST } }),
      glance(visit, listShopProducts, { query: { limit: MOST } }),
    ]);
    const products = (goods?.data ?? []).map(({ product: { id, slug, name } }) => {
      return { id, slug, name: name[visit.locale] ?? name.en ?? slug };
    });
    const nameOf = (slug: string): string => products.find((one) => one.slug === slug)?.name ?? slug;
    const led = (teams?.teams ?? []).map((one) => ({ ...one, product: nameOf(one.slug) }));
    return {
      products,
      teams: led,
      people: led.flatMap(({ people, ...team }) => people.map((one) => ({ ...team, ...one }))),
      grants: (grants?.data ?? []).map((one) => ({ ...one, products: one.products.map(nameOf) })),
      devices: (devices?.data ?? []).flatMap(({ slug, slots, devices: all }) =>
        all.map((one) => ({ ...one, slug, slots, product: nameOf(slug) })),
      ),
      keys: keys?.data.toReversed() ?? [],
      ways: ways?.ways_in ?? [],
      orders: orders?.data,
    };
  };

  const addPart = <R extends object>(
    path: string,
    needs: EndpointSpec,
    pick: (parts: Parts, param: (name: string) => string) => R | undefined,
    text: (page: ConsolePage, record: R, m: typeof en) => PartText,
    steps: Steps<R>,
  ): void => {
    const shown = async (visit: MemberVisit) => {
      const record = pick(await partsOf(visit), (name) => String(visit.req.params[name]));
      if (!record) return blocked(refuse('shop_not_found'));
      return show((page) => partView(page, record, steps, text(page, record, words(page))));
    };
    addPage(paths, `/customers/:account/${path}`, needs, shown, steps);
  };

  const listed = async (visit: MemberVisit) => {
    const query = { newest: true, limit: 50, after: visit.query.get('after') };
    const [answer, members] = await Promise.all([
      ask(visit, shop.listAccounts, { query }),
      glance(visit, listMembers, { query: { limit: 100 } }),
    ]);
    const emails = new Set(members?.data.map(({ email }) => email));
    return answer.ok ? show((page) => listView(page, answer.value, emails)) : blocked(answer);
  };
  addPage(paths, '/customers', shop.listAccounts, listed, CUSTOMERS);

  const shown = async (visit: MemberVisit) => {
    const [answer, parts] = await Promise.all([
      ask(visit, shop.showAccount, { params: paramsOf(visit) }),
      partsOf(visit),
    ]);
    if (!answer.ok) return blocked(answer);
    const sold = parts.products.map(({ id, name }) => [String(id), name] as const);
    const teams = parts.teams.map(({ slug, product }) => [slug, product] as const);
    return show((page) => customerView(page, parts, { ...answer.value, sold, teams }, danger));
  };
  addPage(paths, '/customers/:account', shop.showAccount, shown, LICENSES, TEAMS, KEYS, ACCOUNT, danger);

  addPart(
    'licenses/:id',
    shop.listGrants,
    ({ grants }, param) => grants.find(({ kind, id }) => kind === 'entitlement' && String(id) === param('id')),
    (page, one, m) => {
      const rows = [
        [m.since, day(page, one.granted_at)],
        [m.until, endText(page, one.access_expires_at)],
        [m.updatesUntil, endText(page, one.updates_supported_until)],
        [m.units, String(one.units)],
        [m.allowed, one.device_limit === null ? null : String(one.device_limit)],
        [m.edition, [...(one.edition === null ? [] : [one.edition]), ...one.features].join(', ') || null],
      ] as const;
      return [one.products.join(', '), grantBadge(page, one), facts(rows)];
    },
    LICENSE,
  );
  addPart(
    'devices/:product/:device_id',
    shop.listAccountDevices,
    ({ devices }, param) =>
      devices.find(({ slug, device_id }) => slug === param('product') && device_id === param('device_id')),
    (page, one, m) => {
      const rows = [
        [m.product, one.product],
        [m.device, one.device_id],
        [m.version, one.app_version],
        [m.activated, day(page, one.activated_at)],
        [m.lastSeen, day(page, one.last_seen_at)],
      ] as const;
      return [one.name ?? shownDeviceId(one.device_id), deviceBadge(page, one), facts(rows)];
    },
    DEVICE,
  );
  addPart(
    'seats/:product/:person',
    shop.listAccountTeams,
    ({ people }, param) =>
      people.find(
        ({ slug, id, role }) => slug === param('product') && String(id) === param('person') && role !== 'owner',
      ),
    (page, one, m) => {
      const rows = [
        [m.product, one.product],
        [m.role, m.roles[one.role]],
        [m.until, one.invited_until === null ? null : day(page, one.invited_until)],
        [m.acceptPage, one.invited_until === null ? null : one.accept_url],
      ] as const;
      return [one.email, personBadge(page, one), facts(rows)];
    },
    PERSON,
  );
  addPart(
    'keys/:key',
    shop.listApiKeys,
    ({ keys }, param) => keys.find(({ id }) => String(id) === param('key')),
    (page, one, m) => {
      const used = one.last_used_at === null ? m.never : day(page, one.last_used_at);
      return [
        keyName(one),
        keyBadge(page, one),
        facts([
          [m.created, day(page, one.created_at)],
          [m.lastUsed, used],
        ]),
      ];
    },
    KEY,
  );

  const erasure = async (visit: MemberVisit) => {
    const answer = await ask(visit, shop.eraseAccount, { params: paramsOf(visit), body: { trial: true } });
    if (!answer.ok) return blocked(answer);
    return show((page) => {
      const m = words(page);
      const counted = (of: 'goes' | 'stays', names: Readonly<Record<string, string>>): Html => {
        const counts: Readonly<Record<string, number>> = answer.value[of];
        const rows = Object.entries(names).flatMap(([kind, name]) =>
          counts[kind] ? [{ cells: [name, String(counts[kind])] }] : [],
        );
        return section(m.lists[of].caption, list(page, { ...m.lists[of], numbers: [1], rows }));
      };
      const body = html`${counted('goes', m.going)}${counted('stays', m.staying)}`;
      return partView(page, null, ERASURE, [m.steps.erase.label, '', body]);
    });
  };
  addPage(paths, '/customers/:account/erasure', shop.eraseAccount, erasure, ERASURE);
};
