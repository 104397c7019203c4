import { Duration } from 'aws-cdk-lib';
import {
  CacheCookieBehavior,
  CacheHeaderBehavior,
  CachePolicy,
  CacheQueryStringBehavior,
  OriginRequestCookieBehavior,
  OriginRequestHeaderBehavior,
  OriginRequestPolicy,
  OriginRequestQueryStringBehavior,
  ResponseHeadersPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { Construct } from 'constructs';

/** The header in which CloudFront names the client to the functions. */
const VIEWER = 'CloudFront-Viewer-Address';

/** A policy names at most ten headers, and a preflight request has these. */
const PREFLIGHT = ['Access-Control-Request-Method', 'Access-Control-Request-Headers'];

/** The longest time that an answer may ask for. */
const LONGEST = Duration.days(365);

/** The policies that the distributions of all hosts share. An account has 20 of a kind. */
export class FrontPolicies extends Construct {
  /**
   * Forwards everything that the client sent. Only a policy with all viewer headers passes `Authorization` on beside a
   * disabled cache, and only it passes `Host` on together with a header of CloudFront's.
   */
  readonly everything = new OriginRequestPolicy(this, 'Everything', {
    headerBehavior: OriginRequestHeaderBehavior.all(VIEWER),
    cookieBehavior: OriginRequestCookieBehavior.all(),
    queryStringBehavior: OriginRequestQueryStringBehavior.all(),
  });

  /** Forwards, beside the key of the cache, what no kept answer depends on. */
  readonly little = new OriginRequestPolicy(this, 'Little', {
    headerBehavior: OriginRequestHeaderBehavior.allowList('Host', VIEWER, ...PREFLIGHT),
  });

  /** Keeps the limits of the caller who came first from the others who get the same answer. */
  readonly withoutLimits = new ResponseHeadersPolicy(this, 'WithoutLimits', {
    removeHeaders: ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  });

  readonly #keeping = new Map<string, CachePolicy>();

  /**
   * Keeps an answer for as long as it says itself, and not at all where it says nothing. Answers to other queries, or
   * to other values of these headers, are others.
   */
  keeping(headers: readonly string[]): CachePolicy {
    const id = ['Keeping', ...headers.map((name) => name.replaceAll('-', ''))].join('');
    const made =
      this.#keeping.get(id) ??
      new CachePolicy(this, id, {
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.seconds(0),
        maxTtl: LONGEST,
        headerBehavior: CacheHeaderBehavior.allowList(...headers),
        queryStringBehavior: CacheQueryStringBehavior.all(),
        cookieBehavior: CacheCookieBehavior.none(),
        enableAcceptEncodingGzip: true,
        enableAcceptEncodingBrotli: true,
      });
    this.#keeping.set(id, made);
    return made;
  }
}
