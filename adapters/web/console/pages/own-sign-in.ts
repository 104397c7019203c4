import { html } from 'hono/html';
import { relyingParty } from '../../../../domain/sign-in/passkey.ts';
import { PASSKEY_SCRIPT_PATH, SCRIPT_PATH } from '../../account/assets/assets.ts';
import { addPasskeyPages, passkeyCard } from '../../account/pages/passkeys.ts';
import { addSessionForms, sessionCard, sessionNotice } from '../../account/pages/security.ts';
import { noticeBox } from '../../shared/pieces.ts';
import { shellWords } from '../messages/shell.ts';
import { show } from '../page.ts';
import type { ConsolePaths } from '../paths.ts';
import { layout } from '../views/layout.ts';

/** The passkeys and the browsers of the signed-in member, in the console only. */
export const addOwnSignInPages = (paths: ConsolePaths): void => {
  const { settings } = paths.gate;
  const { place, url } = settings.site;
  const { listPasskeys, listSessions } = settings.parts;
  const hasPasskeys = relyingParty(url) !== null;
  const { origin, port } = new URL(url);

  paths.page('/security', [], async ({ session, query }) => {
    const [sessions, passkeys] = await Promise.all([
      listSessions(session.account_id),
      hasPasskeys ? listPasskeys(session.account_id) : null,
    ]);
    const isHere = (one: { readonly place?: typeof place }): boolean => one.place === place;
    return show((page) => {
      const { security: m } = page.m;
      return layout(page, {
        title: m.title,
        script: passkeys ? PASSKEY_SCRIPT_PATH : SCRIPT_PATH,
        body: html`${noticeBox(sessionNotice(query)(page.m))}
${passkeys ? passkeyCard(page, passkeys.filter(isHere)) : html`<p class="hint">${shellWords(page).noPasskeys(origin, `http://localhost${port && `:${port}`}`)}</p>`}
${sessionCard(page, sessions.filter(isHere), session.id, m.sessionsLeadAlone)}`,
      });
    });
  });
  addPasskeyPages(paths.gate);
  addSessionForms(paths.gate);
};
