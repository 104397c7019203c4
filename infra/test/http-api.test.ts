import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { gatewaysOf } from '../gateways.ts';
import { routesOf, STREAMING } from '../routes.ts';
import { domainOf } from './front.ts';
import { resourcesOf, synthesized } from './synthesized.ts';

const ALL = { stage: 'prod', gateway: 'http', ...domainOf('api'), ...domainOf('account'), ...domainOf('legacy') };

const http = synthesized(ALL);

const all = (type: string) => resourcesOf(http.templates.service, type);

const idStarting = (type: string, start: string): string =>
  Object.keys(http.templates.service.findResources(type)).find((id) => id.startsWith(start)) ?? '';

describe('the gateways of a host with gateway=http', () => {
  test('the api host’s REST API has every path that is streamed, and its HTTP API has none', () => {
    const [json, streams] = gatewaysOf('api', 'http');
    const wanted = routesOf('api').filter(({ to }) => STREAMING.includes(to));
    expect(wanted).not.toEqual([]);
    expect(streams).toMatchObject({ kind: 'rest', under: 'api/products' });
    const paths = streams?.routes.map(({ path }) => `/api/products${path}`) ?? [];
    expect(paths).toEqual(expect.arrayContaining(wanted.map(({ path }) => path)));
    expect(json?.routes.filter(({ to }) => STREAMING.includes(to))).toEqual([]);
  });

  test('no host that an HTTP API serves alone has an answer to stream', () => {
    expect(gatewaysOf('app', 'http').map(({ kind }) => kind)).toEqual(['http']);
    expect(routesOf('app').filter(({ to }) => STREAMING.includes(to))).toEqual([]);
  });

  test('the calls that every copy of a product makes go to the HTTP API', () => {
    const hot = allEndpoints.filter(({ path }) =>
      ['/api/license/check', '/api/device/usage', '/api/library'].includes(path),
    );
    expect(hot).toHaveLength(3);
    for (const { path } of hot) expect(path.startsWith('/api/products')).toBe(false);
  });

  test.each(['account', 'design', 'legacy'] as const)('the %s host keeps its REST API', (host) => {
    expect(gatewaysOf(host, 'http')).toEqual(gatewaysOf(host, 'rest'));
  });
});

describe('the HTTP APIs', () => {
  test('the api and app hosts have an HTTP API without CORS of its own, whose address is closed where a name leads to it', () => {
    const apis = all('AWS::ApiGatewayV2::Api').map(([, api]) => api);
    expect(apis.map(({ Name, DisableExecuteApiEndpoint }) => [Name, DisableExecuteApiEndpoint])).toEqual([
      ['account-service-api-prod', true],
      ['account-service-app-prod', false],
    ]);
    for (const api of apis) expect([api.ProtocolType, api.CorsConfiguration]).toEqual(['HTTP', undefined]);
  });

  test('every route of an HTTP API hands over events of format 1.0 and waits for 25 seconds', () => {
    const integrations = all('AWS::ApiGatewayV2::Integration');
    for (const [, integration] of integrations) {
      expect([integration.PayloadFormatVersion, integration.TimeoutInMillis]).toEqual(['1.0', 25_000]);
    }
    const keys = all('AWS::ApiGatewayV2::Route').map(([, { RouteKey }]) => RouteKey);
    expect(keys.filter((key) => key === '$default')).toHaveLength(2);
    expect(keys).toEqual(expect.arrayContaining(['ANY /api/mcp', 'ANY /docs', 'ANY /docs/{proxy+}']));
    expect(integrations.length, 'one integration for each function').toBeLessThan(keys.length);
  });

  test('a function has one permission for each gateway that calls it', () => {
    const permissions = all('AWS::Lambda::Permission').filter(
      ([, { Principal }]) => Principal === 'apigateway.amazonaws.com',
    );
    const pairs = permissions.map(([, { FunctionName, SourceArn }]) => JSON.stringify([FunctionName, SourceArn]));
    expect(new Set(pairs).size).toBe(pairs.length);
    expect(pairs.length).toBeLessThanOrEqual(20);
  });

  test('their stage is $default, is throttled as a whole, and logs no header, no query and no details that cost', () => {
    const stages = all('AWS::ApiGatewayV2::Stage');
    expect(stages).toHaveLength(2);
    for (const [, stage] of stages) {
      expect([stage.StageName, stage.AutoDeploy]).toEqual(['$default', true]);
      expect(stage.DefaultRouteSettings).toMatchObject({ ThrottlingRateLimit: 2000, ThrottlingBurstLimit: 1000 });
      expect(stage.DefaultRouteSettings.DetailedMetricsEnabled ?? false).toBe(false);
      expect(stage.AccessLogSettings.Format).toContain('$context.requestId');
      expect(stage.AccessLogSettings.Format).not.toMatch(/authorization|header|query/i);
    }
  });
});

describe('the name of the api host', () => {
  const mappings = () => all('AWS::ApiGatewayV2::ApiMapping').map(([id, mapping]) => ({ id, ...mapping }));

  test('the name leads to the HTTP API, and under api/products to the REST API', () => {
    const json = idStarting('AWS::ApiGatewayV2::Api', 'apiapi');
    const rest = idStarting('AWS::ApiGateway::RestApi', 'apiapi');
    const of = mappings().filter(({ id }) => id.startsWith('apiapi'));
    expect(of).toHaveLength(2);
    expect(of).toEqual([
      expect.objectContaining({ ApiId: { Ref: json }, Stage: '$default' }),
      expect.objectContaining({ ApiId: { Ref: rest }, Stage: 'prod', ApiMappingKey: 'api/products' }),
    ]);
  });

  test('every name is of the kind that takes mappings of several levels', () => {
    const names = all('AWS::ApiGateway::DomainName').map(([, name]) => name);
    expect(names).toHaveLength(3);
    for (const { EndpointConfiguration, SecurityPolicy } of names) {
      expect([EndpointConfiguration.Types, SecurityPolicy]).toEqual([['REGIONAL'], 'TLS_1_2']);
    }
  });

  test('another gateway takes a name by a change of the same mapping, so that no two mappings collide', () => {
    const { templates } = synthesized({ ...ALL, gateway: 'rest' });
    const before = Object.keys(templates.service.findResources('AWS::ApiGatewayV2::ApiMapping'));
    const after = mappings().map(({ id }) => id);
    expect(after).toEqual(expect.arrayContaining(before));
    expect(Object.keys(templates.service.findResources('AWS::ApiGateway::DomainName')).toSorted()).toEqual(
      Object.keys(http.templates.service.findResources('AWS::ApiGateway::DomainName')).toSorted(),
    );
  });
});

describe('the alarms with gateway=http', () => {
  const onHttp = (metric: string) =>
    Match.objectLike({
      MetricStat: Match.objectLike({
        Metric: Match.objectLike({ MetricName: metric, Dimensions: [Match.objectLike({ Name: 'ApiId' })] }),
      }),
    });

  test.each([
    '5xx',
    'Count',
  ])('the alarm on failed requests of an HTTP API reads the metric %s by the API’s id', (metric) => {
    http.templates.operations.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmDescription: 'More than 1 % of the requests failed',
      Metrics: Match.arrayWith([onHttp(metric)]),
    });
  });

  test('the REST APIs beside them have alarms under their names', () => {
    const alarms = JSON.stringify(resourcesOf(http.templates.operations, 'AWS::CloudWatch::Alarm'));
    for (const name of ['account-service-api-streams-prod', 'account-service-design-prod']) {
      expect(alarms).toContain(`"Name":"ApiName","Value":"${name}"`);
    }
  });
});
