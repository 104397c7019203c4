import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';

/** The window, in seconds, in which WAF counts the requests of each address. */
const WINDOW = 300;

/**
 * A web ACL that blocks each address that has sent more requests than the rate in five minutes. It does not inspect
 * bodies, because the application validates every field of them.
 */
export class WebAcl extends Construct {
  readonly #arn: string;

  constructor(scope: Construct, id: string, { rate, stage }: { readonly rate: number; readonly stage: string }) {
    super(scope, id);
    const visibilityOf = (metricName: string) => ({
      cloudWatchMetricsEnabled: true,
      metricName,
      sampledRequestsEnabled: false,
    });
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      description: 'Blocks an address that sends too many requests.',
      defaultAction: { allow: {} },
      rules: [
        {
          name: 'rate-by-address',
          priority: 0,
          action: { block: {} },
          statement: { rateBasedStatement: { aggregateKeyType: 'IP', evaluationWindowSec: WINDOW, limit: rate } },
          visibilityConfig: visibilityOf('rate-by-address'),
        },
      ],
      visibilityConfig: visibilityOf(`account-service-${stage}`),
    });
    this.#arn = acl.attrArn;
  }

  /** Protects a stage of a REST API, or a load balancer. */
  protect(scope: Construct, id: string, resourceArn: string): void {
    new CfnWebACLAssociation(scope, `${id}-firewall`, { resourceArn, webAclArn: this.#arn });
  }
}
