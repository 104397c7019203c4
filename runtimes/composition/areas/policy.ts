import { policyHandlers } from '../../../adapters/pipeline/handlers/policy.ts';
import { ShowClientConfig } from '../../../application/policy/show-client-config.ts';
import * as apiPolicy from '../../../ports/inbound/api/policy.ts';
import { part } from '../area.ts';

/** The client policy. */
export const policy = {
  parts: {
    showClientConfig: part(ShowClientConfig),
  },
  endpoints: apiPolicy,
  handlers: policyHandlers,
};
