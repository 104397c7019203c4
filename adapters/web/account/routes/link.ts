import { show } from '../answer.ts';
import type { Messages } from '../messages/en.ts';
import type { Paths } from '../paths.ts';
import { linkView, unusableLinkView } from '../views/sign-in.ts';
import { senderOf, signedIn } from './signed-in.ts';
import { minutesOf } from './waiting.ts';

/**
 * The page that a one-time link leads to. Only its form uses the link; then it offers to set a password, where
 * passwords sign in.
 */
export const addLinkPages = (paths: Paths): void => {
  const { parts } = paths.settings;
  const onward = parts.signInMethods.password ? '/security/password?first=1' : '/library';

  paths.open('/sign-in/link', async ({ query }) => {
    const code = query.get('code') ?? '';
    if (!(await parts.peekSignInLink(code))) return show(unusableLinkView, 404);
    return show((page) => linkView(page, { code, fault: null }));
  });

  paths.openForm('/sign-in/link', async (visit) => {
    const code = visit.form.text('code');
    const opened = await parts.useSignInLink({ code, ...senderOf(visit) });
    if (opened.ok) return signedIn(paths, visit, opened.value, opened.value.next ?? onward);
    if (opened.code === 'link_not_usable') return show(unusableLinkView, 404, '/sign-in');
    const isSuspended = opened.code === 'account_suspended';
    const fault = ({ signIn, errors }: Messages) =>
      isSuspended ? signIn.account_suspended() : errors.tooManyAttempts(minutesOf(opened));
    return show(
      (page) => linkView(page, { code, fault: fault(page.m) }),
      isSuspended ? 403 : 429,
      `/sign-in/link?code=${encodeURIComponent(code)}`,
    );
  });
};
