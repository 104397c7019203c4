import { ResetPassword } from '../../../application/operations/reset-password.ts';
import { part } from '../area.ts';

/** The operator's reset of a password. No Lambda function has this area. */
export const passwordReset = { parts: { resetPassword: part(ResetPassword) } };
