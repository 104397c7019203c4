import { createApiKey } from '../../../application/access/create-api-key.ts';
import { listApiKeys } from '../../../application/access/list-api-keys.ts';
import { makeLicenseKey } from '../../../application/access/make-license-key.ts';
import { revokeApiKey } from '../../../application/access/revoke-api-key.ts';

/** Creates, lists and revokes API keys and license keys. */
export const keys = {
  parts: {
    createApiKey,
    listApiKeys,
    makeLicenseKey,
    revokeApiKey,
  },
};
