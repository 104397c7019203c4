import { showClientConfig } from '../../../application/policy/show-client-config.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiPolicy from '../../../ports/inbound/api/policy.ts';
import { handling } from './handling.ts';

export const policyHandlers = handling(apiPolicy, { showClientConfig }, (use) => ({
  getClientConfig: async () => ok(await use.showClientConfig()),
}));
