import { ownPath } from '../../../../domain/sign-in/session.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { isMobile } from '../browser-name.ts';
import type { PagesSettings } from '../gate-parts.ts';
import type { Paths } from '../paths.ts';
import { faultAnswer, faultOf, faultText } from '../refused.ts';
import { signInForm } from '../sign-in-form.ts';
import { signInAt } from '../views/page.ts';
import { linkView } from '../views/sign-in.ts';
import { askedBy, senderOf, signedIn } from './signed-in.ts';

/**
 * The page behind a one-time link. Only its form uses the link. It then continues to the path in the URL, else to the
 * path that this browser asked for, else it offers to set a password, if there is password sign-in. A link that is no
 * longer valid shows the sign-in form with its email address and path.
 */
export const addLinkPages = (paths: Paths<PagesSettings>): void => {
  const { parts, site } = paths.settings;
  const form = signInForm(paths.settings);

  const unusable = (next: string, email: string | null): Answer =>
    show(
      form({ next, email: email ?? '', fault: ({ link }) => `${link.unusable}. ${link.unusableText}` }),
      404,
      signInAt(next),
    );

  paths.open('/sign-in/link', async (visit) => {
    const code = visit.query.get('code') ?? '';
    const [seen, session] = await Promise.all([parts.peekSignInLink(code, site.place), paths.guard.session(visit)]);
    const next = ownPath(visit.query.get('next'), seen?.next ?? '/');
    // The owner's signed-in browser needs no link to reach a download. An unused link of another kind may be the proof
    // that a page asked for.
    const isOwn = session !== null && seen?.account_id === session.account_id && (seen.is_lasting || !seen.is_usable);
    if (isOwn || (session && !seen && next !== '/')) return goTo(next === '/' ? site.home : next);
    if (!seen?.is_usable) return unusable(next, seen?.email ?? null);
    const model = { code, next, email: seen.email, isMobile: isMobile(visit.req.headers['user-agent']), fault: null };
    return show((page) => linkView(page, model));
  });

  paths.openForm('/sign-in/link', async (visit) => {
    const code = visit.form.text('code');
    const seen = await parts.peekSignInLink(code, site.place);
    const next = ownPath(visit.form.text('next'), '/');
    const opened = await parts.useSignInLink({ code, secret: visit.sent.form, ...senderOf(visit, site) });
    if (opened.ok) {
      const [target] = [next, opened.value.next ?? '/', askedBy(visit).next].filter((path) => path !== '/');
      return signedIn(paths, visit, opened.value, target ?? site.welcome);
    }
    if (opened.code === 'link_not_usable') {
      // Another tab of the same browser has used the link.
      const isOwn = seen && (await paths.guard.session(visit))?.account_id === seen.account_id;
      return isOwn ? goTo(next === '/' ? site.home : next) : unusable(next, seen?.email ?? null);
    }
    const fault = faultOf(opened.code, opened);
    const model = { code, next, email: seen?.email ?? null, isMobile: isMobile(visit.req.headers['user-agent']) };
    return faultAnswer(
      fault,
      (page) => linkView(page, { ...model, fault: faultText(page.m, fault) }),
      `/sign-in/link?${new URLSearchParams({ code, next })}`,
    );
  });
};
