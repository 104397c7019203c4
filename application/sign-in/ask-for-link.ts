import type { Permit } from '../../domain/access/permit.ts';
import { normalizedEmail } from '../../domain/accounts/account.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import { mailedLinkLimits } from '../../domain/sign-in/attempts.ts';
import { LONGEST_EMAIL } from '../../domain/sign-in/password-rules.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { CountAttempts } from './count-attempts.ts';

export type Ports = Needs<'digest' | 'messages'> & { countAttempts: CountAttempts };

export type Input = { email: string; address: string; locale: Locale };

/**
 * Asks for a sign-in link by mail. Whether an account has the address is looked up when the mail is sent, so that
 * neither the answer nor its time can tell. The bounds hold for every address alike.
 */
export const askForLink =
  ({ digest, messages, countAttempts }: Ports) =>
  async (permit: Permit, { email: typed, address, locale }: Input): Promise<Outcome<null, 'too_many_attempts'>> => {
    const email = normalizedEmail(typed);
    const counted = await countAttempts(mailedLinkLimits(digest.sha256(email), address));
    if (!counted.ok) return counted;
    if (/^[^\s@]+@[^\s@]+$/.test(email) && email.length <= LONGEST_EMAIL) {
      await messages.add(permit, {
        kind: 'sign_in',
        account_id: null,
        subject_id: '',
        product_id: null,
        email,
        locale,
      });
    }
    return ok(null);
  };

export type AskForLink = ReturnType<typeof askForLink>;
