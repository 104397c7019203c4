import { createApiKey, listApiKeys, revokeApiKey } from '../../../application/access/api-keys.ts';
import { makeLicenseKey } from '../../../application/licensing/license-keys.ts';

/** Creates, lists and revokes API keys and license keys. */
export const keys = {
  parts: {
    createApiKey,
    listApiKeys,
    makeLicenseKey,
    revokeApiKey,
  },
};
