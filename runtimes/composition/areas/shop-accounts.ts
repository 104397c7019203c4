import { shopAccountsHandlers } from '../../../adapters/pipeline/handlers/shop/accounts.ts';
import { shopKeysHandlers } from '../../../adapters/pipeline/handlers/shop/keys.ts';

/** Accounts with all that they own: grants, devices, teams and trials. */
export const shopAccounts = shopAccountsHandlers;

export const shopKeys = shopKeysHandlers;
