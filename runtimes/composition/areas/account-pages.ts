import { accountPagesUseCases } from '../../../adapters/web/account/parts.ts';
import { consoleUseCases } from '../../../adapters/web/console/parts.ts';

/** The pages of the account host. A function that only signs people in, or sends mail, does not have this area. */
export const accountPages = { parts: accountPagesUseCases };

/** The pages of the console on the shop host. */
export const consolePages = { parts: consoleUseCases };
