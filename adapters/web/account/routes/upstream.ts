import { ownPath } from '../../../../domain/sign-in/session.ts';
import { type Answer, goTo, show } from '../answer.ts';
import type { Messages } from '../messages/en.ts';
import type { Paths } from '../paths.ts';
import { type FormRefusal, faultAnswer } from '../refused.ts';
import { signInForm } from '../sign-in-form.ts';
import { notFoundView } from '../views/messages.ts';
import { signInAt } from '../views/page.ts';
import { senderOf, signedIn } from './signed-in.ts';

type UpstreamRefusal = Exclude<FormRefusal & keyof Messages['signIn'], 'wrong_credentials'>;

/** The redirects to the shop's own OpenID Connect provider and back. */
export const addUpstreamPages = (paths: Paths): void => {
  const { settings, cookies } = paths;
  const { beginUpstreamSignIn: begin, finishUpstreamSignIn: finish, signInMethods: methods } = settings.parts;

  const form = signInForm(settings);

  const failed = (code: UpstreamRefusal, next: string): Answer => ({
    ...faultAnswer(
      { code, retry_after: 0 },
      form({ next, fault: ({ signIn }) => signIn[code](methods.upstream?.name ?? '') }),
      signInAt(next),
    ),
    cookies: [cookies.clear('upstream')],
  });

  paths.open('/sign-in/upstream', async ({ query }) => {
    if (begin === null) return show(notFoundView, 404, '/');
    const next = ownPath(query.get('next'), '/');
    const begun = await begin({ next });
    return begun.ok ? goTo(begun.value.url, [cookies.set('upstream', begun.value.cookie)]) : failed(begun.code, next);
  });

  paths.open('/sign-in/callback', async (visit) => {
    if (finish === null) return show(notFoundView, 404, '/');
    const finished = await finish(paths.guard.signInPermit(visit, '/sign-in/callback'), {
      cookie: visit.sent.upstream ?? '',
      callback_url: `${settings.site.url}${visit.req.originalUrl}`,
      ...senderOf(visit, settings.site),
    });
    if (!finished.ok) return failed(finished.code, ownPath(String(finished.data?.['next'] ?? ''), '/'));
    const answer = await signedIn(paths, visit, finished.value, ownPath(finished.value.next, '/'));
    return { ...answer, cookies: [...(answer.cookies ?? []), cookies.clear('upstream')] };
  });
};
