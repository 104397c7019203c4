import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import { ownPath } from '../../../../domain/sign-in/session.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { LONGEST_COOKIE } from '../cookies.ts';
import type { PagesSettings } from '../gate-parts.ts';
import type { Visit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { faultAnswer, faultOf, faultText } from '../refused.ts';
import { signInForm } from '../sign-in-form.ts';
import { signInAt } from '../views/page.ts';
import { askedView, askView } from '../views/sign-in.ts';
import { askedBy, senderOf, signedIn } from './signed-in.ts';

export const addSignInPages = (paths: Paths<PagesSettings>): void => {
  const { settings, cookies, guard } = paths;
  const { parts, site } = settings;

  const form = signInForm(settings);

  /** Sends a signed-in browser on at once. */
  const unlessSignedIn = async (visit: Visit, next: string, otherwise: Answer): Promise<Answer> => {
    return (await guard.session(visit)) ? goTo(next === '/' ? site.home : next) : otherwise;
  };

  // An owner who needs a recent proof of identity can sign in again while signed in.
  paths.open('/sign-in', async (visit) => {
    const next = ownPath(visit.query.get('next'), '/');
    if (visit.query.get('again') !== '1') {
      return unlessSignedIn(visit, next, show(form({ next, email: askedBy(visit).email })));
    }
    const session = await guard.session(visit);
    return show(form({ next, email: (session && (await parts.accounts.get(session.account_id)))?.email ?? '' }));
  });

  if (parts.signInMethods.password) {
    paths.openForm('/sign-in', async (visit) => {
      const next = ownPath(visit.form.text('next'), '/');
      const email = visit.form.text('email');
      const opened = await parts.signInWithPassword({
        email,
        password: visit.form.text('password'),
        ...senderOf(visit, site),
        known: visit.sent.known ?? null,
      });
      if (opened.ok) return signedIn(paths, visit, opened.value, next);
      const fault = faultOf(opened.code, opened);
      return faultAnswer(fault, form({ next, email, fault: (m) => faultText(m, fault) }), signInAt(next));
    });
  }

  const { askForLink } = parts;
  if (askForLink) {
    const mailAt = (next: string): string => signInAt(next).replace('/sign-in', '/sign-in/mail');

    paths.open('/sign-in/mail', (visit) => {
      const next = ownPath(visit.query.get('next'), '/');
      return show((page) => askView(page, { next, email: askedBy(visit).email, fault: null }));
    });

    // The answer is the same whether or not an account has the address; only an invalid address gets another.
    paths.openForm('/sign-in/mail', async (visit) => {
      const sender = { address: visit.address(), locale: visit.language, known: visit.sent.known ?? null };
      const next = ownPath(visit.form.text('next'), '/');
      const email = visit.form.text('email').slice(0, LONGEST_EMAIL);
      const input = { email, ...sender, ...(next !== '/' && { next }), ...(site.place && { place: site.place }) };
      const asked = await askForLink(guard.signInPermit(visit, '/sign-in/mail'), input);
      const typed = new URLSearchParams({ email, next }).toString();
      const remembered = typed.length <= LONGEST_COOKIE ? [cookies.set('asked', typed)] : [];
      if (asked.ok) return goTo('/sign-in/mail/sent', remembered);
      const fault = faultOf(asked.code, asked);
      return faultAnswer(
        fault,
        (page) => askView(page, { next, email, fault: faultText(page.m, fault) }),
        mailAt(next),
      );
    });

    paths.open('/sign-in/mail/sent', (visit) => show((page) => askedView(page, askedBy(visit))));
  }

  paths.ownForm('/sign-out', '/', async ({ session, form: sent }) => {
    await parts.endSession(session);
    return goTo(signInAt(ownPath(sent.text('next'), '/')), [cookies.clear('session')]);
  });
};
