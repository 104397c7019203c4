import { once } from 'node:events';
import { acceptInvitation } from '../../application/teams/teams.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { passed } from '../support/permits.ts';
import { order, period, refund, subscription } from '../support/sale-events.ts';
import { openService } from './data-dir.ts';
import { TEAM_PRODUCT } from './team-product.ts';

const numbered = <T>(length: number, item: (n: number) => T): T[] => Array.from({ length }, (_, n) => item(n));

/** The tasks, which make their calls concurrently. An input distinguishes the processes. */
export const RACES = {
  /** Requests the offline files of twelve machines, and releases each. Returns the ids of those that got a file. */
  takeFiles: ({ get }: Service, process: number) =>
    numbered(12, async (n) => {
      const device_id = `machine-${process}-${n}`;
      const question = { product_id: 1, bundle_id: null, device_id, app_version: null };
      const input = { account_id: 1, scope: { product_id: null }, key: null, body: question, offline: true };
      const checked = await passed(get('checkLicense')({ ...input, locale: 'en' }));
      await get('releaseSlots').ofProduct(grantPermit(), 1, 1, device_id);
      return checked.ok && checked.value.token ? device_id : null;
    }),
  /** Creates five keys. Returns the result of each. */
  createKeys: ({ get }: Service) =>
    numbered(5, async () => {
      const made = await get('createApiKey')(grantPermit(), { account_id: 1, name: 'race', product_id: 1 });
      return made.ok ? 'made' : made.code;
    }),
  /** Sends each key as an application would. Returns whether it worked. */
  useKeys: ({ get }: Service, keys: readonly string[]) =>
    keys.map(async (key) => (await get('authenticate')(key, false, grantPermit())).ok),
  /** Invites eight people to a team. Returns each result. */
  invite: ({ get }: Service, process: number) =>
    numbered(8, async (n) => {
      const input = { account_id: 1, product: TEAM_PRODUCT, owner_id: null, role: 'member', locale: 'en' } as const;
      const invited = await passed(get('inviteToTeam')({ ...input, email: `person-${process}-${n}@example.com` }));
      return invited.ok ? 'invited' : invited.code;
    }),
  /** Accepts the invitations of the accounts 501 to 508, or removes their people. */
  changeTeam: ({ get }: Service, change: 'accept' | 'remove') =>
    numbered(8, async (n) => {
      const parts = new Proxy({}, { get: (_, name) => get(name as 'teams') }) as never;
      const team = { product_id: TEAM_PRODUCT.id, owner_id: 1 };
      const input = { account_id: 1, product: TEAM_PRODUCT, owner_id: null, person_id: 501 + n };
      if (change === 'accept') await acceptInvitation(parts)(grantPermit(), { account_id: 501 + n, ...team });
      else await passed(get('removeFromTeam')(input));
      return change;
    }),
  /** Records two sales with their refund, twice. Returns each result. */
  recordSales: ({ get }: Service) => {
    const events = [
      refund({ amount_cents: 1000, things: [{ price: 'p-notes' }] }),
      order(),
      subscription(),
      period('pay-9', true),
    ];
    return [...events, ...events].map(async (event) => {
      const told = await get('recordSale')(grantPermit(), event);
      return told.ok ? told.value.result : told.code;
    });
  },
} as const;

type Message = { readonly race: keyof typeof RACES; readonly input: never };

/** A process that opens the store for each race, says so, begins on the next message, and sends the results. */
process.on('message', async (message: Message | 'go') => {
  if (message === 'go') return;
  const { service, close } = await openService(process.env['DATA_DIR'] as string, process.env);
  process.send?.('ready');
  await once(process, 'message');
  const results = await Promise.all(RACES[message.race](service, message.input) as Promise<unknown>[]);
  await close();
  process.send?.(results);
});
