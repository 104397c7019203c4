import { html } from 'hono/html';
import { refuse } from '../../../../domain/shared/outcome.ts';
import { KIND_PATTERNS } from '../../../../domain/webhooks/webhook.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import {
  changeWebhook,
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  pingWebhook,
  resendDelivery,
  rotateWebhookSecret,
} from '../../../../ports/inbound/shop/webhooks.ts';
import { moment } from '../../shared/dates.ts';
import type { Html } from '../../shared/pieces.ts';
import { webhooks as en } from '../messages/en/webhooks.ts';
import { webhooks as ko } from '../messages/ko/webhooks.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberFormVisit, type MemberVisit, refused } from '../paths.ts';
import { dangerForm, form, type Kit } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, folded, list, section } from '../views/pieces.ts';

const words = inBoth({ en, ko });

type Webhook = AnswerIn<typeof listWebhooks>['data'][number];
type Deliveries = AnswerIn<typeof listDeliveries>;

const areaOf = (kind: string): string => kind.split('.', 1)[0] ?? '';

const stateBadge = (page: ConsolePage, { paused }: Webhook): Html => {
  const m = words(page);
  if (!paused) return badge(m.works, 'good');
  return badge(m.paused, paused.reason === 'asked' ? '' : 'bad');
};

const kindsText = (page: ConsolePage, { kinds }: Webhook): string => {
  const m = words(page);
  const name = (kind: string): string => (kind.endsWith('.*') ? (m.areas[areaOf(kind)] ?? kind) : kind);
  return kinds.length === 0 ? m.all : kinds.map(name).join(', ');
};

const fields = (page: ConsolePage, kit: Kit, { url, kinds }: Pick<Webhook, 'url' | 'kinds'>): Html => {
  const m = words(page);
  const box = (kind: string): Html => {
    const label = kind.endsWith('.*') ? (m.areas[areaOf(kind)] ?? kind) : kind;
    return kit.one({ name: 'kinds', label, value: kind, checked: kinds.includes(kind) });
  };
  const [areas, single] = [true, false].map((isArea) => KIND_PATTERNS.filter((kind) => kind.endsWith('.*') === isArea));
  return html`${kit.text({ name: 'url', label: m.url, hint: m.urlHint, type: 'url', value: url, maxlength: 2000, required: true })}
<fieldset><legend>${m.kinds}</legend><p class="hint">${m.kindsHint}</p>${areas?.map(box)}
${folded(
  m.single,
  html`${single?.map(box)}`,
  kinds.some((kind) => !kind.endsWith('.*')),
)}</fieldset>`;
};

const secretView = (page: ConsolePage, { id, secret }: { readonly id: number; readonly secret: string }): Html => {
  const m = words(page);
  return layout(page, {
    title: m.secret,
    section: 'webhooks',
    up: { href: `/webhooks/${id}`, text: m.title },
    lead: m.secretText,
    body: html`<p class="notice done" role="status">${m.secretOnce}</p><p><code>${secret}</code></p>
<p><a class="button" href="/webhooks/${id}">${m.secretDone}</a></p>`,
  });
};

const deliveryList = (page: ConsolePage, { id, paused }: Webhook, { data, next_after }: Deliveries): Html => {
  const m = words(page);
  const look = { waiting: 'due', delivered: 'good', failed: 'bad' } as const;
  return list(page, {
    caption: m.deliveries,
    columns: [m.event, m.time, m.result, ''],
    rows: data.map(({ id: delivery, kind, timestamp, state, attempts, due_at, fault }) => ({
      cells: [
        kind === 'ping' ? m.test : kind,
        moment(page, timestamp),
        html`${badge(m.states[state], look[state])} <small>${m.attempts(attempts)}${fault === null ? '' : `: ${fault}`}${state === 'waiting' && attempts > 0 && !paused ? html` ${m.next}: ${moment(page, due_at)}` : ''}</small>`,
        // A paused webhook sends nothing, and what it already has waits in its queue.
        paused
          ? ''
          : form(page, { action: `/webhooks/${id}/resend`, submit: m.again }, (kit) =>
              kit.hidden('delivery', delivery),
            ),
      ],
    })),
    empty: { title: m.noDeliveries, text: m.noDeliveriesText },
    next: next_after,
  });
};

const webhookView = (page: ConsolePage, webhook: Webhook, deliveries: Deliveries): Html => {
  const m = words(page);
  const { id, url, paused, secrets } = webhook;
  const to = (word: string): string => `/webhooks/${id}/${word}`;
  const set = (isPaused: boolean) => (kit: Kit) => kit.hidden('paused', String(isPaused));
  const former = secrets.find(({ ends_at }) => ends_at !== null)?.ends_at;
  return layout(page, {
    title: new URL(url).host,
    section: 'webhooks',
    up: { href: '/webhooks', text: m.title },
    badge: stateBadge(page, webhook),
    actions: paused ? '' : form(page, { action: to('ping'), submit: m.ping }),
    body: html`${
      paused
        ? html`<div class="note"><p>${m.pauses[paused.reason]} ${m.since}: ${moment(page, paused.at)}</p>
${form(page, { action: to('pause'), submit: m.resume, kind: 'main' }, set(false))}</div>`
        : ''
    }
${section(m.deliveries, deliveryList(page, webhook, deliveries))}
<div class="two">${section(
      m.settings,
      form(page, { action: to('change'), submit: m.save }, (kit) => fields(page, kit, webhook)),
    )}
<div class="cards">${section(
      m.secret,
      html`<p>${m.secretText}</p>${former ? html`<p>${m.twoSecrets}: ${moment(page, former)}</p>` : ''}
<p class="hint">${m.rotateText}</p>${form(page, { action: to('rotate'), submit: m.rotate, once: true })}`,
    )}
${paused ? '' : form(page, { action: to('pause'), submit: m.pause }, set(true))}
${dangerForm(page, { action: to('delete'), label: m.remove, question: m.removeText, submit: m.remove })}</div></div>`,
  });
};

