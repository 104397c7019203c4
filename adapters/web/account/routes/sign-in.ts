import { relyingParty } from '../../../../domain/sign-in/passkey.ts';
import { ownPath } from '../../../../domain/sign-in/session.ts';
import { type Answer, goTo, show } from '../answer.ts';
import type { Visit } from '../gate.ts';
import type { Messages } from '../messages/en.ts';
import { type Paths, signInAt } from '../paths.ts';
import { askedView, askView, signInView } from '../views/sign-in.ts';
import { senderOf, signedIn } from './signed-in.ts';
import { minutesOf, retryAfter } from './waiting.ts';

const STATUS = { wrong_credentials: 422, account_suspended: 403, too_many_attempts: 429, busy: 503 } as const;

/** The form to sign in with, and the ways in and out. */
export const addSignInPages = (paths: Paths): void => {
  const { settings, cookies, gate } = paths;
  const { parts } = settings;

  const { signInMethods: methods } = parts;
  const mails = parts.askForLink !== null;
  const passkeys = relyingParty(settings.urls.account) !== null;

  const form = ({ next, email = '' }: { next: string; email?: string }) =>
    show((page) => signInView(page, { next, email, fault: null, methods, mails, passkeys }));

  /** A browser that is signed in goes on at once. */
  const unlessSignedIn = async (visit: Visit, next: string, otherwise: Answer): Promise<Answer> => {
    return (await gate.session(visit)) ? goTo(next === '/' ? '/library' : next) : otherwise;
  };

  paths.open('/', (visit) => unlessSignedIn(visit, '/library', goTo('/sign-in')));

  // An owner who has to prove to be there signs in again, in a browser that is signed in.
  paths.open('/sign-in', async (visit) => {
    const next = ownPath(visit.query.get('next'), '/');
    if (visit.query.get('again') !== '1') return unlessSignedIn(visit, next, form({ next }));
    const session = await gate.session(visit);
    return form({ next, email: (session && (await parts.accounts.get(session.account_id)))?.email ?? '' });
  });

  paths.openForm('/sign-in', async (visit) => {
    const next = ownPath(visit.form.text('next'), '/');
    const email = visit.form.text('email');
    const opened = await parts.signInWithPassword({
      email,
      password: visit.form.text('password'),
      ...senderOf(visit),
      known: visit.sent.known ?? null,
    });
    if (opened.ok) return signedIn(paths, visit, opened.value, next);
    const fault = {
      wrong_credentials: ({ signIn }: Messages) => signIn.wrong_credentials,
      account_suspended: ({ signIn }: Messages) => signIn.account_suspended(),
      too_many_attempts: ({ errors }: Messages) => errors.tooManyAttempts(minutesOf(opened)),
      busy: ({ errors }: Messages) => errors.busy,
    }[opened.code];
    const again = show(
      (page) =>
        signInView(page, {
          next,
          email: email.slice(0, 254),
          fault: fault(page.m),
          methods,
          mails,
          passkeys,
        }),
      STATUS[opened.code],
      signInAt(next),
    );
    return opened.code === 'busy' ? { ...again, headers: retryAfter(opened) } : again;
  });

  const { askForLink } = parts;
  if (askForLink) {
    paths.open('/sign-in/mail', ({ query }) => {
      const next = ownPath(query.get('next'), '/');
      return show((page) => askView(page, { next, fault: null }));
    });

    // The answer is the same for every address, whether an account has it or not; a text that is none gets another.
    paths.openForm('/sign-in/mail', async (visit) => {
      const asker = { address: visit.address(), locale: visit.locale, known: visit.sent.known ?? null };
      const next = ownPath(visit.form.text('next'), '/');
      const wish = { email: visit.form.text('email'), ...asker, ...(next !== '/' && { next }) };
      const asked = await askForLink(gate.signInPermit(visit, '/sign-in/mail'), wish);
      if (asked.ok) return goTo('/sign-in/mail/sent');
      const isMalformed = asked.code === 'email_malformed';
      const fault = ({ m }: { readonly m: Messages }) =>
        isMalformed ? m.emailChange.malformed : m.errors.tooManyAttempts(minutesOf(asked));
      return show((page) => askView(page, { next, fault: fault(page) }), isMalformed ? 422 : 429, '/sign-in/mail');
    });

    paths.open('/sign-in/mail/sent', () => show(askedView));
  }

  paths.ownForm('/sign-out', '/', async ({ session, form: sent }) => {
    await parts.endSession(session);
    return goTo(signInAt(ownPath(sent.text('next'), '/')), [cookies.clear('session')]);
  });
};
