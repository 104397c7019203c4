import { show } from '../answer.ts';
import type { Paths } from '../paths.ts';
import { supportView } from '../views/support.ts';

/** The tickets of the account with the shop's answers. */
export const addSupportPages = (paths: Paths): void => {
  const { listOwnTickets } = paths.settings.parts;

  paths.own('/support', async ({ session }) => {
    const tickets = await listOwnTickets(session.account_id);
    return show((page) => supportView(page, tickets));
  });
};
