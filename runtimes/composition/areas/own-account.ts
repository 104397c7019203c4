import {
  type AskForEmailChange,
  type AskForEmailChangePorts as AskPorts,
  askForEmailChange,
  changeEmail,
  peekEmailLink,
} from '../../../application/sign-in/email-change.ts';
import { confirmOwner, eraseOwnAccount } from '../../../application/sign-in/own-account.ts';
import type { MailSettings } from '../settings.ts';

/** The steps by which owners change or end their account themselves. They stand on the account host alone. */
export const ownAccount = {
  parts: {
    askForEmailChange: (parts: AskPorts & { readonly mailSettings: MailSettings | null }): AskForEmailChange | null =>
      parts.mailSettings && askForEmailChange(parts),
    changeEmail,
    confirmOwner,
    eraseOwnAccount,
    peekEmailLink,
  },
};
