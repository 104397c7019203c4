import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';
import { FUNCTIONS } from '../bundles/functions.ts';
import { DEPLOYED, functionOf, routesOf } from '../routes.ts';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

const prod = synthesized({ stage: 'prod' });

const all = (type: string) => resourcesOf(prod.templates.service, type);

/** The host of a method's API. */
const hostOf = ({ RestApiId }: Properties): string =>
  DEPLOYED.find((host) => RestApiId.Ref.startsWith(`${host}api`)) ?? '';

describe('the APIs of a stage', () => {
  /** The path of each method's resource. */
  const routed = (): Map<string, Properties> => {
    const resources = new Map(all('AWS::ApiGateway::Resource'));
    const pathOf = (ref: { Ref?: string }): string => {
      const resource = resources.get(ref.Ref ?? '');
      return resource ? `${pathOf(resource.ParentId)}/${resource.PathPart}` : '';
    };
    return new Map(
      all('AWS::ApiGateway::Method').map(([, method]) => [
        `${hostOf(method)} ${pathOf(method.ResourceId) || '/'}`,
        method,
      ]),
    );
  };

  test('the APIs have a resource for every endpoint of another function, and a catch-all resource for other paths', () => {
    const paths = [...routed().keys()];
    for (const endpoint of allEndpoints.filter(({ host }) => host !== 'shop')) {
      const own = `${endpoint.host} ${endpoint.path.replace('{path}', '{path+}')}`;
      if (functionOf(endpoint) !== endpoint.host) expect(paths).toContain(own);
    }
    for (const host of DEPLOYED) expect(paths).toEqual(expect.arrayContaining([`${host} /`, `${host} /{proxy+}`]));
    expect(paths).toHaveLength(DEPLOYED.flatMap(routesOf).length);
  });

  test('every resource of the APIs has a method, so the gateway refuses no path by itself', () => {
    const withMethod = new Set(all('AWS::ApiGateway::Method').map(([, { ResourceId }]) => ResourceId.Ref));
    const without = all('AWS::ApiGateway::Resource').filter(([id]) => !withMethod.has(id));
    expect(without.map(([, { PathPart }]) => PathPart)).toEqual([]);
  });

  test('the APIs stream only endpoints with a binary response and the files of the design host', () => {
    const streamed = [...routed()].filter(([, { Integration }]) => Integration.ResponseTransferMode === 'STREAM');
    const files = allEndpoints.filter(({ output }) => output.kind === 'binary');
    expect(streamed.map(([path]) => path).toSorted()).toEqual(
      [
        ...files.map(({ host, path }) => `${host} ${path.replace('{path}', '{path+}')}`),
        'design /media/{file}',
        'design /screens/{id}/page',
      ].toSorted(),
    );
    for (const [, { Integration }] of streamed) {
      expect(JSON.stringify(Integration.Uri)).toContain('/response-streaming-invocations');
      expect(Integration.TimeoutInMillis).toBe(15 * 60 * 1000);
    }
  });

  test('the APIs need at most two permissions for each function, because the size of a policy is limited', () => {
    const permissions = all('AWS::Lambda::Permission');
    expect(permissions.length).toBeLessThanOrEqual(FUNCTIONS.length * 2);
  });

  test('the APIs are throttled, and their access logs contain no credentials', () => {
    for (const [, stage] of all('AWS::ApiGateway::Stage')) {
      expect(stage.AccessLogSetting.Format).toContain('$context.requestId');
      expect(stage.AccessLogSetting.Format).not.toMatch(/authorization|header|query/i);
      const hasPath = stage.AccessLogSetting.Format.includes('$context.path');
      expect(hasPath, JSON.stringify(stage.RestApiId)).toBe(!stage.RestApiId.Ref.startsWith('account'));
      expect(stage.MethodSettings[0]).toMatchObject({
        DataTraceEnabled: false,
        MetricsEnabled: false,
        LoggingLevel: 'OFF',
        ThrottlingRateLimit: 2000,
        ThrottlingBurstLimit: 1000,
      });
    }
    for (const [, api] of all('AWS::ApiGateway::RestApi')) expect(api.BinaryMediaTypes).toEqual(['*/*']);
  });

  test('the gateway’s own responses have the service’s format: 413 names the limit, and a failed function is 503', () => {
    const answer = (type: string) => Match.objectLike({ ResponseType: type });
    for (const type of [
      'REQUEST_TOO_LARGE',
      'THROTTLED',
      'INTEGRATION_FAILURE',
      'INTEGRATION_TIMEOUT',
      'DEFAULT_5XX',
    ]) {
      prod.templates.service.hasResourceProperties('AWS::ApiGateway::GatewayResponse', answer(type));
    }
    prod.templates.service.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: 'REQUEST_TOO_LARGE',
      StatusCode: '413',
      ResponseTemplates: { 'application/json': Match.stringLikeRegexp('6 MB') },
    });
    prod.templates.service.hasResourceProperties('AWS::ApiGateway::GatewayResponse', {
      ResponseType: 'INTEGRATION_FAILURE',
      StatusCode: '503',
      ResponseParameters: Match.objectLike({ 'gatewayresponse.header.Retry-After': "'5'" }),
    });
  });
});
