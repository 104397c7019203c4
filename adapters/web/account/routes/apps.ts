import { goTo, show } from '../answer.ts';
import type { Paths } from '../paths.ts';
import { appsView } from '../views/apps.ts';
import { noticeIn } from './notices.ts';

const LONGEST_GRANT_ID = 128;

/** The pages of the applications that the owner has authorized. */
export const addAppPages = (paths: Paths): void => {
  const { listConnectedApps, disconnectApp, links } = paths.settings.parts;

  paths.own('/apps', async ({ session, query }) => {
    const apps = await listConnectedApps(session.account_id);
    const notice = noticeIn(query, { done: ({ apps: { disconnected, gone } }) => ({ disconnected, gone }) });
    return show((page) => appsView(page, { apps, mcp: `${links.issuer}/api/mcp`, notice: notice(page.m) }));
  });

  paths.ownForm('/apps/disconnect', '/apps', async ({ session, form, permit }) => {
    const id = form.text('app');
    const isId = id !== '' && id.length <= LONGEST_GRANT_ID;
    const ended = isId && (await disconnectApp(permit, session.account_id, id)).ok;
    return goTo(`/apps?done=${ended ? 'disconnected' : 'gone'}`);
  });
};
