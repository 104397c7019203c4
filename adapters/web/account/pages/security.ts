import { html } from 'hono/html';
import { type Passkey, passkeyTag, relyingParty } from '../../../../domain/sign-in/passkey.ts';
import {
  LONGEST_PASSWORD,
  needsCurrentPassword,
  SHORTEST_PASSWORD,
} from '../../../../domain/sign-in/password-rules.ts';
import { isNewWayIn, type Session } from '../../../../domain/sign-in/session.ts';
import { moment } from '../../shared/dates.ts';
import { checkbox, facts, field, type Html, type Notice, noticeBox, unseen } from '../../shared/pieces.ts';
import { goTo, show } from '../answer.ts';
import { PASSKEY_SCRIPT_PATH, SCRIPT_PATH } from '../assets/assets.ts';
import type { PagesSettings } from '../gate-parts.ts';
import type { OwnVisit } from '../guard.ts';
import type { Messages } from '../messages/en.ts';
import type { AccountPagesParts } from '../parts.ts';
import type { Paths } from '../paths.ts';
import { type Fault, faultAnswer, faultOf } from '../refused.ts';
import { noticeIn } from '../routes/notices.ts';
import { renewed } from '../routes/signed-in.ts';
import { confirmation } from '../views/confirmation.ts';
import { notFoundView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';
import { blockedBy } from '../views/proof.ts';
import { passkeyCard } from './passkeys.ts';

type PasswordFault = Fault<
  'wrong_credentials' | 'password_too_short' | 'password_too_long' | 'too_many_attempts' | 'busy'
>;

export type PasswordModel = {
  readonly has_password: boolean;
  /** True if the form is a separate page, which then also shows its faults. */
  readonly alone: boolean;
  /** True if setting a password requires the current one. */
  readonly needs_current: boolean;
  /** The passkeys that the change can also remove. New ones are preselected. */
  readonly passkeys: readonly { readonly tag: string; readonly name: string; readonly is_new: boolean }[];
  readonly fault: PasswordFault | null;
};

export type SecurityModel = {
  readonly sessions: readonly Session[];
  /** The id of this browser's session, which is listed first. */
  readonly current: number;
  /** Null if there is no password sign-in. */
  readonly password: PasswordModel | null;
  /** Null if browsers give this host no passkeys. */
  readonly passkeys: readonly Passkey[] | null;
  readonly notice: Notice | null;
};

const sessionRow = (page: Page, session: Session, isCurrent: boolean): Html => {
  const { security: m } = page.m;
  const browser = page.m.browser(session.browser);
  const end = html`<form method="post" action="/security/end">${csrfField(page)}<input type="hidden" name="session" value="${String(session.id)}"><button class="plain">${m.end}${unseen(browser)}</button></form>`;
  return html`<li class="row"><div class="title"><h3>${browser}${isCurrent ? html` <span class="badge good">${m.thisBrowser}</span>` : ''}</h3><p class="kind">${m.method[session.method]}${session.address === undefined ? '' : ` · ${m.from(session.address)}`}</p></div>
${facts([
  [m.since, moment(page, session.created_at)],
  [m.lastSeen, moment(page, session.last_seen_at)],
])}
${isCurrent ? '' : end}</li>`;
};

const passwordForm = (page: Page, { has_password, needs_current, passkeys, fault, alone }: PasswordModel): Html => {
  const { security: m } = page.m;
  const errorOf = (name: 'current' | 'next'): string | undefined => {
    if (fault === null || fault.code === 'too_many_attempts' || fault.code === 'busy') return undefined;
    return (fault.code === 'wrong_credentials') === (name === 'current') ? m.errors[fault.code] : undefined;
  };
  const atStart = alone && fault === null;
  return html`${noticeBox(blockedBy(page, fault))}
<form method="post" action="/security/password" class="stack">${csrfField(page)}${alone ? html`<input type="hidden" name="alone" value="${has_password ? '1' : 'first'}">` : ''}
<input type="text" name="username" value="${page.email ?? ''}" autocomplete="username" hidden readonly>
${needs_current ? field({ name: 'current', label: m.current, type: 'password', autocomplete: 'current-password', maxlength: LONGEST_PASSWORD, required: true, error: errorOf('current'), first: atStart || errorOf('current') !== undefined }) : ''}
${field({ name: 'next', label: m.next, hint: m.nextHint(SHORTEST_PASSWORD), type: 'password', autocomplete: 'new-password', maxlength: LONGEST_PASSWORD, required: true, error: errorOf('next'), first: (atStart && !needs_current) || errorOf('next') !== undefined })}
${passkeys.length === 0 ? '' : html`<fieldset><legend>${m.passkeysToo}</legend><p class="hint">${m.passkeysHint}</p>${passkeys.map(({ tag, name, is_new }) => checkbox({ name: 'passkey', value: tag, label: name, checked: is_new, ...(is_new && { note: m.passkeyNew }) }))}</fieldset>`}
${has_password && alone ? html`<p class="hint">${m.othersEnd}</p>` : ''}
<div class="actions"><button class="main">${has_password ? m.changeButton : m.setButton}</button>${alone ? html`<a class="button" href="/library">${m.later}</a>` : ''}</div>
</form>`;
};

const passwordCard = (page: Page, password: PasswordModel): Html => {
  const { security: m } = page.m;
  return html`<section class="split" aria-labelledby="password"><div><h2 id="password">${password.has_password ? m.changeTitle : m.setTitle}</h2>
<p>${password.has_password ? m.othersEnd : m.setLead}</p></div>
<div class="card">${passwordForm(page, password)}</div></section>`;
};

/** The browsers that are signed in, this one first, with the forms that sign them out. */
export const sessionCard = (page: Page, sessions: readonly Session[], current: number, lead: string): Html => {
  const { security: m } = page.m;
  const end = (all: 'Others' | 'All'): Html =>
    confirmation(page, {
      label: m[`end${all}`],
      question: m[`end${all}Confirm`],
      button: m[`end${all}Button`],
      action: `/security/end-${all.toLowerCase()}`,
      fields: {},
    });
  return html`<section class="split" aria-labelledby="sessions"><div><h2 id="sessions">${m.sessions}</h2>
<p>${lead}</p></div>
<div class="card"><ul class="rows">${[...sessions]
    .sort((a, b) => Number(b.id === current) - Number(a.id === current))
    .map((session) => sessionRow(page, session, session.id === current))}</ul>
${sessions.length > 1 ? end('Others') : ''}${end('All')}</div></section>`;
};

/** The browsers that are signed in, and the password. */
export const securityView = (page: Page, { sessions, current, password, passkeys, notice }: SecurityModel): Html => {
  const { security: m } = page.m;
  return layout(page, {
    title: m.title,
    section: 'security',
    script: passkeys === null ? SCRIPT_PATH : PASSKEY_SCRIPT_PATH,
    body: html`<h1>${m.title}</h1>
${noticeBox(notice)}
${password === null ? '' : passwordCard(page, password)}
${passkeys === null ? '' : passkeyCard(page, passkeys)}
${sessionCard(page, sessions, current, password === null ? m.sessionsLeadAlone : m.sessionsLead)}`,
  });
};

/** The password's form on a separate page, which follows a one-time link. */
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

/** The notice about the last step on a person's passkeys and browsers. */
const SESSION_NOTICES = {
  done: ({ security: { ended, gone, othersEnded }, passkeys: m }: Messages) => ({
    passkeyAdded: m.addedText,
    passkeyRemoved: m.removed,
    passkeyGone: m.gone,
    ended,
    gone,
    othersEnded,
  }),
  faults: ({ passkeys: { failed: passkeyFailed, full: passkeysFull } }: Messages) => ({ passkeyFailed, passkeysFull }),
};

export const sessionNotice = (query: URLSearchParams): ((m: Messages) => Notice | null) =>
  noticeIn(query, SESSION_NOTICES);

type SessionParts = PagesSettings & { readonly parts: Pick<AccountPagesParts, 'endOwnSession' | 'endOtherSessions'> };

/** The forms that sign a person's browsers out. */
export const addSessionForms = (paths: Paths<SessionParts>): void => {
  const { cookies, settings } = paths;
  const { endOwnSession, endOtherSessions } = settings.parts;

  paths.ownForm('/security/end', '/security', async ({ session, form, permit }) => {
    const id = form.id('session');
    const ended = id !== null && (await endOwnSession(permit, session.account_id, id)).ok;
    if (id === session.id) return goTo('/sign-in', [cookies.clear('session')]);
    return goTo(`/security?done=${ended ? 'ended' : 'gone'}`);
  });

  paths.ownForm('/security/end-others', '/security', async ({ session, permit, sent }) => {
    await endOtherSessions(permit, session, sent.known ?? null);
    return goTo('/security?done=othersEnded');
  });

  paths.ownForm('/security/end-all', '/security', async ({ session: { account_id }, permit }) => {
    await endOtherSessions(permit, { id: null, account_id }, null);
    return goTo('/sign-in', [cookies.clear('session'), cookies.clear('known')]);
  });
};

/** Adds the page that lists signed-in browsers and passkeys and, with password sign-in, changes the password. */
export const addSecurityPages = (paths: Paths): void => {
  const { settings } = paths;
  const { accounts, clock, listSessions, setPassword, signInMethods } = settings.parts;
  const hasPasskeys = relyingParty(settings.site.url) !== null;

  const passkeysOf = async ({ session }: OwnVisit): Promise<readonly Passkey[] | null> =>
    hasPasskeys ? settings.parts.listPasskeys(session.account_id) : null;

  const passwordOf = async (
    { session }: OwnVisit,
    alone: boolean,
    fault: PasswordFault | null = null,
  ): Promise<PasswordModel> => {
    const [account, held] = await Promise.all([
      accounts.get(session.account_id),
      settings.parts.listPasskeys(session.account_id),
    ]);
    const now = clock.now();
    const needs_current = account !== undefined && needsCurrentPassword(account, session, now);
    const passkeys = held.map((one) => ({ tag: passkeyTag(one), name: one.name, is_new: isNewWayIn(one, now) }));
    return { has_password: (account?.password_hash ?? null) !== null, needs_current, passkeys, alone, fault };
  };

  paths.own('/security', async (visit) => {
    const { session, query } = visit;
    const password = signInMethods.password ? await passwordOf(visit, false) : null;
    const [sessions, passkeys] = await Promise.all([listSessions(session.account_id), passkeysOf(visit)]);
    const notice = noticeIn(query, {
      done: (m) => {
        const { passwordSet, appsStay, toApps } = m.security;
        const link = { href: '/apps', text: toApps };
        return { ...SESSION_NOTICES.done(m), passwordSet: { text: `${passwordSet} ${appsStay}`, link } };
      },
      faults: SESSION_NOTICES.faults,
    });
    return show((page) =>
      securityView(page, { sessions, current: session.id, password, passkeys, notice: notice(page.m) }),
    );
  });

  addSessionForms(paths);

  paths.own('/security/password', async (visit) => {
    if (!signInMethods.password) return show(notFoundView, 404, '/security');
    const password = await passwordOf(visit, true);
    return show((page) => passwordView(page, password, visit.query.get('first') === '1'));
  });

  paths.boundedForm('/security/password', '/security/password', async (visit) => {
    const { session, form, permit, sent } = visit;
    const current = form.text('current');
    const set = await setPassword(permit, {
      session,
      current: current === '' ? null : current,
      next: form.text('next'),
      known: sent.known ?? null,
      passkeys: form.all('passkey'),
    });
    const alone = form.text('alone');
    const next = `${alone === 'first' ? settings.site.home : '/security'}?done=passwordSet`;
    if (set.ok) return set.value ? renewed(paths, visit, set.value, next) : goTo('/sign-in');
    const { code } = set;
    if (code === 'proof_needed') return paths.proofAnswer(visit, '/security/password', { ...set, code });
    if (code === 'passwords_off') return show(notFoundView, 404, '/security');
    const fault = faultOf(code, set);
    const password = await passwordOf(visit, alone !== '', fault);
    const [sessions, passkeys] = await Promise.all([listSessions(session.account_id), passkeysOf(visit)]);
    return faultAnswer(
      fault,
      (page) =>
        password.alone
          ? passwordView(page, password, false)
          : securityView(page, { sessions, current: session.id, password, passkeys, notice: null }),
      password.alone ? undefined : '/security',
    );
  });
};
