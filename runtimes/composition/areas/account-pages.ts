import { accountPagesUseCases } from '../../../adapters/web/account/parts.ts';

/** The pages of the account host. A function that only signs people in, or mails them, does without. */
export const accountPages = { parts: accountPagesUseCases };
