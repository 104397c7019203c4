import { Duration, Validations } from 'aws-cdk-lib';
import {
  HttpApi,
  HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  LogGroupLogDestination,
  PayloadFormatVersion,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Construct } from 'constructs';
import { FUNCTIONS, type FunctionName } from '../bundles/functions.ts';
import type { HttpRoutes } from '../gateways.ts';
import type { Served } from '../routes.ts';
import type { Stage } from '../stage.ts';
import { accessLogIn, httpLogOf } from './access-log.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { HostFunction } from './host-function.ts';

export type HttpGatewayProps = {
  readonly host: Served;
  readonly stage: Stage;
  readonly served: HttpRoutes;
};

/**
 * The HTTP API of a host, whose answers come in one piece. Its stage is `$default`, which adds nothing to the path of a
 * request. The payload format is 1.0: its events and answers have the shape of a REST API's.
 */
export class HttpGateway extends Construct implements GatewayMetrics {
  readonly name: string;
  readonly stageName = '$default';
  readonly #api: HttpApi;
  readonly #props: HttpGatewayProps;

  constructor(scope: Construct, id: string, props: HttpGatewayProps) {
    super(scope, id);
    const { host, stage } = props;
    this.name = host;
    this.#props = props;
    this.#api = new HttpApi(this, 'Api', {
      apiName: `account-service-${host}-${stage.name}`,
      createDefaultStage: false,
      disableExecuteApiEndpoint: stage.domains[host] !== undefined,
    });
    // AWS adds the right to write to a policy of its own for groups of this prefix. A policy for each group would
    // exceed the size that one may have (AWS-logs-infrastructure-CWL, "Log group resource policy size limit").
    const log = accessLogIn(this, stage, `/aws/vendedlogs/account-service-${stage.name}-${host}-http`);
    new HttpStage(this, 'Stage', {
      httpApi: this.#api,
      stageName: this.stageName,
      autoDeploy: true,
      throttle: { rateLimit: stage.throttle.calls.rate, burstLimit: stage.throttle.calls.burst },
      accessLogSettings: { destination: new LogGroupLogDestination(log), format: httpLogOf(host) },
    });
    Validations.of(this.#api).acknowledge({
      id: 'AwsSolutions-APIG4',
      reason: 'The application checks the API key of each call, whose limits and errors are part of its contract.',
    });
  }

  /** The API's own address, without a slash at the end. */
  get url(): string {
    return this.#api.apiEndpoint;
  }

  get id(): string {
    return this.#api.apiId;
  }

  readonly count: GatewayMetrics['count'] = (options) => this.#api.metricCount(options);
  readonly serverError: GatewayMetrics['serverError'] = (options) => this.#api.metricServerError(options);
  readonly latency: GatewayMetrics['latency'] = (options) => this.#api.metricLatency(options);

  /** Gives every path its function. */
  route(functions: Readonly<Record<FunctionName, HostFunction>>): void {
    const { routes: apart, others } = this.#props.served;
    const all = [
      { key: HttpRouteKey.DEFAULT, to: others },
      ...apart.map(({ path, to }) => ({ key: HttpRouteKey.with(path, HttpMethod.ANY), to })),
    ];
    for (const name of FUNCTIONS) {
      const routes = all.filter(({ to }) => to === name);
      if (routes.length === 0) continue;
      const integration = new HttpLambdaIntegration(name, functions[name].live, {
        payloadFormatVersion: PayloadFormatVersion.VERSION_1_0,
        timeout: Duration.seconds(25),
        // Permissions for each route would exceed the size of a function's policy.
        scopePermissionToRoute: false,
      });
      for (const { key } of routes)
        new HttpRoute(this.#api, key.key, { httpApi: this.#api, routeKey: key, integration });
    }
  }
}
