import { DomainName, EndpointType, SecurityPolicy } from 'aws-cdk-lib/aws-apigateway';
import { CfnApiMapping } from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Construct } from 'constructs';
import type { FunctionName } from '../bundles/functions.ts';
import { gatewaysOf } from '../gateways.ts';
import type { Domain } from '../options/domains.ts';
import type { Served } from '../routes.ts';
import type { Stage } from '../stage.ts';
import type { GatewayMetrics } from './gateway-metrics.ts';
import type { HostFunction } from './host-function.ts';
import { HttpGateway } from './http-gateway.ts';
import { RestGateway } from './rest-gateway.ts';
import type { WebAcl } from './web-acl.ts';

type Gateway = { readonly api: RestGateway | HttpGateway; readonly under: string | undefined };

export type HostApiProps = {
  readonly host: Served;
  readonly stage: Stage;
  /** The web ACL of the host's REST API. */
  readonly acl: WebAcl | undefined;
};

/** The gateways of a host, and its name. They are made before the functions, because these need their address. */
export class HostApi extends Construct {
  /** The public address, without a slash at the end. */
  readonly url: string;
  /** The name by which the region's gateway answers for the host's own name; undefined where it has none. */
  readonly originDomain: string | undefined;
  readonly #gateways: readonly Gateway[];

  constructor(scope: Construct, { host, stage, acl }: HostApiProps) {
    super(scope, `${host}-api`);
    const domain = stage.domains[host];
    this.#gateways = gatewaysOf(host, stage.gateway).map((served) =>
      served.kind === 'rest'
        ? { api: new RestGateway(this, 'Rest', { host, stage, served, acl }), under: served.under }
        : {
            api: new HttpGateway(this, 'Http', { host, stage, served }),
            under: undefined,
          },
    );
    const [first] = this.#gateways;
    if (!first) throw new Error(`The host ${host} has no gateway.`);
    this.url = domain ? `https://${domain.name}` : first.api.url;
    this.originDomain = domain && this.#named(domain);
  }

  /** The gateways, whose metrics alarms and the dashboard read. */
  get gateways(): readonly GatewayMetrics[] {
    return this.#gateways.map(({ api }) => api);
  }

  /** Gives every path of the host its function. */
  route(functions: Readonly<Record<FunctionName, HostFunction>>): void {
    for (const { api } of this.#gateways) api.route(functions);
  }

  /**
   * Maps the host's name to its gateways. The mapping to the root keeps its id when another gateway takes it, so that
   * CloudFormation changes it in place; two mappings to one path can't exist, not even for a moment.
   */
  #named({ name, certificateArn }: Domain): string {
    const domain = new DomainName(this, 'Name', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
      endpointType: EndpointType.REGIONAL,
      securityPolicy: SecurityPolicy.TLS_1_2,
    });
    for (const { api, under } of this.#gateways) {
      const mapping = new CfnApiMapping(this, under === undefined ? 'Root' : `Under-${under.replaceAll('/', '-')}`, {
        apiId: api.id,
        domainName: domain.domainName,
        stage: api.stageName,
        ...(under !== undefined && { apiMappingKey: under }),
      });
      mapping.node.addDependency(api);
    }
    return domain.domainNameAliasDomainName;
  }
}
