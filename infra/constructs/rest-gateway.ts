import { Duration, Stack, Validations } from 'aws-cdk-lib';
import {
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  type MethodDeploymentOptions,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { LEGACY_VARIABLE } from '../../adapters/lambda-events/legacy-variable.ts';
import type { FunctionName } from '../bundles/functions.ts';
import type { RestRoutes } from '../gateways.ts';
import type { Bucket } from '../options/throttle.ts';
import { type Served, STREAMING } from '../routes.ts';
import type { Stage } from '../stage.ts';
import { accessLogIn, restLogOf } from './access-log.ts';
import { addGatewayAnswers } from './gateway-answers.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { HostFunction } from './host-function.ts';
import type { WebAcl } from './web-acl.ts';

/** The integration of a function. A stream may take as long as the function itself may run. */
const integrationOf = (name: FunctionName, { live }: HostFunction): LambdaIntegration =>
  new LambdaIntegration(live, {
    // Permissions for each method would exceed the size of a function's policy.
    scopePermissionToMethod: false,
    ...(STREAMING.includes(name)
      ? { responseTransferMode: ResponseTransferMode.STREAM, timeout: Duration.minutes(15) }
      : { timeout: Duration.seconds(25) }),
  });

/** The settings of methods. A method with settings of its own inherits none, so each names all of them. */
const settingsOf = ({ rate, burst }: Bucket): MethodDeploymentOptions => ({
  // The metrics of each method cost $0.30 a month each. Those of the API and the stage are free, and alarms read them.
  metricsEnabled: false,
  loggingLevel: MethodLoggingLevel.ERROR,
  dataTraceEnabled: false,
  throttlingRateLimit: rate,
  throttlingBurstLimit: burst,
});

export type RestGatewayProps = {
  readonly host: Served;
  readonly stage: Stage;
  readonly served: RestRoutes;
  readonly acl: WebAcl | undefined;
};

/** The REST API of a host, or of the part of it that streams. */
export class RestGateway extends Construct implements GatewayMetrics {
  readonly name: string;
  readonly stageName: string;
  readonly #api: RestApi;
  readonly #routes: RestRoutes['routes'];

  constructor(scope: Construct, id: string, { host, stage, served: { routes, under }, acl }: RestGatewayProps) {
    super(scope, id);
    this.name = under === undefined ? host : `${host}-streams`;
    this.stageName = stage.name;
    this.#routes = routes;
    const streams = routes.filter(({ to }) => STREAMING.includes(to));
    this.#api = new RestApi(this, 'Api', {
      restApiName: `account-service-${this.name}-${stage.name}`,
      endpointTypes: [EndpointType.REGIONAL],
      // Any body may hold bytes, such as compressed JSON, and the gateway would damage bytes that it takes for text.
      binaryMediaTypes: ['*/*'],
      disableExecuteApiEndpoint: stage.domains[host] !== undefined,
      cloudWatchRole: false,
      deployOptions: {
        stageName: this.stageName,
        ...(host === 'legacy' && { variables: { [LEGACY_VARIABLE]: 'true' } }),
        ...settingsOf(stage.throttle.calls),
        methodOptions: Object.fromEntries(
          streams.map(({ path }) => [`${path}/GET`, settingsOf(stage.throttle.streams)]),
        ),
        accessLogDestination: new LogGroupLogDestination(accessLogIn(this, stage)),
        accessLogFormat: restLogOf(host),
      },
    });
    addGatewayAnswers(this.#api);
    acl?.protect(this.name, this.#api.deploymentStage);
    this.#explain(acl !== undefined);
  }

  /** The API's own address, without a slash at the end. It names the stage by a text, because the stage needs the functions. */
  get url(): string {
    const { region, urlSuffix } = Stack.of(this);
    return `https://${this.id}.execute-api.${region}.${urlSuffix}/${this.stageName}`;
  }

  get id(): string {
    return this.#api.restApiId;
  }

  readonly count: GatewayMetrics['count'] = (options) => this.#api.metricCount(options);
  readonly serverError: GatewayMetrics['serverError'] = (options) => this.#api.metricServerError(options);
  readonly latency: GatewayMetrics['latency'] = (options) => this.#api.metricLatency(options);

  /** Gives every resource its function. */
  route(functions: Readonly<Record<FunctionName, HostFunction>>): void {
    const integrations = new Map<FunctionName, LambdaIntegration>();
    for (const { path, to } of this.#routes) {
      const integration = integrations.get(to) ?? integrationOf(to, functions[to]);
      integrations.set(to, integration);
      const resource = this.#api.root.resourceForPath(path);
      // A bucket of its own takes a method of its own: ANY has no settings but the stage's.
      if (STREAMING.includes(to)) resource.addMethod('GET', integration);
      resource.addMethod('ANY', integration);
    }
  }

  #explain(protectedByAcl: boolean): void {
    const findings = [
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
    ];
    const unprotected = {
      id: 'AwsSolutions-APIG3',
      reason:
        'Rates are limited by account, by address and by stage. Each shop decides whether to pay for -c waf=true, whose web ACL is at CloudFront where that stands in front.',
    };
    Validations.of(this.#api).acknowledge(...findings, ...(protectedByAcl ? [] : [unprotected]));
  }
}
