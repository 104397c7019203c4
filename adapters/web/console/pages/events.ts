import { html } from 'hono/html';
import { EVENT_FAULTS, type EventFault, isResting } from '../../../../domain/sales/payment-event.ts';
import { type Outcome, ok } from '../../../../domain/shared/outcome.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../../../ports/inbound/refusals.ts';
import { listEvents, replayEvents, showEvent } from '../../../../ports/inbound/shop/sales.ts';
import { moment } from '../../shared/dates.ts';
import { facts, type Html } from '../../shared/pieces.ts';
import { events as en } from '../messages/en/events.ts';
import { events as ko } from '../messages/ko/events.ts';
import { shellWords } from '../messages/shell.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberVisit, refused } from '../paths.ts';
import { apiText } from '../views/blocked.ts';
import { form } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, filters, folded, list, section, tabs } from '../views/pieces.ts';
import { PROVIDERS, providerName } from './sales.ts';

const words = inBoth({ en, ko });

/** The events on a page, the most open events whose progress is counted, and the most calls that queue events. */
const [SHOWN, MOST_COUNTED, MOST_CALLS] = [50, 1000, 10];

/** The senders of events. The shop and its own systems have the name `shop`. */
const SENDERS = [...Object.keys(PROVIDERS), 'shop'];

type Listed = AnswerIn<typeof listEvents>;
type Event = Listed['data'][number];
type Filter = { readonly only: 'open' | null; readonly provider: string | null; readonly fault: EventFault | null };

const filterIn = (text: (name: string) => string | null): Filter => ({
  only: text('show') === 'all' ? null : 'open',
  provider: SENDERS.find((one) => one === text('provider')) ?? null,
  fault: EVENT_FAULTS.find((one) => one === text('fault')) ?? null,
});

const addressOf = ({ only, provider, fault }: Filter): string => {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries({ show: only === null ? 'all' : null, provider, fault })) {
    if (value !== null) query.set(name, value);
  }
  return query.size === 0 ? '/events' : `/events?${query}`;
};

const isPartly = ({ state, reason }: Event): boolean => state === 'done' && reason !== null;

const stateBadge = (page: ConsolePage, event: Event): Html => {
  const m = words(page);
  if (event.queued) return badge(m.queued, 'due');
  if (isPartly(event)) return badge(m.partly, 'bad');
  const kind = { done: 'good', ignored: '', waiting: 'due', refused: 'bad' } as const;
  return badge(m.states[event.state], kind[event.state]);
};

const whyText = (page: ConsolePage, { fault, reason }: Event): string => {
  const m = words(page);
  return fault === undefined ? (reason === null ? '' : m.unknown) : m.faults[fault];
};

const filterForm = (page: ConsolePage, { only, provider, fault }: Filter): Html => {
  const m = words(page);
  const senders = Object.fromEntries(SENDERS.map((one) => [one, providerName(page, one)]));
  const options = (all: Readonly<Record<string, string>>) => [['', m.every], ...Object.entries(all)] as const;
  return filters(
    '/events',
    m.show,
    [
      { name: 'provider', label: m.provider, chosen: provider ?? '', options: options(senders) },
      { name: 'fault', label: m.why, chosen: fault ?? '', options: options(m.faults) },
    ],
    only === null ? { show: 'all' } : {},
  );
};

/** The step that tries all refused events of the filter again, and how many are still to come. */
const replayBox = (page: ConsolePage, { data }: Listed, filter: Filter, left: number): Html => {
  const m = words(page);
  const count = left === MOST_COUNTED ? `${left}+` : String(left);
  const isOffered = filter.only !== null && data.some((event) => isResting(event));
  return html`${left === 0 ? '' : html`<p class="notice" role="status">${m.left(count)}</p>`}
${
  isOffered
    ? form(
        page,
        { action: '/events/replay', submit: m.againAll },
        (kit) => html`<p class="hint">${m.againHint}</p>
${kit.hidden('provider', filter.provider ?? '')}${kit.hidden('fault', filter.fault ?? '')}`,
      )
    : ''
}`;
};

const listView = (page: ConsolePage, listed: Listed, filter: Filter, left: number): Html => {
  const m = words(page);
  const isOpen = filter.only !== null;
  return layout(page, {
    title: shellWords(page).sections.events,
    section: 'events',
    body: html`${tabs(m.filter, [
      { href: addressOf({ ...filter, only: 'open' }), text: m.look, current: isOpen },
      { href: addressOf({ ...filter, only: null }), text: m.all, current: !isOpen },
    ])}
${filterForm(page, filter)}
${list(page, {
  caption: m.filter,
  columns: [m.event, m.state, m.customer, m.provider, m.received],
  rows: listed.data.map((event) => ({
    href: `/events/${event.provider}/${encodeURIComponent(event.id)}`,
    cells: [
      whyText(page, event) || event.type,
      stateBadge(page, event),
      event.buyer ?? '',
      providerName(page, event.provider),
      moment(page, event.received_at),
    ],
  })),
  empty: isOpen ? { title: m.none, text: m.noneText } : { title: m.noneAll, text: m.noneAllText },
  next: listed.next_after,
})}
${replayBox(page, listed, filter, left)}`,
  });
};

