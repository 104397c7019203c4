import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  DomainName,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  ResponseTransferMode,
  type ResponseType,
  RestApi,
  SecurityPolicy,
  ResponseType as Types,
} from 'aws-cdk-lib/aws-apigateway';
import { CfnApiMapping } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { FilterPattern, LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { LEGACY_VARIABLE, METRICS_NAMESPACE, REQUEST_OVER_LIMIT } from '../../adapters/lambda-events/deployment.ts';
import type { FunctionName } from '../bundles/functions.ts';
import { routesOf, type ServedHost, STREAMING } from '../routes.ts';
import type { Stage } from '../stage.ts';
import type { HostFunction } from './host-function.ts';
import type { WebAcl } from './web-acl.ts';

type Answer = {
  readonly type: ResponseType;
  readonly status?: string;
  /** The gateway's own message by default. */
  readonly message?: string;
  readonly retryAfter?: number;
};

const UNAVAILABLE = 'The service is not available right now; try again in a moment.';

/** The responses that the gateway itself gives, because it called no function or none responded. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  TooLarge: { type: Types.REQUEST_TOO_LARGE, status: '413', message: REQUEST_OVER_LIMIT },
  Throttled: { type: Types.THROTTLED, status: '429', message: 'Too many requests; wait a moment.', retryAfter: 1 },
  Failed: { type: Types.INTEGRATION_FAILURE, status: '503', message: UNAVAILABLE, retryAfter: 5 },
  TimedOut: { type: Types.INTEGRATION_TIMEOUT, status: '503', message: UNAVAILABLE, retryAfter: 5 },
  Other4xx: { type: Types.DEFAULT_4XX },
  Other5xx: { type: Types.DEFAULT_5XX, status: '503', message: UNAVAILABLE, retryAfter: 5 },
};

/** Gives the gateway's own responses the same form as those of the application. */
const addGatewayAnswers = (api: RestApi): void => {
  for (const [id, { type, status, message, retryAfter }] of Object.entries(ANSWERS)) {
    api.addGatewayResponse(id, {
      type,
      ...(status === undefined ? {} : { statusCode: status }),
      responseHeaders: {
        'Cache-Control': "'private, no-store'",
        'X-Content-Type-Options': "'nosniff'",
        'X-Request-Id': 'method.request.header.x-amzn-RequestId',
        ...(retryAfter === undefined ? {} : { 'Retry-After': `'${retryAfter}'` }),
      },
      templates: {
        'application/json':
          message === undefined ? '{"message": $context.error.messageString}' : JSON.stringify({ message }),
      },
    });
  }
};

/** The number of requests that API Gateway itself answers with 429, by stage. Its own metrics don't separate them. */
export const THROTTLED = 'gateway_throttled';

/**
 * The access log has no headers and no queries, so that it contains no credential. It also has no paths of the account
 * host, because such a path can contain the id of a consent request. The function logs that path without the id.
 */
const formatOf = (host: ServedHost): AccessLogFormat =>
  AccessLogFormat.custom(
    JSON.stringify({
      request_id: AccessLogField.contextRequestId(),
      time: AccessLogField.contextRequestTime(),
      stage: AccessLogField.contextStage(),
      address: AccessLogField.contextIdentitySourceIp(),
      method: AccessLogField.contextHttpMethod(),
      ...(host !== 'account' && { path: AccessLogField.contextPath() }),
      status: AccessLogField.contextStatus(),
      bytes: AccessLogField.contextResponseLength(),
      latency_ms: AccessLogField.contextResponseLatency(),
      function_latency_ms: AccessLogField.contextIntegrationLatency(),
      error: AccessLogField.contextErrorMessage(),
      refused: AccessLogField.contextErrorResponseType(),
      resource: AccessLogField.contextResourcePath(),
    }),
  );

/** The integration of a function. A stream may take as long as the function itself may run. */
const integrationOf = (name: FunctionName, { live }: HostFunction): LambdaIntegration =>
  new LambdaIntegration(live, {
    // Permissions for each method would exceed the maximum size of a function's policy.
    scopePermissionToMethod: false,
    ...(STREAMING.includes(name)
      ? { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.minutes(15) }
      : { timeout: Duration.seconds(25) }),
  });

/**
 * The settings of methods with this rate per second and this burst. A method with its own settings inherits none, so
 * all of them are set.
 */
const settingsOf = (rate: number, burst: number): MethodDeploymentOptions => ({
  // The metrics of each method cost $0.30 a month. Those of the API and the stage are free, and alarms use them.
  metricsEnabled: false,
  loggingLevel: MethodLoggingLevel.OFF,
  dataTraceEnabled: false,
  throttlingRateLimit: rate,
  throttlingBurstLimit: burst,
});

/** The findings of cdk-nag that apply to every API, and the reasons to accept them. */
const EXPLAINED = {
  APIG2: 'The application checks each request against its own declaration and answers in the documented shape.',
  APIG4: 'The application checks the API key of each call, whose limits and errors are part of its contract.',
  APIG6:
    'Execution logs go to groups that no stack declares and that never expire. The access log has each request and the gateway’s error, and the function’s log has the rest.',
  COG4: 'Accounts are the application’s own; there is no Cognito user pool.',
} as const;

export type HostApiProps = { readonly host: ServedHost; readonly stage: Stage; readonly acl: WebAcl | undefined };

/** The REST API of a host, and its name. It is created before the functions, because they need its address. */
export class HostApi extends Construct {
  readonly host: ServedHost;
  /** The public address, without a trailing slash. */
  readonly url: string;
  /** The API, whose metrics alarms and the dashboard read. */
  readonly api: RestApi;
  /** The DNS name that the host's own name must point to; undefined if it has none. */
  readonly target: string | undefined;

  constructor(scope: Construct, { host, stage, acl }: HostApiProps) {
    super(scope, `${host}-api`);
    this.host = host;
    const rest = new Construct(this, 'Rest');
    const log = new LogGroup(rest, 'AccessLog', { retention: stage.logDays, removalPolicy: RemovalPolicy.DESTROY });
    log.addMetricFilter('Throttled', {
      filterPattern: FilterPattern.stringValue('$.refused', '=', 'THROTTLED'),
      metricNamespace: METRICS_NAMESPACE,
      metricName: THROTTLED,
      metricValue: '1',
      dimensions: { stage: '$.stage' },
    });
    const streams = routesOf(host).filter(({ to }) => STREAMING.includes(to));
    // A stream occupies an instance for as long as it runs, so more streams would find the functions busy.
    const aStream = Math.floor(stage.throttle / 20);
    const domain = stage.domains[host];
    this.api = new RestApi(rest, 'Api', {
      restApiName: `account-service-${host}-${stage.name}`,
      endpointTypes: [EndpointType.REGIONAL],
      // Any body may be binary, such as compressed JSON, and the gateway would damage bytes that it treats as text.
      binaryMediaTypes: ['*/*'],
      disableExecuteApiEndpoint: domain !== undefined,
      cloudWatchRole: false,
      deployOptions: {
        stageName: stage.name,
        ...(host === 'legacy' && { variables: { [LEGACY_VARIABLE]: 'true' } }),
        ...settingsOf(stage.throttle, Math.floor(stage.throttle / 2)),
        methodOptions: Object.fromEntries(streams.map(({ path }) => [`${path}/GET`, settingsOf(aStream, aStream)])),
        accessLogDestination: new LogGroupLogDestination(log),
        accessLogFormat: formatOf(host),
      },
    });
    addGatewayAnswers(this.api);
    acl?.protect(this, host, this.api.deploymentStage.stageArn);
    // The address names the stage as a string, because the stage depends on the functions.
    const { region, urlSuffix } = Stack.of(this);
    this.url = domain
      ? `https://${domain}`
      : `https://${this.api.restApiId}.execute-api.${region}.${urlSuffix}/${stage.name}`;
    this.target = domain && this.#named(domain, stage);
    Validations.of(this.api).acknowledge(
      ...Object.entries(EXPLAINED).map(([id, reason]) => ({ id: `AwsSolutions-${id}`, reason })),
      ...(acl
        ? []
        : [
            {
              id: 'AwsSolutions-APIG3',
              reason:
                'Rates are limited by account, by address and by stage. Each shop decides whether to pay for "wafRate".',
            },
          ]),
    );
  }

  /** Connects every resource to its function. */
  route(functions: Readonly<Record<FunctionName, HostFunction>>): void {
    const integrations = new Map<FunctionName, LambdaIntegration>();
    for (const { path, to } of routesOf(this.host)) {
      const integration = integrations.get(to) ?? integrationOf(to, functions[to]);
      integrations.set(to, integration);
      const resource = this.api.root.resourceForPath(path);
      // A separate token bucket needs its own method, because ANY has only the stage's settings.
      if (STREAMING.includes(to)) resource.addMethod('GET', integration);
      resource.addMethod('ANY', integration);
    }
  }

  #named(domainName: string, { certificateArn, name }: Stage): string {
    const domain = new DomainName(this, 'Name', {
      domainName,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    const mapping = new CfnApiMapping(this, 'Root', {
      apiId: this.api.restApiId,
      domainName: domain.domainName,
      stage: name,
    });
    mapping.node.addDependency(this.api);
    return domain.domainNameAliasDomainName;
  }
}
