import { ownPath } from '../../../../domain/sign-in/own-path.ts';
import { type Answer, goTo, show } from '../answer.ts';
import type { Visit } from '../gate.ts';
import { type Paths, signInAt } from '../paths.ts';
import { signInView } from '../views/sign-in.ts';
import { minutesOf } from './minutes.ts';
import { browserOf, signedIn } from './signed-in.ts';

/** The form to sign in with, and the ways in and out. */
export const addSignInPages = (paths: Paths): void => {
  const { settings, cookies, gate } = paths;
  const { parts } = settings;

  const form = ({ next, email = '' }: { next: string; email?: string }) =>
    show((page) => signInView(page, { next, email, fault: null, methods: parts.signInMethods }));

  /** A browser that is signed in goes on at once. */
  const unlessSignedIn = async (visit: Visit, next: string, otherwise: Answer): Promise<Answer> => {
    const session = await gate.session(visit);
    return session.ok ? goTo(next === '/' ? '/library' : next) : otherwise;
  };

  paths.open('/', (visit) => unlessSignedIn(visit, '/library', goTo('/sign-in')));

  paths.open('/sign-in', (visit) => {
    const next = ownPath(visit.query.get('next'), '/');
    return unlessSignedIn(visit, next, form({ next }));
  });

  paths.openForm('/sign-in', async (visit) => {
    const next = ownPath(visit.form.text('next'), '/');
    const email = visit.form.text('email');
    const opened = await parts.signInWithPassword.execute({
      email,
      password: visit.form.text('password'),
      address: visit.address(),
      browser: browserOf(visit),
      known: visit.sent.known ?? null,
    });
    if (opened.ok) return signedIn(paths, visit, opened.value, next);
    const isLimited = opened.code === 'too_many_attempts';
    return show(
      (page) =>
        signInView(page, {
          next,
          email: email.slice(0, 254),
          fault: isLimited ? page.m.errors.tooManyAttempts(minutesOf(opened)) : page.m.signIn.wrong_credentials,
          methods: parts.signInMethods,
        }),
      isLimited ? 429 : 422,
      signInAt(next),
    );
  });

  paths.ownForm('/sign-out', '/', async ({ session, form: sent }) => {
    await parts.endSession.execute(session);
    return goTo(signInAt(ownPath(sent.text('next'), '/')), [cookies.clear('session')]);
  });
};
