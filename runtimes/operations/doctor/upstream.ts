import { OpenidProvider } from '../../../adapters/upstream/openid-provider.ts';
import { oneLine } from '../../composition/faults.ts';
import type { UpstreamConfig } from '../../composition/sign-in-config.ts';
import { type Finding, fine, wrong } from './finding.ts';

const CHECK = 'upstream';

/** The package's code for metadata whose issuer is not the one that was asked (OpenID Connect Discovery 1.0, 4.3). */
const OTHER_ISSUER = 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED';

/** Checks that the provider can be found as a sign-in finds it. It can't see whether the client is registered there. */
export const checkUpstream = async (upstream: UpstreamConfig, callbackUrl: string): Promise<Finding> => {
  const { issuer, name } = upstream;
  try {
    const begun = await new OpenidProvider(upstream).begin(callbackUrl);
    if (begun.ok) {
      return fine(CHECK, `${name} answers at ${issuer}; its client must have the redirect URI ${callbackUrl}.`);
    }
    const reason = String(begun.data?.['reason']);
    return wrong(CHECK, reason === OTHER_ISSUER ? otherIssuer(issuer) : noMetadata(issuer, reason));
  } catch (error) {
    return wrong(CHECK, noMetadata(issuer, oneLine(error)));
  }
};

const otherIssuer = (issuer: string): string =>
  `The provider at ${issuer} names another issuer; set UPSTREAM_ISSUER to the issuer in its metadata, letter by letter.`;

const noMetadata = (issuer: string, reason: string): string =>
  `There are no OpenID Connect metadata at ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration (${reason}); check UPSTREAM_ISSUER and the way to the provider from here.`;