/** The pages of the systems that receive changes: their list, and each one with what was sent to it. */
export const addWebhookPages = (paths: ConsolePaths): void => {
  const { ask } = paths;
  const needs = [listWebhooks];
  paths.section('webhooks', needs);

  paths.page('/webhooks', needs, async (visit) => {
    const found = await ask(visit, listWebhooks);
    if (!found.ok) return blocked(found);
    return show((page) => {
      const m = words(page);
      const add = { href: '/webhooks/new', text: m.add };
      return layout(page, {
        title: m.title,
        section: 'webhooks',
        lead: m.lead,
        actions: html`<a class="button main" href="${add.href}">${add.text}</a>`,
        body: list(page, {
          caption: m.title,
          columns: [m.url, m.state, m.kinds],
          rows: found.value.data.map((webhook) => ({
            href: `/webhooks/${webhook.id}`,
            cells: [webhook.url, stateBadge(page, webhook), kindsText(page, webhook)],
          })),
          empty: { title: m.none, text: m.noneText, next: add },
        }),
      });
    });
  });

  const newAnswer = show((page) => {
    const m = words(page);
    return layout(page, {
      title: m.add,
      section: 'webhooks',
      up: { href: '/webhooks', text: m.title },
      lead: m.addLead,
      body: form(page, { action: '/webhooks/new/create', submit: m.create, kind: 'main', once: true }, (kit) =>
        fields(page, kit, { url: '', kinds: [] }),
      ),
    });
  });
  paths.page('/webhooks/new', needs, () => newAnswer);

  const wished = ({ form: sent }: MemberFormVisit) => ({ url: sent.text('url').trim(), kinds: sent.all('kinds') });

  paths.form('/webhooks/new/create', { fresh: true, once: createWebhook }, async (visit) => {
    const made = await ask(visit, createWebhook, { body: wished(visit) as never });
    return made.ok ? show((page) => secretView(page, made.value)) : refused(visit, made, newAnswer);
  });

  const paramsOf = ({ req }: MemberVisit) => ({ webhook: String(req.params['webhook']) });

  const answer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const params = paramsOf(visit);
    const query = { after: visit.query.get('after'), limit: 20 };
    const [all, sent] = await Promise.all([ask(visit, listWebhooks), ask(visit, listDeliveries, { params, query })]);
    if (!all.ok) return blocked(all);
    if (!sent.ok) return blocked(sent);
    const webhook = all.value.data.find(({ id }) => String(id) === params.webhook);
    return webhook ? show((page) => webhookView(page, webhook, sent.value)) : blocked(refuse('shop_not_found'));
  };
  paths.page('/webhooks/:webhook', needs, answer);

  /** A step on a webhook, which ends on its page. Another URL gets the customers' data, so it needs a proof. */
  const step = (
    word: string,
    take: (visit: MemberFormVisit) => Promise<Awaited<ReturnType<typeof ask>>>,
    said: (m: typeof en, visit: MemberFormVisit) => string,
    leaves?: true,
  ): void =>
    paths.form(`/webhooks/:webhook/${word}`, { fresh: word === 'change' || leaves === true }, async (visit) => {
      const taken = await take(visit);
      if (!taken.ok) return refused(visit, taken, await answer(visit));
      return done(visit, leaves ? '/webhooks' : `/webhooks/${paramsOf(visit).webhook}`, said(words(visit), visit));
    });
  const isPausing = ({ form: sent }: MemberFormVisit): boolean => sent.text('paused') === 'true';

  step(
    'change',
    (visit) => ask(visit, changeWebhook, { params: paramsOf(visit), body: wished(visit) as never }),
    (m) => m.saved,
  );
  step(
    'pause',
    (visit) => ask(visit, changeWebhook, { params: paramsOf(visit), body: { paused: isPausing(visit) } }),
    (m, visit) => (isPausing(visit) ? m.pausedNow : m.resumed),
  );
  step(
    'ping',
    (visit) => ask(visit, pingWebhook, { params: paramsOf(visit) }),
    (m) => m.pinged,
  );
  step(
    'resend',
    (visit) => {
      const params = { ...paramsOf(visit), delivery: visit.form.text('delivery') };
      return ask(visit, resendDelivery, { params });
    },
    (m) => m.resent,
  );
  step(
    'delete',
    (visit) => ask(visit, deleteWebhook, { params: paramsOf(visit) }),
    (m) => m.removed,
    true,
  );

  paths.form('/webhooks/:webhook/rotate', { fresh: true, once: rotateWebhookSecret }, async (visit) => {
    const made = await ask(visit, rotateWebhookSecret, { params: paramsOf(visit) });
    return made.ok ? show((page) => secretView(page, made.value)) : refused(visit, made, await answer(visit));
  });
};
