import { LONGEST_EMAIL } from '../../../domain/accounts/address.ts';
import { relyingParty } from '../../../domain/sign-in/passkey.ts';
import type { Messages } from './messages/en.ts';
import type { AccountPagesSettings } from './parts.ts';
import type { View } from './views/page.ts';
import { signInView } from './views/sign-in.ts';

/**
 * The form to sign in with, with the path to continue to and the address, and with a fault in the words of a language.
 */
type SignInForm = {
  readonly next: string;
  readonly email?: string;
  readonly fault?: (m: Messages) => string;
  /** A text of the visitor to be copied. */
  readonly text?: string;
};

export const signInForm =
  ({ parts, urls }: AccountPagesSettings) =>
  ({ next, email = '', fault, text }: SignInForm): View => {
    const mails = parts.askForLink !== null;
    const shown = { next, email: email.slice(0, LONGEST_EMAIL), methods: parts.signInMethods, mails, text };
    const passkeys = relyingParty(urls.account) !== null;
    return (page) => signInView(page, { ...shown, passkeys, fault: fault?.(page.m) ?? null });
  };
