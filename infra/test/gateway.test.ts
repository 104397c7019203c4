import { readFile } from 'node:fs/promises';
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../runtimes/composition/config.ts';
import { checkedApp } from '../account-service.ts';
import { DEPLOYED } from '../routes.ts';
import { stageOf } from '../stage.ts';
import { domainOf, FRONT } from './front.ts';
import { resourcesOf, type Synthesized, synthesized } from './synthesized.ts';

/** The instances that the function has reserved. */
const reservedFor = ({ templates }: Synthesized, name: string): number | undefined =>
  resourcesOf(templates.service, 'AWS::Lambda::Function').find(([, { Description }]) =>
    Description.includes(`, ${name} (`),
  )?.[1].ReservedConcurrentExecutions;

describe('the throttles and the concurrency', () => {
  const prod = synthesized({ stage: 'prod' });

  test('on prod the functions that stream have at most 100 instances each, and no other function has a bound', () => {
    expect(['downloads', 'media', 'api', 'replay'].map((name) => reservedFor(prod, name))).toEqual([
      100,
      100,
      undefined,
      undefined,
    ]);
  });

  test('each streaming method has a bucket of its own, and all other methods of a stage have the stage’s', () => {
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
        LoggingLevel: 'ERROR',
        DataTraceEnabled: false,
      });
    }
    expect(settings).toHaveLength(own.length + DEPLOYED.length);
  });

  test('a method with a bucket of its own exists by its name, because ANY takes no settings', () => {
    const named = resourcesOf(prod.templates.service, 'AWS::ApiGateway::Method').filter(
      ([, { HttpMethod }]) => HttpMethod === 'GET',
    );
    expect(named).toHaveLength(4);
    for (const [, { Integration }] of named) expect(Integration.ResponseTransferMode).toBe('STREAM');
  });

  test('the context sets every bucket, and the concurrency of a function, which off takes away', () => {
    const set = synthesized({
      stage: 'prod',
      throttleRate: '12000',
      throttleBurst: '5000',
      streamThrottleRate: '7',
      streamThrottleBurst: '9',
      downloadsConcurrency: 'off',
      apiConcurrency: '400',
    });
    expect(['downloads', 'media', 'api'].map((name) => reservedFor(set, name))).toEqual([undefined, 100, 400]);
    const [first, stream] = resourcesOf(set.templates.service, 'AWS::ApiGateway::Stage')[0]?.[1].MethodSettings ?? [];
    expect([first.ThrottlingRateLimit, first.ThrottlingBurstLimit]).toEqual([12_000, 5000]);
    expect([stream.ThrottlingRateLimit, stream.ThrottlingBurstLimit]).toEqual([7, 9]);
  });
});

describe('the web application firewall', () => {
  test('waf=true blocks an address over the rate on every REST stage, and leaves no finding to explain', () => {
    const { templates } = synthesized({ waf: 'true', wafRate: '2500' });
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

  test('behind CloudFront the web ACL is at the edge, in us-east-1, and only a host that CloudFront is not in front of has the region’s', () => {
    const { templates, stacks } = synthesized({ ...FRONT, ...domainOf('api'), waf: 'true' });
    templates.edge.hasResourceProperties('AWS::WAFv2::WebACL', {
      Scope: 'CLOUDFRONT',
      Rules: [Match.objectLike({ Statement: { RateBasedStatement: Match.objectLike({ Limit: 10_000 }) } })],
    });
    templates.edge.hasOutput('WebAclArn', {});
    expect(stacks.edge?.region).toBe('us-east-1');
    const regional = resourcesOf(templates.service, 'AWS::WAFv2::WebACLAssociation').map(([, one]) =>
      JSON.stringify(one),
    );
    expect(regional).toHaveLength(DEPLOYED.length - 1);
    expect(regional.join()).not.toContain('apiapi');
  });

  test('an HTTP API may have a web ACL at CloudFront, and the region has none where CloudFront is in front of all', () => {
    const { templates } = synthesized({
      ...FRONT,
      ...Object.assign({}, ...DEPLOYED.map(domainOf)),
      waf: 'true',
      gateway: 'http',
      cloudFrontWebAclArn: 'arn:aws:wafv2:us-east-1:123456789012:global/webacl/one/two',
    });
    templates.edge.resourceCountIs('AWS::WAFv2::WebACL', 1);
    templates.service.resourceCountIs('AWS::WAFv2::WebACL', 0);
    templates.service.resourceCountIs('AWS::ApiGatewayV2::Api', 2);
    templates.service.allResourcesProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: Match.objectLike({ WebACLId: Match.stringLikeRegexp('global/webacl') }),
    });
  });

  test('a stack without waf=true has no web ACL', () => {
    synthesized().templates.service.resourceCountIs('AWS::WAFv2::WebACL', 0);
  });
});

const LIMITS = {
  ratePerAccount: 'RATE_LIMIT_PER_MINUTE',
  ratePerAgent: 'RATE_LIMIT_AGENT_PER_MINUTE',
  ratePerAddress: 'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
  filesPerAddress: 'RATE_LIMIT_FILES_PER_MINUTE',
};

describe('the limits of callers', () => {
  test('the context sets every limit that the service reads, and to no value that the service refuses', () => {
    const names = Object.keys(LIMITS);
    const stage = stageOf(checkedApp(Object.fromEntries(names.map((name) => [name, '100000000']))));
    expect(Object.keys(stage.settings).toSorted()).toEqual(Object.values(LIMITS).toSorted());
    expect(() => readConfig(stage.settings)).not.toThrow();
    for (const [name, variable] of Object.entries(LIMITS)) {
      for (const value of ['0', '100000001', '1.5']) {
        expect(() => stageOf(checkedApp({ [name]: value }))).toThrow(`-c ${name} takes a whole number`);
        expect(() => readConfig({ [variable]: value })).toThrow(variable);
      }
    }
  });

  test('the service has no other limit that the environment sets', async () => {
    const source = await readFile(new URL('../../runtimes/composition/config.ts', import.meta.url), 'utf8');
    const read = new Set(source.match(/\bRATE_LIMIT_\w+/g));
    expect([...read].toSorted()).toEqual(Object.values(LIMITS).toSorted());
  });
});
