import { policyHandlers } from '../../../adapters/pipeline/handlers/policy.ts';
import {
  activateSigningKey,
  createSigningKey,
  listVerificationKeys,
  revokeSigningKey,
} from '../../../application/signing/signing-keys.ts';

/** The client policy. */
export const policy = policyHandlers;

/** The keys that sign the client policy, license tokens and files. */
export const signing = {
  parts: {
    listVerificationKeys,
    createSigningKey,
    activateSigningKey,
    revokeSigningKey,
  },
};
