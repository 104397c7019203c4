import { createApiKey } from '../../../application/access/create-api-key.ts';
import { listApiKeys } from '../../../application/access/list-api-keys.ts';
import { revokeApiKey } from '../../../application/access/revoke-api-key.ts';

/** Creates, lists and revokes API keys. */
export const keys = {
  parts: {
    createApiKey,
    listApiKeys,
    revokeApiKey,
  },
};
