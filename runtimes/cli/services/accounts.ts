import { shopAccountsHandlers } from '../../../adapters/pipeline/handlers/shop/accounts.ts';
import { agents, keys } from '../../composition/areas/access.ts';
import { erasure } from '../../composition/areas/accounts.ts';
import { signIn } from '../../composition/areas/sign-in.ts';
import { oauth, passwordReset } from '../../composition/areas/sign-in-records.ts';
import { bootstrap } from '../../composition/bootstrap.ts';
import type { Engines, Settings } from '../../composition/settings.ts';

/** The areas of accounts and all that they own. */
export const ACCOUNTS = [shopAccountsHandlers, agents, keys, erasure, signIn, oauth, passwordReset] as const;

/** The service of commands on accounts. */
export const serve = (settings: Settings, engines: Engines): object => bootstrap(settings, engines, ACCOUNTS);
