import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { isOpen } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { cachedPathsOf } from '../front/cached-paths.ts';
import type { Served } from '../routes.ts';
import { distributionsOf, domainOf, FRONT, HOSTS, policyOf, wholeFront } from './front.ts';
import { type Properties, synthesized } from './synthesized.ts';

const whole = wholeFront();

const distributions = (): Map<string, Properties> => distributionsOf(whole);

/** A path of an endpoint as a client asks for it. */
const asked = (path: string): string => path.replaceAll(/\{\w+\}/g, '1');

const matches = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(path);

describe('the distributions', () => {
  test('every host with a name has a distribution of its own, which asks the gateway’s domain of this host', () => {
    expect([...distributions().keys()].toSorted()).toEqual([...HOSTS].toSorted());
    for (const [host, { Origins, ViewerCertificate, HttpVersion, PriceClass }] of distributions()) {
      const gateway = Origins.find((one: Properties) => one['CustomOriginConfig']);
      expect(JSON.stringify(gateway.DomainName)).toMatch(new RegExp(`${host}api.*RegionalDomainName`));
      expect(gateway.CustomOriginConfig).toMatchObject({
        OriginProtocolPolicy: 'https-only',
        OriginSSLProtocols: ['TLSv1.2'],
        OriginReadTimeout: 60,
      });
      expect(ViewerCertificate).toMatchObject({
        AcmCertificateArn: FRONT.cloudFrontCertificateArn,
        MinimumProtocolVersion: 'TLSv1.2_2021',
        SslSupportMethod: 'sni-only',
      });
      expect([HttpVersion, PriceClass]).toEqual(['http2and3', 'PriceClass_All']);
    }
  });

  test('what no behaviour names is never kept, and reaches the functions with everything that the client sent', () => {
    for (const { DefaultCacheBehavior: passed } of distributions().values()) {
      // Managed-CachingDisabled, as Amazon's guide names it: no request joins another.
      expect(passed.CachePolicyId).toBe('4135ea2d-6df8-44a3-9df3-4b5a84be39ad');
      expect(passed.AllowedMethods).toEqual(
        expect.arrayContaining(['GET', 'HEAD', 'OPTIONS', 'PUT', 'POST', 'DELETE']),
      );
      const policy = policyOf(whole, 'OriginRequestPolicy', passed.OriginRequestPolicyId);
      expect(policy).toMatchObject({
        HeadersConfig: {
          HeaderBehavior: 'allViewerAndWhitelistCloudFront',
          Headers: ['CloudFront-Viewer-Address'],
        },
        CookiesConfig: { CookieBehavior: 'all' },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      });
    }
  });

  test('no error is kept, because it may be one caller’s alone', () => {
    for (const { CustomErrorResponses } of distributions().values()) {
      const kept = CustomErrorResponses.filter((one: Properties) => one['ErrorCachingMinTTL'] !== 0);
      expect(kept).toEqual([]);
      const codes = CustomErrorResponses.map((one: Properties) => one['ErrorCode']);
      expect(codes).toEqual([400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504]);
    }
  });

  test('an answer is kept for as long as it says, for its query and headers alone, and without the limits of a caller', () => {
    for (const [host, { CacheBehaviors }] of distributions()) {
      const behaviors: Properties[] = CacheBehaviors.filter((one: Properties) => !one['TrustedKeyGroups']);
      expect(behaviors.map((one) => one['PathPattern'])).toEqual(
        cachedPathsOf(host as Served).map(({ pattern }) => pattern),
      );
      for (const behavior of behaviors) {
        const {
          MinTTL,
          DefaultTTL,
          ParametersInCacheKeyAndForwardedToOrigin: key,
        } = policyOf(whole, 'CachePolicy', behavior['CachePolicyId']);
        expect([MinTTL, DefaultTTL]).toEqual([0, 0]);
        expect(key.QueryStringsConfig).toEqual({ QueryStringBehavior: 'all' });
        expect(key.CookiesConfig).toEqual({ CookieBehavior: 'none' });
        const forwarded = policyOf(whole, 'OriginRequestPolicy', behavior['OriginRequestPolicyId']);
        expect(forwarded).toMatchObject({
          HeadersConfig: {
            Headers: [
              'Host',
              'CloudFront-Viewer-Address',
              'Access-Control-Request-Method',
              'Access-Control-Request-Headers',
            ],
          },
          CookiesConfig: { CookieBehavior: 'none' },
        });
        const told = policyOf(whole, 'ResponseHeadersPolicy', behavior['ResponseHeadersPolicyId']);
        expect(JSON.stringify(told)).toContain('X-RateLimit-Remaining');
      }
    }
  });
});

describe('the paths whose answers are kept', () => {
  test('every endpoint that declares public caching is kept, by its language and its credential', () => {
    for (const endpoint of allEndpoints) {
      const found = cachedPathsOf(endpoint.host).filter(({ pattern }) => matches(pattern, asked(endpoint.path)));
      if (typeof endpoint.cache !== 'object') {
        expect(found, endpoint.path).toEqual([]);
        continue;
      }
      expect(found.length, endpoint.path).toBe(1);
      expect(found[0]?.headers.includes('Accept-Language')).toBe(endpoint.localized === true);
      expect(found[0]?.headers.includes('Authorization')).toBe(!isOpen(endpoint));
    }
  });

  test('CloudFront takes these patterns, and a distribution has fewer than the 75 that it takes', () => {
    for (const host of HOSTS) {
      const paths = cachedPathsOf(host);
      expect(paths.length).toBeLessThan(75);
      for (const { pattern } of paths) expect(pattern).toMatch(/^\/[\w.*/-]{1,254}$/);
    }
  });
});

describe('the settings of CloudFront', () => {
  test('without the option, no stack has anything of CloudFront, and no function knows a secret', () => {
    const { templates } = synthesized(domainOf('api'));
    for (const template of [templates.data, templates.service, templates.operations]) {
      expect(JSON.stringify(template.toJSON())).not.toMatch(/cloudfront|ORIGIN_SECRET/i);
    }
  });

  test('the context chooses the price class and a web ACL', () => {
    const webAcl = 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/edge/1';
    const { templates } = synthesized({
      ...domainOf('api'),
      ...FRONT,
      cloudFrontPriceClass: '100',
      cloudFrontWebAclArn: webAcl,
    });
    templates.service.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({ PriceClass: 'PriceClass_100', WebACLId: webAcl }),
    });
  });
});
