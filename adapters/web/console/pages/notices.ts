import { html } from 'hono/html';
import { NOTICE_KINDS, NOTICE_TIMES, type NoticeSettings } from '../../../../domain/catalog/notify.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import { showNotices, testNotices } from '../../../../ports/inbound/shop/notices.ts';
import { changeStorefront, showStorefront } from '../../../../ports/inbound/shop/products.ts';
import type { Html } from '../../shared/pieces.ts';
import { notices as en } from '../messages/en/notices.ts';
import { notices as ko } from '../messages/ko/notices.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberVisit, refused } from '../paths.ts';
import { form } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { section } from '../views/pieces.ts';

const words = inBoth({ en, ko });

const view = (page: ConsolePage, { sends_mail, kinds }: AnswerIn<typeof showNotices>, to: readonly string[]): Html => {
  const m = words(page);
  const timeOptions = NOTICE_TIMES.map((time) => [time, m.times[time]] as const);
  const hint = (addresses: readonly string[]): string =>
    addresses.length === 0 ? m.nobody : m.goesTo(addresses.join(', '));
  return layout(page, {
    title: m.title,
    section: 'notices',
    lead: m.lead,
    body: html`${sends_mail ? '' : html`<div class="note"><p>${m.noMail}</p></div>`}
${form(
  page,
  { action: '/notices/save', submit: m.save, kind: 'main' },
  (kit) => html`${kinds.map(({ kind, time, to: addresses }) =>
    kit.select({
      name: `notify.${kind}`,
      label: m.kinds[kind],
      ...(time !== 'never' && { hint: hint(addresses) }),
      value: time,
      options: timeOptions,
    }),
  )}
${kit.area({ name: 'notify.to', label: m.to, hint: m.toHint, value: to.join('\n'), rows: 3 })}
<p class="hint">${m.bounds}</p>`,
)}
${section(m.test, html`<p>${m.testText}</p>${form(page, { action: '/notices/test', submit: m.test })}`)}`,
  });
};

/** The page of the mails to the people who run the shop: each kind with its time, and the addresses. */
export const addNoticePages = (paths: ConsolePaths): void => {
  const { ask } = paths;
  const needs = [showNotices, changeStorefront];
  paths.section('notices', needs);

  const answer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const [shown, storefront] = await Promise.all([ask(visit, showNotices), ask(visit, showStorefront)]);
    if (!shown.ok) return blocked(shown);
    if (!storefront.ok) return blocked(storefront);
    const { to = [] } = (storefront.value['notify'] ?? {}) as NoticeSettings;
    return show((page) => view(page, shown.value, to));
  };
  paths.page('/notices', needs, answer);

  paths.form('/notices/save', { fresh: true }, async (visit) => {
    const { form: sent } = visit;
    const to = sent
      .text('notify.to')
      .split(/[\s,;]+/)
      .filter(Boolean);
    const set = NOTICE_KINDS.filter((kind) => sent.has(`notify.${kind}`));
    const times = Object.fromEntries(set.map((kind) => [kind, sent.text(`notify.${kind}`)]));
    const body = { notify: { ...times, ...(to.length > 0 && { to }) } };
    const changed = await ask(visit, changeStorefront, { body: body as never });
    return changed.ok ? done(visit, '/notices', words(visit).saved) : refused(visit, changed, await answer(visit));
  });

  paths.form('/notices/test', {}, async (visit) => {
    const tested = await ask(visit, testNotices);
    if (!tested.ok) return refused(visit, tested, await answer(visit));
    const { to } = tested.value;
    const m = words(visit);
    return done(visit, '/notices', to.length === 0 ? m.testedNobody : m.tested(to.join(', ')));
  });
};
