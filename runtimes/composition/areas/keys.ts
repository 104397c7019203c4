import { CreateApiKey } from '../../../application/access/create-api-key.ts';
import { ListApiKeys } from '../../../application/access/list-api-keys.ts';
import { RevokeApiKey } from '../../../application/access/revoke-api-key.ts';
import { part } from '../area.ts';

/** Creates, lists and revokes API keys. */
export const keys = {
  parts: {
    createApiKey: part(CreateApiKey),
    listApiKeys: part(ListApiKeys),
    revokeApiKey: part(RevokeApiKey),
  },
};
