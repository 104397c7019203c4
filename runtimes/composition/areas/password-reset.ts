import { resetPassword } from '../../../application/operations/accounts.ts';

/** The operator's reset of a password. No Lambda function has this area. */
export const passwordReset = { parts: { resetPassword } };
