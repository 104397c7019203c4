import { activateSigningKey } from '../../../application/signing/activate-signing-key.ts';
import { createSigningKey } from '../../../application/signing/create-signing-key.ts';
import { listVerificationKeys } from '../../../application/signing/list-verification-keys.ts';
import { revokeSigningKey } from '../../../application/signing/revoke-signing-key.ts';

/** The keys that sign the client policy, license tokens and files. */
export const signing = {
  parts: {
    listVerificationKeys,
    createSigningKey,
    activateSigningKey,
    revokeSigningKey,
  },
};
