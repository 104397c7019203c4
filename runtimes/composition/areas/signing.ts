import { ActivateSigningKey } from '../../../application/signing/activate-signing-key.ts';
import { CreateSigningKey } from '../../../application/signing/create-signing-key.ts';
import { ListVerificationKeys } from '../../../application/signing/list-verification-keys.ts';
import { RevokeSigningKey } from '../../../application/signing/revoke-signing-key.ts';
import { part } from '../area.ts';

/** The keys that sign the client policy, license tokens and files. */
export const signing = {
  parts: {
    listVerificationKeys: part(ListVerificationKeys),
    createSigningKey: part(CreateSigningKey),
    activateSigningKey: part(ActivateSigningKey),
    revokeSigningKey: part(RevokeSigningKey),
  },
};
