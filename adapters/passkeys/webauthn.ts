import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import {
  LONGEST_CREDENTIAL_ID,
  PASSKEY_ALGORITHMS,
  type Passkey,
  passkeyHandle,
} from '../../domain/sign-in/passkey.ts';
import type { PasskeyAnswer, PasskeyVerifier } from '../../ports/outbound/passkeys.ts';

/** The maximum length of an answer. An RSA key with its id and a name is far shorter. */
const LONGEST_ANSWER = 12_000;

const answerIn = (
  json: string,
): { readonly id: string; readonly response: { readonly userHandle?: unknown } } | null => {
  if (json.length > LONGEST_ANSWER) return null;
  try {
    const { id, rawId, response, type } = JSON.parse(json);
    const isId = typeof id === 'string' && /^[\w-]+$/.test(id) && id.length <= LONGEST_CREDENTIAL_ID;
    return isId && rawId === id && type === 'public-key' && typeof response === 'object' && response !== null
      ? JSON.parse(json)
      : null;
  } catch {
    return null;
  }
};

const expected = ({ challenge, site }: PasskeyAnswer) => ({
  expectedChallenge: challenge,
  expectedOrigin: site.origin,
  expectedRPID: site.id,
  requireUserVerification: true,
});

/** Verifies answers with SimpleWebAuthn, which is loaded with the first answer and throws if one is wrong. */
export const webauthn: PasskeyVerifier = {
  named: (json) => answerIn(json)?.id ?? null,

  made: async (answer) => {
    const response = answerIn(answer.json);
    if (!response) return null;
    try {
      const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
      const checked = await verifyRegistrationResponse({
        response: response as unknown as RegistrationResponseJSON,
        // The package's default includes algorithms that Node warns about.
        supportedAlgorithmIDs: [...PASSKEY_ALGORITHMS],
        ...expected(answer),
      });
      if (!checked.verified) return null;
      const { id, publicKey, counter, transports = [] } = checked.registrationInfo.credential;
      return {
        id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        counter,
        transports: transports.filter((one) => typeof one === 'string' && one.length <= 20).slice(0, 8),
      };
    } catch {
      return null;
    }
  },

  signed: async (answer, { id, public_key, counter, account_id, place }: Passkey) => {
    const response = answerIn(answer.json);
    const handle = response?.response.userHandle;
    if (!response || (handle !== undefined && handle !== null && handle !== passkeyHandle(account_id, place)))
      return null;
    try {
      const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: response as unknown as AuthenticationResponseJSON,
        ...expected(answer),
        credential: {
          id,
          publicKey: Uint8Array.from(Buffer.from(public_key, 'base64url')),
          counter,
        },
      });
      return verified ? { counter: authenticationInfo.newCounter } : null;
    } catch {
      return null;
    }
  },
};
