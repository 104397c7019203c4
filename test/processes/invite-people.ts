import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from './data-dir.ts';
import { TEAM_PRODUCT } from './team-product.ts';

/** A child process that invites eight people to a team at once when it gets a message, and returns each result. */
const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
const invite = async (email: string): Promise<string> => {
  const input = { account_id: 1, product: TEAM_PRODUCT, owner_id: null, role: 'member', locale: 'en' } as const;
  const begun = await service.get('inviteToTeam')({ ...input, email });
  const invited = typeof begun === 'function' ? await begun({ permit: grantPermit() }) : begun;
  return invited.ok ? 'invited' : invited.code;
};
process.send?.('ready');
process.once('message', async () => {
  const emails = Array.from({ length: 8 }, (_, n) => `person-${process.argv[2]}-${n}@example.com`);
  const results = await Promise.all(emails.map(invite));
  await close();
  process.send?.(results);
  process.disconnect();
});
