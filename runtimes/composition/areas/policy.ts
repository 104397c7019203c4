import { policyHandlers } from '../../../adapters/pipeline/handlers/policy.ts';
import { showClientConfig } from '../../../application/policy/show-client-config.ts';
import * as apiPolicy from '../../../ports/inbound/api/policy.ts';

/** The client policy. */
export const policy = {
  parts: {
    showClientConfig,
  },
  endpoints: apiPolicy,
  handlers: policyHandlers,
};
