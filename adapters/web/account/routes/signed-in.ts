import type { OpenedSession, Sender } from '../../../../application/sign-in/sessions.ts';
import { type Answer, goTo } from '../answer.ts';
import { browserName } from '../browser-name.ts';
import type { Visit } from '../gate.ts';
import type { Paths } from '../paths.ts';

/** The browser of a request in a few words, and its network address. */
export const senderOf = ({ req, address }: Pick<Visit, 'req' | 'address'>): Sender => ({
  browser: browserName(req.headers['user-agent']),
  address: address(),
});

/**
 * Signs the browser in, and goes on. The browser gets a new session in any case, so that one that somebody else put
 * there can't become the person's own (session fixation); the former session ends.
 */
export const signedIn = async (
  { settings: { parts }, cookies }: Paths,
  { sent }: Visit,
  { value, session }: OpenedSession,
  next: string,
): Promise<Answer> => {
  const [known, former] = await Promise.all([
    parts.rememberBrowser(session, sent.known ?? null),
    parts.findSession(sent.session),
  ]);
  if (former) await parts.endSession(former);
  return goTo(next === '/' ? '/library' : next, [cookies.set('session', value), cookies.set('known', known)]);
};
