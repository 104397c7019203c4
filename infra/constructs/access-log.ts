import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Served } from '../routes.ts';
import type { Stage } from '../stage.ts';

/**
 * The access log holds no headers and no queries, so that no credential gets into it, and no path of the account host,
 * where a path can hold the id of a request for consent. The function logs that path without the id.
 */
const fieldsOf = (host: Served) => ({
  request_id: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTime(),
  address: AccessLogField.contextIdentitySourceIp(),
  method: AccessLogField.contextHttpMethod(),
  ...(host !== 'account' && { path: AccessLogField.contextPath() }),
  status: AccessLogField.contextStatus(),
  bytes: AccessLogField.contextResponseLength(),
  latency_ms: AccessLogField.contextResponseLatency(),
  function_latency_ms: AccessLogField.contextIntegrationLatency(),
  error: AccessLogField.contextErrorMessage(),
});

const formatOf = (host: Served, more: Readonly<Record<string, string>>): AccessLogFormat =>
  AccessLogFormat.custom(JSON.stringify({ ...fieldsOf(host), ...more }));

/** The format of a REST API's lines. */
export const restLogOf = (host: Served): AccessLogFormat =>
  formatOf(host, { resource: AccessLogField.contextResourcePath() });

/** The format of an HTTP API's lines. `function_error` tells why a function's answer was none. */
export const httpLogOf = (host: Served): AccessLogFormat =>
  formatOf(host, { resource: '$context.routeKey', function_error: '$context.integrationErrorMessage' });

/** A group for access logs, which is kept as long as the stage keeps logs. */
export const accessLogIn = (scope: Construct, stage: Stage, name?: string): LogGroup =>
  new LogGroup(scope, 'AccessLog', {
    ...(name !== undefined && { logGroupName: name }),
    retention: stage.logDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
