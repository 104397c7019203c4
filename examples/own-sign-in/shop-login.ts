import { randomBytes } from 'node:crypto';
import type { UpstreamProvider } from 'account-service/ports';
import { ok, refuse } from 'account-service/rules';
import { readAnswer } from './answer.ts';

/** Signs people in to the account host who are signed in at the shop. The two share a secret. */
export const shopLogin = (shopUrl: string, secret: string): UpstreamProvider => ({
  name: 'Example Shop',
  begin: async () => {
    const state = randomBytes(32).toString('base64url');
    return ok({ url: `${shopUrl}/account?state=${state}`, checks: { state } });
  },
  finish: async (callbackUrl, { state }) => {
    const answer = readAnswer(new URL(callbackUrl).searchParams.get('answer') ?? '', secret);
    if (!answer || answer.state !== state) return refuse('upstream_refused');
    const { id, email, name } = answer;
    return ok({ issuer: shopUrl, subject: String(id), email, email_verified: true, name });
  },
});
