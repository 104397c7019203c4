import { StoredAccountErasures } from '../../../adapters/store/account-erasures.ts';
import { completeErasure, eraseAccount } from '../../../application/accounts/accounts.ts';
import { askForEmailChange, changeEmail, peekEmailLink } from '../../../application/accounts/email-change.ts';
import { eraseOwnAccount, proveOwner } from '../../../application/accounts/own-account.ts';
import {
  acceptTransfer,
  cancelTransfer,
  listTransfers,
  offerTransfer,
} from '../../../application/licensing/transfer.ts';
import { listWaysIn, lockOut, peekUndo, undoEmailChange } from '../../../application/sign-in/ways-in.ts';
import type { AccountErasures } from '../../../ports/outbound/accounts.ts';
import { ifSet } from '../area.ts';

export const accountErasures = (parts: ConstructorParameters<typeof StoredAccountErasures>[0]): AccountErasures =>
  new StoredAccountErasures(parts);

/** Erases accounts, for operators and for owners, and completes the erasures that owners began. */
export const erasure = {
  parts: {
    accountErasures,
    completeErasure,
    eraseAccount,
  },
};

/** The use cases by which owners change or delete their account. Only the account host has them. */
export const ownAccount = {
  parts: {
    askForEmailChange: ifSet('mailSettings', askForEmailChange),
    changeEmail,
    listWaysIn,
    lockOut,
    peekUndo,
    proveOwner,
    undoEmailChange,
    eraseOwnAccount,
    offerTransfer,
    listTransfers,
    acceptTransfer,
    cancelTransfer,
    peekEmailLink,
  },
};
