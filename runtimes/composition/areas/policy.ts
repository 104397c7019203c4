import { showClientConfig } from '../../../application/policy/show-client-config.ts';
import {
  activateSigningKey,
  createSigningKey,
  listVerificationKeys,
  revokeSigningKey,
} from '../../../application/signing/signing-keys.ts';
import { ok } from '../../../domain/shared/outcome.ts';
import * as apiPolicy from '../../../ports/inbound/api/policy.ts';
import { area } from '../area.ts';

/** The client policy. */
export const policy = area({
  parts: {
    showClientConfig,
  },
  endpoints: apiPolicy,
  handlers: (use) => ({
    getClientConfig: async () => ok(await use.showClientConfig()),
  }),
});

/** The keys that sign the client policy, license tokens and files. */
export const signing = {
  parts: {
    listVerificationKeys,
    createSigningKey,
    activateSigningKey,
    revokeSigningKey,
  },
};
