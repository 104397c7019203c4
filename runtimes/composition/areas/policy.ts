import { policyHandlers } from '../../../adapters/pipeline/handlers/policy.ts';
import { ShowClientConfig } from '../../../application/policy/show-client-config.ts';
import { ActivateSigningKey } from '../../../application/signing/activate-signing-key.ts';
import { CreateSigningKey } from '../../../application/signing/create-signing-key.ts';
import { ListVerificationKeys } from '../../../application/signing/list-verification-keys.ts';
import { RevokeSigningKey } from '../../../application/signing/revoke-signing-key.ts';
import * as apiPolicy from '../../../ports/inbound/api/policy.ts';
import { part } from '../area.ts';

/** The client policy and the keys that sign it. */
export const policy = {
  parts: {
    showClientConfig: part(ShowClientConfig),
    listVerificationKeys: part(ListVerificationKeys),
    createSigningKey: part(CreateSigningKey),
    activateSigningKey: part(ActivateSigningKey),
    revokeSigningKey: part(RevokeSigningKey),
  },
  endpoints: apiPolicy,
  handlers: policyHandlers,
};
