import { accountMcpRoute } from '../../../adapters/mcp/routes.ts';
import { StoredSignInTokens } from '../../../adapters/store/sign-in-tokens.ts';
import { authenticateToken } from '../../../application/sign-in/authenticate-token.ts';
import type { SignInTokens } from '../../../ports/outbound/sign-in.ts';
import { onTable } from '../area.ts';

/** The account API as tools for agents. */
export const mcp = {
  parts: { signInTokens: onTable<SignInTokens>(StoredSignInTokens), authenticateToken, accountMcp: accountMcpRoute },
};
