import {
  activateSigningKey,
  createSigningKey,
  listVerificationKeys,
  revokeSigningKey,
} from '../../../application/signing/signing-keys.ts';

/** The keys that sign the client policy, license tokens and files. */
export const signing = {
  parts: {
    listVerificationKeys,
    createSigningKey,
    activateSigningKey,
    revokeSigningKey,
  },
};
