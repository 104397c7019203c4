import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { DEPLOYED } from '../routes.ts';
import { resourcesOf, type Synthesized, synthesized } from './synthesized.ts';

/** The instances that the function has reserved. */
const reservedFor = ({ templates }: Synthesized, name: string): number | undefined =>
  resourcesOf(templates.service, 'AWS::Lambda::Function').find(([, { Description }]) =>
    Description.includes(`, ${name} (`),
  )?.[1].ReservedConcurrentExecutions;

describe('throttles and concurrency', () => {
  const prod = synthesized({ stage: 'prod' });

  test('on prod each streaming function has at most 100 instances, and other functions have no limit', () => {
    expect(['downloads', 'media', 'api', 'replay'].map((name) => reservedFor(prod, name))).toEqual([
      100,
      100,
      undefined,
      undefined,
    ]);
  });

  test('each streaming method has its own rate limit, and all other methods of a stage share the stage’s', () => {
    const settings = resourcesOf(prod.templates.service, 'AWS::ApiGateway::Stage').flatMap(
      ([, { MethodSettings }]) => MethodSettings,
    );
    const own = settings.filter(({ ResourcePath }) => ResourcePath !== '/*');
    expect(
      own.map(({ ResourcePath, HttpMethod }) => `${HttpMethod} ${ResourcePath.replaceAll('~1', '/')}`).toSorted(),
    ).toEqual([
      'GET //api/products/{product}/bundle',
      'GET //api/products/{product}/content-assets/{path+}',
      'GET //media/{file}',
      'GET //screens/{id}/page',
    ]);
    for (const setting of own) {
      expect(setting).toMatchObject({
        ThrottlingRateLimit: 100,
        ThrottlingBurstLimit: 100,
        LoggingLevel: 'OFF',
        DataTraceEnabled: false,
      });
    }
    expect(settings).toHaveLength(own.length + DEPLOYED.length);
  });

  test('a method with its own rate limit is declared by name, because ANY accepts no settings', () => {
    const named = resourcesOf(prod.templates.service, 'AWS::ApiGateway::Method').filter(
      ([, { HttpMethod }]) => HttpMethod === 'GET',
    );
    expect(named).toHaveLength(4);
    for (const [, { Integration }] of named) expect(Integration.ResponseTransferMode).toBe('STREAM');
  });

  test('the throttle sets each rate limit, and the reserved instances follow the account’s quota', () => {
    const set = synthesized({
      stage: 'prod',
      throttle: 12_000,
      instances: 5000,
    });
    expect(['downloads', 'media', 'api'].map((name) => reservedFor(set, name))).toEqual([500, 500, undefined]);
    expect(reservedFor(synthesized({ stage: 'prod', instances: 299 }), 'downloads')).toBeUndefined();
    const [first, stream] = resourcesOf(set.templates.service, 'AWS::ApiGateway::Stage')[0]?.[1].MethodSettings ?? [];
    expect([first.ThrottlingRateLimit, first.ThrottlingBurstLimit]).toEqual([12_000, 6000]);
    expect([stream.ThrottlingRateLimit, stream.ThrottlingBurstLimit]).toEqual([600, 600]);
  });
});

describe('the web application firewall', () => {
  test('wafRate blocks an IP address above the rate on every REST stage, without an unexplained finding', () => {
    const { templates } = synthesized({ wafRate: 2500 });
    templates.service.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'REGIONAL',
      DefaultAction: { Allow: {} },
      Rules: [
        Match.objectLike({
          Action: { Block: {} },
          Statement: { RateBasedStatement: { AggregateKeyType: 'IP', EvaluationWindowSec: 300, Limit: 2500 } },
        }),
      ],
    });
    templates.service.resourceCountIs('AWS::WAFv2::WebACLAssociation', DEPLOYED.length);
    for (const [, api] of resourcesOf(templates.service, 'AWS::ApiGateway::RestApi')) {
      expect(JSON.stringify(api)).not.toContain('APIG3');
    }
  });

  test('a stage without wafRate has no web ACL', () => {
    synthesized().templates.service.resourceCountIs('AWS::WAFv2::WebACL', 0);
  });
});
