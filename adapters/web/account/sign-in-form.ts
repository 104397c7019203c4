import { LONGEST_EMAIL } from '../../../domain/accounts/address.ts';
import { relyingParty } from '../../../domain/sign-in/passkey.ts';
import type { PagesSettings } from './gate-parts.ts';
import type { Messages } from './messages/en.ts';
import type { View } from './views/page.ts';
import { signInView } from './views/sign-in.ts';

/** The sign-in form with the path to continue to, the email address, and the text of a fault. */
type SignInForm = {
  readonly next: string;
  readonly email?: string;
  readonly fault?: (m: Messages) => string;
  /** A text that the visitor typed, to copy. */
  readonly text?: string;
};

export const signInForm =
  ({ parts, site }: PagesSettings) =>
  ({ next, email = '', fault, text }: SignInForm): View => {
    const mails = parts.askForLink !== null;
    const model = { next, email: email.slice(0, LONGEST_EMAIL), methods: parts.signInMethods, mails, text };
    const passkeys = relyingParty(site.url) !== null;
    return (page) => signInView(page, { ...model, passkeys, fault: fault?.(page.m) ?? null });
  };
