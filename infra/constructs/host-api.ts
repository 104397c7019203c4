import { Duration, RemovalPolicy, Stack, Validations } from 'aws-cdk-lib';
import {
  AccessLogField,
  AccessLogFormat,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { LEGACY_VARIABLE } from '../../adapters/lambda-events/legacy-variable.ts';
import type { FunctionName } from '../bundles/functions.ts';
import { routesOf, type Served, STREAMING } from '../routes.ts';
import type { Stage } from '../stage.ts';
import { addGatewayAnswers } from './gateway-answers.ts';
import type { HostFunction } from './host-function.ts';

/**
 * The access log holds no headers and no queries, so that no credential gets into it, and no path of the account host,
 * where a path can hold the id of a request for consent. The function logs that path without the id.
 */
const accessLogOf = (host: Served): AccessLogFormat =>
  AccessLogFormat.custom(
    JSON.stringify({
      request_id: AccessLogField.contextRequestId(),
      time: AccessLogField.contextRequestTime(),
      address: AccessLogField.contextIdentitySourceIp(),
      method: AccessLogField.contextHttpMethod(),
      ...(host !== 'account' && { path: AccessLogField.contextPath() }),
      resource: AccessLogField.contextResourcePath(),
      status: AccessLogField.contextStatus(),
      bytes: AccessLogField.contextResponseLength(),
      latency_ms: AccessLogField.contextResponseLatency(),
      function_latency_ms: AccessLogField.contextIntegrationLatency(),
      error: AccessLogField.contextErrorMessage(),
    }),
  );

/** The integration of a function. A stream may take as long as the function itself may run. */
const integrationOf = (name: FunctionName, { live }: HostFunction): LambdaIntegration =>
  new LambdaIntegration(live, {
    // Permissions for each method would exceed the size of a function's policy.
    scopePermissionToMethod: false,
    ...(STREAMING.includes(name)
      ? { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.minutes(15) }
      : { timeout: Duration.seconds(25) }),
  });

/** The REST API of a host. It is made before the functions, because they need its address. */
export class HostApi extends Construct {
  readonly api: RestApi;
  /** The public address, without a slash at the end. */
  readonly url: string;
  readonly #host: Served;

  constructor(scope: Construct, host: Served, stage: Stage) {
    super(scope, `${host}-api`);
    this.#host = host;
    const domain = stage.domains[host];
    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: stage.logDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    this.api = new RestApi(this, 'Api', {
      restApiName: `account-service-${host}-${stage.name}`,
      endpointTypes: [EndpointType.REGIONAL],
      // Any body may hold bytes, such as compressed JSON, and the gateway would damage bytes that it takes for text.
      binaryMediaTypes: ['*/*'],
      disableExecuteApiEndpoint: domain !== undefined,
      cloudWatchRole: false,
      deployOptions: {
        stageName: stage.name,
        ...(host === 'legacy' && { variables: { [LEGACY_VARIABLE]: 'true' } }),
        metricsEnabled: true,
        loggingLevel: MethodLoggingLevel.ERROR,
        dataTraceEnabled: false,
        throttlingRateLimit: stage.throttle.rate,
        throttlingBurstLimit: stage.throttle.burst,
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat: accessLogOf(host),
      },
      ...(domain && {
        domainName: {
          domainName: domain.name,
          certificate: Certificate.fromCertificateArn(this, 'Certificate', domain.certificateArn),
          endpointType: EndpointType.REGIONAL,
          securityPolicy: SecurityPolicy.TLS_1_2,
        },
      }),
    });
    addGatewayAnswers(this.api);
    const { region, urlSuffix } = Stack.of(this);
    this.url = domain
      ? `https://${domain.name}`
      : `https://${this.api.restApiId}.execute-api.${region}.${urlSuffix}/${stage.name}`;
    this.#explain();
  }

  /** Gives every resource of the host its function. */
  route(functions: Readonly<Record<FunctionName, HostFunction>>): void {
    const integrations = new Map<FunctionName, LambdaIntegration>();
    for (const { path, to } of routesOf(this.#host)) {
      const integration = integrations.get(to) ?? integrationOf(to, functions[to]);
      integrations.set(to, integration);
      this.api.root.resourceForPath(path).addMethod('ANY', integration);
    }
  }

  #explain(): void {
    Validations.of(this.api).acknowledge(
      {
        id: 'AwsSolutions-APIG2',
        reason: 'The application checks each request against its own declaration and answers in the specified shape.',
      },
      {
        id: 'AwsSolutions-APIG4',
        reason: 'The application checks the API key of each call, whose limits and errors are part of its contract.',
      },
      {
        id: 'AwsSolutions-COG4',
        reason: 'Accounts are the application’s own; there is no Cognito user pool.',
      },
      {
        id: 'AwsSolutions-APIG3',
        reason: 'Rates are limited by account, by address and by stage. Each shop decides whether to pay for a WAF.',
      },
    );
  }
}
