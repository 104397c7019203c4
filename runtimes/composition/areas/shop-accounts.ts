import { shopAccountsHandlers } from '../../../adapters/pipeline/handlers/shop/accounts.ts';

/** Accounts with all that they own: grants, devices, teams and trials. */
export const shopAccounts = shopAccountsHandlers;
