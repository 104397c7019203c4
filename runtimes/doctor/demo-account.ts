import type { Accounts, Passwords } from '../../ports/outbound/accounts.ts';
import type { Service } from '../composition/bootstrap.ts';
import { isPublic } from '../configuration/auto-settings.ts';
import type { Config } from '../configuration/config.ts';

/** The accounts of the sample store, whose passwords are public. */
const KNOWN = [
  { email: 'demo@example.com', password: 'demo-password' },
  { email: 'other@example.com', password: 'other-password' },
];

/**
 * The sentence about an account of the sample store that strangers can sign in to, because the server is public and the
 * account still has its published password; null if there is none, or `SAMPLE_STORE=always` allows it.
 */
export const openDemoAccount = async (
  config: Config,
  { get }: Service<{ readonly accounts: Accounts; readonly passwords: Passwords }>,
): Promise<string | null> => {
  if (!isPublic(config) || config.sampleStore === 'always') return null;
  for (const { email, password } of KNOWN) {
    const { password_hash = null } = (await get('accounts').findByEmail(email)) ?? {};
    if (password_hash !== null && (await get('passwords').verify(password, password_hash))) {
      return `Others reach this server, and anyone can sign in as ${email} with the password of the sample store; run: account erase ${email}`;
    }
  }
  return null;
};
