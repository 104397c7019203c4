import { html } from 'hono/html';
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '../../../../domain/sign-in/password-rules.ts';
import type { Session } from '../../../../domain/sign-in/session.ts';
import { day, moment } from '../../shared/dates.ts';
import { facts, field, type Html, type Notice, noticeBox, unseen } from '../../shared/pieces.ts';
import { confirmation } from './confirmation.ts';
import { csrfField, layout, type Page } from './page.ts';

export type PasswordFault =
  | { readonly code: 'wrong_credentials' | 'password_too_short' | 'password_too_long' | 'busy' }
  | { readonly code: 'too_many_attempts'; readonly minutes: number };

export type PasswordModel = {
  /** True where the account has a password. */
  readonly has_password: boolean;
  /** True where the form is a page by itself: then its faults stay there. */
  readonly alone: boolean;
  /** True where the present password must be named to set another one. */
  readonly needs_current: boolean;
  readonly fault: PasswordFault | null;
};

export type SecurityModel = {
  readonly sessions: readonly Session[];
  /** The id of the session of this browser, which is listed first. */
  readonly current: number;
  /** Null where no password signs in. */
  readonly password: PasswordModel | null;
  readonly notice: Notice | null;
};

const sessionRow = (page: Page, session: Session, isCurrent: boolean): Html => {
  const { security: m, browserUnknown } = page.m;
  const browser = session.browser || browserUnknown;
  const end = html`<form method="post" action="/security/end">${csrfField(page)}<input type="hidden" name="session" value="${String(session.id)}"><button class="plain">${m.end}${unseen(browser)}</button></form>`;
  const from = session.address === undefined ? '' : html`<p class="hint">${m.from(session.address)}</p>`;
  return html`<li class="row"><div class="title"><h3>${browser}${isCurrent ? html` <span class="badge good">${m.thisBrowser}</span>` : ''}</h3>${from}</div>
${facts([
  [m.methodLabel, m.method[session.method]],
  [m.since, moment(page, session.created_at)],
  [m.lastSeen, day(page, session.last_seen_at)],
])}
${isCurrent ? '' : end}</li>`;
};

/** The notice of a fault that is none of a field's. */
const blockedBy = ({ m }: Page, fault: PasswordFault | null): Notice | null => {
  if (fault?.code === 'too_many_attempts') return { kind: 'fault', text: m.errors.tooManyAttempts(fault.minutes) };
  return fault?.code === 'busy' ? { kind: 'fault', text: m.errors.busy } : null;
};

const passwordForm = (page: Page, { has_password, needs_current, fault, alone }: PasswordModel): Html => {
  const { security: m } = page.m;
  const errorOf = (name: 'current' | 'next'): string | undefined => {
    if (fault === null || fault.code === 'too_many_attempts' || fault.code === 'busy') return undefined;
    return (fault.code === 'wrong_credentials') === (name === 'current') ? m.errors[fault.code] : undefined;
  };
  const blocked = blockedBy(page, fault);
  const atStart = alone ? fault === null || blocked !== null : blocked !== null;
  return html`${noticeBox(blocked)}
<form method="post" action="/security/password" class="stack">${csrfField(page)}${alone ? html`<input type="hidden" name="alone" value="1">` : ''}
<input type="text" name="username" value="${page.email ?? ''}" autocomplete="username" hidden readonly>
${needs_current ? field({ name: 'current', label: m.current, type: 'password', autocomplete: 'current-password', maxlength: LONGEST_PASSWORD, required: true, error: errorOf('current'), first: atStart || errorOf('current') !== undefined }) : ''}
${field({ name: 'next', label: m.next, hint: m.nextHint(SHORTEST_PASSWORD), type: 'password', autocomplete: 'new-password', maxlength: LONGEST_PASSWORD, required: true, error: errorOf('next'), first: (atStart && !needs_current) || errorOf('next') !== undefined })}
${has_password ? html`<p class="hint">${m.othersEnd}</p>` : ''}
<div class="actions"><button class="main">${has_password ? m.changeButton : m.setButton}</button>${alone ? html`<a class="button" href="/library">${m.later}</a>` : ''}</div>
</form>`;
};

const passwordCard = (page: Page, password: PasswordModel): Html => {
  const { security: m } = page.m;
  return html`<section class="card" aria-labelledby="password"><h2 id="password">${password.has_password ? m.changeTitle : m.setTitle}</h2>
${password.has_password ? '' : html`<p class="hint">${m.setLead}</p>`}
${passwordForm(page, password)}</section>`;
};

/** The browsers that are signed in, and the password. */
export const securityView = (page: Page, { sessions, current, password, notice }: SecurityModel): Html => {
  const { security: m } = page.m;
  const endOthers = confirmation(page, {
    label: m.endOthers,
    question: m.endOthersConfirm,
    button: m.endOthersButton,
    action: '/security/end-others',
    fields: {},
  });
  return layout(page, {
    title: m.title,
    section: 'security',
    body: html`<h1>${m.title}</h1>
${noticeBox(notice)}
<section class="card" aria-labelledby="sessions"><h2 id="sessions">${m.sessions}</h2>
<p class="hint">${password === null ? m.sessionsLeadAlone : m.sessionsLead}</p>
<ul class="rows">${[...sessions]
      .sort((a, b) => Number(b.id === current) - Number(a.id === current))
      .map((session) => sessionRow(page, session, session.id === current))}</ul>
${sessions.length > 1 ? endOthers : ''}</section>
${password === null ? '' : passwordCard(page, password)}`,
  });
};

/** The password's form by itself, where a one-time link leads. */
export const passwordView = (page: Page, password: PasswordModel, welcome: boolean): Html => {
  const { security: m } = page.m;
  const title = password.has_password ? m.changeTitle : m.setTitle;
  return layout(page, {
    title,
    section: 'security',
    narrow: true,
    body: html`<h1>${title}</h1>
${welcome ? noticeBox({ kind: 'done', text: password.has_password ? m.welcomeBack : m.welcome }) : ''}
${passwordForm(page, password)}`,
  });
};
