import { policyHandlers } from '../../../adapters/pipeline/handlers/policy.ts';
import { ActivateSigningKey } from '../../../application/policy/activate-signing-key.ts';
import { CreateSigningKey } from '../../../application/policy/create-signing-key.ts';
import { ListVerificationKeys } from '../../../application/policy/list-verification-keys.ts';
import { RevokeSigningKey } from '../../../application/policy/revoke-signing-key.ts';
import { ShowClientConfig } from '../../../application/policy/show-client-config.ts';
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
