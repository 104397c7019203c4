import { acceptInvitation } from '../../application/teams/teams.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from './data-dir.ts';
import { TEAM_PRODUCT } from './team-product.ts';

/** A child process that accepts the invitations of the accounts 501 to 508, or removes their people, when it is told. */
const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
const parts = new Proxy({}, { get: (_, name) => service.get(name as 'teams') }) as never;
const accept = (account_id: number) =>
  acceptInvitation(parts)(grantPermit(), { account_id, owner_id: 1, product_id: TEAM_PRODUCT.id });
const remove = async (person_id: number) => {
  const input = { account_id: 1, product: TEAM_PRODUCT, owner_id: null, person_id };
  const begun = await service.get('removeFromTeam')(input);
  return typeof begun === 'function' ? begun({ permit: grantPermit() }) : begun;
};
process.send?.('ready');
process.once('message', async () => {
  const people = Array.from({ length: 8 }, (_, n) => 501 + n);
  const step: (account_id: number) => Promise<unknown> = process.argv[2] === 'accept' ? accept : remove;
  await Promise.all(people.map(step));
  await close();
  process.send?.('done');
  process.disconnect();
});
