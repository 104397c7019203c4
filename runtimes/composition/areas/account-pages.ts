import { accountPagesUseCases } from '../../../adapters/web/account/parts.ts';

/** The pages of the account host. A function that only signs people in, or sends mail, does not have this area. */
export const accountPages = { parts: accountPagesUseCases };