/** A body as the provider sent it, with a line for each field. */
const bodyText = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
};

const eventView = (page: ConsolePage, event: AnswerIn<typeof showEvent>): Html => {
  const m = words(page);
  const { provider, id, fault, reason, buyer, account_id, attempts = 0, due_at } = event;
  const path = `/events/${provider}/${encodeURIComponent(id)}`;
  const remedy = reason === null ? m.fine : fault === undefined ? m.otherRemedy : m.remedies[fault];
  const isLinked = account_id !== null && page.sections.has('customers');
  const customer = isLinked
    ? html`<a href="/customers/${String(account_id)}">${buyer ?? String(account_id)}</a>`
    : (buyer ?? null);
  return layout(page, {
    title: whyText(page, event) || event.type,
    section: 'events',
    up: { href: '/events', text: shellWords(page).sections.events },
    badge: stateBadge(page, event),
    lead: remedy,
    body: html`${form(page, { action: `${path}/replay`, submit: m.again, kind: reason === null ? '' : 'main' })}
${section(
  m.facts,
  facts([
    [m.answer, reason === null ? null : apiText(reason)],
    [m.provider, providerName(page, provider)],
    [m.kind, event.type],
    [m.id, id],
    [m.customer, customer],
    [m.received, moment(page, event.received_at)],
    [m.attempts, attempts > 0 ? m.attemptsText(attempts) : null],
    [m.next, due_at && event.state === 'waiting' ? moment(page, due_at) : null],
  ]),
)}
${folded(m.body, html`<pre tabindex="0">${bodyText(event.body)}</pre>`)}`,
  });
};

/** The events of payment providers: those that need attention come first, each with its reason and the remedy. */
export const addEventPages = (paths: ConsolePaths): void => {
  const { ask, glance } = paths;
  paths.section('events', [listEvents]);

  const listPage = async (visit: MemberVisit, text: (name: string) => string | null): Promise<ConsoleAnswer> => {
    const filter = filterIn(text);
    const listed = await ask(visit, listEvents, { query: { ...filter, after: text('after'), limit: SHOWN } });
    if (!listed.ok) return blocked(listed);
    const isUnderWay = listed.value.data.some(({ queued }) => queued);
    const all = isUnderWay
      ? await glance(visit, listEvents, { query: { only: 'refused', limit: MOST_COUNTED } })
      : null;
    const left = all?.data.filter(({ queued }) => queued).length ?? 0;
    return show((page) => listView(page, listed.value, filter, left));
  };

  paths.page('/events', [listEvents], (visit) => listPage(visit, (name) => visit.query.get(name)));

  const eventIn = ({ req: { params } }: MemberVisit) => ({
    id: String(params['event']),
    provider: String(params['provider']),
  });

  const eventPage = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const { id, provider } = eventIn(visit);
    const event = await ask(visit, showEvent, { params: { event: id }, query: { provider } });
    return event.ok ? show((page) => eventView(page, event.value)) : blocked(event);
  };

  /** Leaves the refused events of a filter to the server, and returns their number. */
  const queue = async (
    visit: MemberVisit,
    filter: Filter,
    after: string | null = null,
    calls = MOST_CALLS,
  ): Promise<Outcome<number, RefusalCode>> => {
    const { provider, fault } = filter;
    const queued = await ask(visit, replayEvents, { body: { provider, fault, after, queue: true } });
    if (!queued.ok) return queued;
    const { data, next_after } = queued.value;
    if (next_after === null || calls === 1) return ok(data.length);
    const rest = await queue(visit, filter, next_after, calls - 1);
    return rest.ok ? ok(rest.value + data.length) : rest;
  };

  paths.form('/events/replay', {}, async (visit) => {
    const m = words(visit);
    const filter = filterIn((name) => visit.form.text(name));
    const queued = await queue(visit, filter);
    if (!queued.ok) return refused(visit, queued, await listPage(visit, (name) => visit.form.text(name)));
    const count = queued.value;
    return done(visit, addressOf(filter), count === 0 ? m.nothingQueued : m.queuedAll(count));
  });

  paths.page('/events/:provider/:event', [showEvent], eventPage);

  paths.form('/events/:provider/:event/replay', {}, async (visit) => {
    const { id, provider } = eventIn(visit);
    const replayed = await ask(visit, replayEvents, { body: { event: id, provider } });
    if (!replayed.ok) return refused(visit, replayed, await eventPage(visit));
    const [event] = replayed.value.data;
    return done(
      visit,
      `/events/${provider}/${encodeURIComponent(id)}`,
      words(visit).results[event?.state ?? 'waiting'],
    );
  });
};
