import { confirmOwner, eraseOwnAccount } from '../../../application/sign-in/own-account.ts';

/** The steps by which owners change or end their account themselves. They stand on the account host alone. */
export const ownAccount = { parts: { confirmOwner, eraseOwnAccount } };
