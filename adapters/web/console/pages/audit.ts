import { html } from 'hono/html';
import { ACTOR_KINDS, actorsNamed } from '../../../../domain/access/actor.ts';
import { SUBJECT_KINDS, type SubjectKind } from '../../../../domain/audit/actions.ts';
import { endOfDay } from '../../../../domain/billing/withdrawal.ts';
import { zoneOf } from '../../../../domain/catalog/catalog.ts';
import { DAY_MS, isCalendarDay, millis, toInstant } from '../../../../domain/shared/instant.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { listShopProducts } from '../../../../ports/inbound/shop/products.ts';
import { listAudit } from '../../../../ports/inbound/shop/support.ts';
import { moment } from '../../shared/dates.ts';
import { emptyBox, facts, field, flag, type Html } from '../../shared/pieces.ts';
import { audit as en } from '../messages/en/audit.ts';
import { audit as ko } from '../messages/ko/audit.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths } from '../paths.ts';
import { layout } from '../views/layout.ts';
import { folded, hereWith, pageLinks } from '../views/pieces.ts';

const words = inBoth({ en, ko });

/** The most entries on a page. */
const MOST = 50;

type Entry = AnswerIn<typeof listAudit>['data'][number];
type Names = ReadonlyMap<number, string>;

/** The fields by which people know a record. */
const NAMES = ['number', 'version', 'name', 'slug', 'prefix', 'url'];

/** The pages of records that have one, by kind. */
const PAGES: Partial<Readonly<Record<SubjectKind, string>>> = { order: '/orders/id:', ticket: '/tickets/' };

const whoText = (page: ConsolePage, { kind, name, id }: Entry['by']): Html | string => {
  const text = name ?? words(page).actors[kind];
  return kind === 'member' ? html`<a href="${hereWith(page, { by: `member:${id}`, after: null })}">${text}</a>` : text;
};

const subjectText = (page: ConsolePage, { action, subject_id, product_id, changes }: Entry, names: Names): Html => {
  const [kind] = action.split('.') as [SubjectKind];
  const known = NAMES.map((name) => changes.find(({ field: one }) => one === name)?.to).find((text) => text != null);
  const product = product_id === null || kind === 'product' ? undefined : names.get(product_id);
  const name = String((kind === 'product' && names.get(Number(subject_id))) || (known ?? ''));
  const { kinds, unnamed } = words(page);
  const text = name === '' ? unnamed(kinds[kind]) : `${kinds[kind]} ${name}`;
  const href = PAGES[kind];
  return html`${href === undefined ? text : html`<a href="${href}${subject_id}">${text}</a>`}${product === undefined ? '' : ` (${product})`}`;
};

const valueText = (value: unknown): string => (value === null || value === undefined ? '–' : String(value));

const entryRow = (page: ConsolePage, entry: Entry, names: Names): Html => {
  const m = words(page);
  const { at, by, action, subject_id, account_id, changes } = entry;
  const [kind = '', done = ''] = action.split('.');
  const did = (m.did as Readonly<Record<string, string>>)[done] ?? done;
  const changed = changes.map(({ field: name, from, to }): readonly [string, string] => [
    name,
    from === undefined && to === undefined
      ? m.hidden
      : from === to
        ? valueText(to)
        : `${valueText(from)} → ${valueText(to)}`,
  ]);
  return html`<div class="row"><p>${m.sentence(whoText(page, by), did, subjectText(page, entry, names))}</p>
<p class="hint">${moment(page, at)}${account_id === null ? '' : html` · <a href="/customers/${account_id}">${m.customer}</a>`}</p>
${folded(
  m.details,
  facts([
    [m.kinds[kind as SubjectKind] ?? kind, subject_id],
    [m.through, by['through'] as string | null],
    [m.from, by['from'] as string | null],
    ...changed,
  ]),
)}</div>`;
};

const select = (
  name: string,
  label: string,
  all: string,
  options: readonly (readonly [string, string])[],
  value: string,
) =>
  html`<div class="field"><label for="${name}">${label}</label><select id="${name}" name="${name}"><option value="">${all}</option>${options.map(
    ([one, text]) => html`<option value="${one}"${flag('selected', one === value)}>${text}</option>`,
  )}</select></div>`;

type Filter = Readonly<Record<'by' | 'action' | 'account' | 'day', string>>;

const filterForm = (page: ConsolePage, { by, action, account, day }: Filter): Html => {
  const m = words(page);
  const kinds = ACTOR_KINDS.map((kind) => [kind, m.actors[kind]] as const);
  const one = by.includes(':') ? [[by, m.oneMember] as const] : [];
  return html`<form action="/audit" class="filters">${select('by', m.by, m.anybody, [...one, ...kinds], by)}
${select(
  'action',
  m.about,
  m.anything,
  SUBJECT_KINDS.map((kind) => [kind, m.kinds[kind]] as const),
  action,
)}
${account === '' ? '' : select('account', m.account, m.anybody, [[account, m.oneCustomer]], account)}
${field({ name: 'day', label: m.day, type: 'date', value: day })}
<button>${m.show}</button></form>`;
};

/** The first and the last moment of a day in the shop's time zone. */
const momentsOf = (day: string, timeZone: string) => {
  const first = Date.parse(day);
  return {
    since: endOfDay(first - DAY_MS, timeZone),
    until: toInstant(millis(endOfDay(first, timeZone)) - 1),
  };
};

/** The audit log, in sentences. */
export const addAuditPages = (paths: ConsolePaths): void => {
  const { ask, glance } = paths;
  paths.section('audit', [listAudit]);

  paths.page('/audit', [listAudit], async (visit) => {
    const text = (name: string): string => visit.query.get(name)?.trim() ?? '';
    const filter: Filter = { by: text('by'), action: text('action'), account: text('account'), day: text('day') };
    const { storefront } = await paths.gate.settings.parts.catalogs.current();
    const days = isCalendarDay(filter.day) ? momentsOf(filter.day, zoneOf(storefront)) : {};
    const query = {
      by: actorsNamed(filter.by) && filter.by,
      action: filter.action,
      account_id: filter.account,
      ...days,
      limit: MOST,
      after: visit.query.get('after'),
    };
    const listed = await ask(visit, listAudit, { query });
    if (!listed.ok) return blocked(listed);
    const { data, next_after } = listed.value;
    const products = data.some(({ product_id }) => product_id !== null) ? await glance(visit, listShopProducts) : null;
    return show((page) => {
      const m = words(page);
      const names = new Map(
        products?.data.map(({ product }) => [product.id, inLocale(product.name, page.locale) ?? product.slug] as const),
      );
      return layout(page, {
        title: shellWords(page).sections.audit,
        section: 'audit',
        lead: m.lead,
        body: html`${filterForm(page, filter)}
${data.length === 0 ? emptyBox(m.none, m.noneText) : html`<div class="card rows log">${data.map((entry) => entryRow(page, entry, names))}</div>`}
${pageLinks(page, next_after)}`,
      });
    });
  });
};
