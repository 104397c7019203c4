import type { OpenedSession, Sender } from '../../../../application/sign-in/sessions.ts';
import { ownPath } from '../../../../domain/sign-in/session.ts';
import { type Answer, goTo } from '../answer.ts';
import { browserName } from '../browser-name.ts';
import type { PagesSettings } from '../gate-parts.ts';
import type { Visit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import type { Site } from '../site.ts';

/** The name of a request's browser, its IP address, and the place of the site. */
export const senderOf = ({ req, address }: Pick<Visit, 'req' | 'address'>, { place }: Pick<Site, 'place'>): Sender => ({
  browser: browserName(req.headers['user-agent']),
  address: address(),
  ...(place && { place }),
});

/** The email address and path for which this browser last requested a sign-in link; empty and `/` if it never did. */
export const askedBy = ({ sent }: Pick<Visit, 'sent'>): { readonly email: string; readonly next: string } => {
  const typed = new URLSearchParams(sent.asked);
  return { email: typed.get('email') ?? '', next: ownPath(typed.get('next'), '/') };
};

/** Sets the renewed session value, and a new value that marks the browser as known, and continues. */
export const renewed = async (
  { settings: { parts }, cookies }: Paths<PagesSettings>,
  { sent }: Pick<Visit, 'sent'>,
  { value, session }: OpenedSession,
  next: string,
): Promise<Answer> => {
  const known = await parts.rememberBrowser(session, sent.known ?? null);
  return goTo(next, [cookies.set('session', value), cookies.set('known', known)]);
};

/**
 * Signs the browser in and continues. The browser always gets a new session, so that a session planted by somebody else
 * can't become the person's own (session fixation); the former session ends.
 */
export const signedIn = async (
  paths: Paths<PagesSettings>,
  { sent }: Visit,
  opened: OpenedSession,
  next: string,
): Promise<Answer> => {
  const { findSession, endSession } = paths.settings.parts;
  const [answer, former] = await Promise.all([
    renewed(paths, { sent }, opened, next === '/' ? paths.settings.site.home : next),
    findSession(sent.session, paths.settings.site.place),
  ]);
  if (former) await endSession(former);
  if (sent.asked === undefined) return answer;
  return { ...answer, cookies: [...(answer.cookies ?? []), paths.cookies.clear('asked')] };
};
