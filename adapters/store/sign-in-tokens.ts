import { permissionsIn, type SignInToken } from '../../domain/sign-in/oauth-grant.ts';
import type { SignInTokens } from '../../ports/outbound/sign-in.ts';
import { oauthKeys } from './keys/oauth.ts';
import { OnTable } from './repository.ts';

/** The fields that the authorization server gives each access token. */
type AccessTokenPayload = {
  readonly accountId: string;
  readonly clientId: string;
  readonly scope: string;
  readonly aud: string;
};

/**
 * Reads an access token of the authorization server in one read. It has its own file, because the MCP function needs
 * only this part of the authorization server.
 */
export class StoredSignInTokens extends OnTable implements SignInTokens {
  async find(hash: string): Promise<SignInToken | undefined> {
    const record = (await this.table.get(oauthKeys.record({ kind: 'access_token', hash })))?.data;
    if (!record) return undefined;
    const { accountId, clientId, scope, aud } = record.payload as AccessTokenPayload;
    return {
      account_id: Number(accountId),
      client_id: clientId,
      permissions: permissionsIn(scope),
      resource: aud,
      expires_at: record.expires_at,
    };
  }
}
