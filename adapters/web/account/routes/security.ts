import { needsCurrentPassword } from '../../../../domain/sign-in/password-rules.ts';
import { goTo, show } from '../answer.ts';
import type { OwnVisit } from '../gate.ts';
import type { Paths } from '../paths.ts';
import { notFoundView } from '../views/messages.ts';
import { type PasswordFault, type PasswordModel, passwordView, securityView } from '../views/security.ts';
import { noticeIn } from './notices.ts';
import { minutesOf, retryAfter } from './waiting.ts';

const STATUS = {
  wrong_credentials: 422,
  password_too_short: 422,
  password_too_long: 422,
  too_many_attempts: 429,
  busy: 503,
} as const;

/** The browsers that are signed in, and the password where passwords sign in. */
export const addSecurityPages = (paths: Paths): void => {
  const { settings, cookies } = paths;
  const { accounts, clock, listSessions, endOwnSession, endOtherSessions, setPassword, signInMethods } = settings.parts;

  const passwordOf = async (
    { session }: OwnVisit,
    alone: boolean,
    fault: PasswordFault | null = null,
  ): Promise<PasswordModel> => {
    const account = await accounts.get(session.account_id);
    const needs_current = account !== undefined && needsCurrentPassword(account, session, clock.now());
    return { has_password: (account?.password_hash ?? null) !== null, needs_current, alone, fault };
  };

  paths.own('/security', async (visit) => {
    const { session, query } = visit;
    const password = signInMethods.password ? await passwordOf(visit, false) : null;
    const sessions = await listSessions(session.account_id);
    const notice = noticeIn(query, {
      done: ({ security: { ended, gone, othersEnded, passwordSet, appsStay, toApps } }) => ({
        ended,
        gone,
        othersEnded,
        passwordSet: { text: `${passwordSet} ${appsStay}`, link: { href: '/apps', text: toApps } },
      }),
    });
    return show((page) => securityView(page, { sessions, current: session.id, password, notice: notice(page.m) }));
  });

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
    });
    if (set.ok) return goTo('/security?done=passwordSet');
    const { code } = set;
    if (code === 'passwords_off') return show(notFoundView, 404, '/security');
    const isLimited = code === 'too_many_attempts';
    const fault = isLimited ? { code, minutes: minutesOf(set) } : { code };
    const password = await passwordOf(visit, form.text('alone') === '1', fault);
    const sessions = await listSessions(session.account_id);
    const again = show(
      (page) =>
        password.alone
          ? passwordView(page, password, false)
          : securityView(page, { sessions, current: session.id, password, notice: null }),
      STATUS[code],
      password.alone ? undefined : '/security',
    );
    return code === 'busy' ? { ...again, headers: retryAfter(set) } : again;
  });
};
