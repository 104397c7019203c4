import type { Context } from '../context.ts';
import type { Domains } from './domains.ts';

/** The gateway for answers that are not streamed: a REST API, or an HTTP API at less than a third of its price. */
export type GatewayKind = 'rest' | 'http';

/** The names of hosts, the firewall and CloudFront, which are there or not. */
type Given = {
  readonly domains: Domains;
  readonly waf: object | undefined;
  readonly cloudFront: object | undefined;
};

const NO_NAME =
  '-c gateway=http needs -c apiDomain, because the HTTP API and the REST API that streams have two addresses, and only a name of yours joins them.';

const NO_WAF =
  '-c gateway=http with -c waf=true needs -c cloudFront=true, -c apiDomain and -c appDomain, because AWS WAF protects no HTTP API itself, and CloudFront stands in front of names alone.';

/** The gateway that the context asks for by `gateway`. */
export const gatewayOf = (context: Context, { domains, waf, cloudFront }: Given): GatewayKind => {
  const kind = context.oneOf('gateway', ['rest', 'http'], 'rest');
  if (kind === 'rest') return kind;
  if (domains.api === undefined) throw new Error(NO_NAME);
  if (waf && !(cloudFront && domains.app)) throw new Error(NO_WAF);
  return kind;
};
