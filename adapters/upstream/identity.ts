import type { UpstreamIdentity } from '../../domain/sign-in/upstream-sign-in.ts';

/** The longest name that is taken over. */
const LONGEST_NAME = 255;

/** The claims of an ID token and of the user information together (OpenID Connect Core, section 5.1). */
type Claims = { readonly iss: string; readonly sub: string; readonly [name: string]: unknown };

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** The identity in claims. Some providers send `email_verified` as a text. */
export const identityIn = ({ iss, sub, ...claims }: Claims): UpstreamIdentity => {
  const verified = claims['email_verified'];
  return {
    issuer: iss,
    subject: sub,
    email: textIn(claims['email']),
    email_verified: verified === true || verified === 'true',
    name: textIn(claims['name'])?.slice(0, LONGEST_NAME) ?? null,
  };
};
