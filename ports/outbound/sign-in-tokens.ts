import type { SignInToken } from '../../domain/sign-in/sign-in-token.ts';

export interface SignInTokens {
  /** The access token with this hash (SHA-256, lower-case hex) unless it was ended. Strongly consistent. */
  find(hash: string): Promise<SignInToken | undefined>;
}
