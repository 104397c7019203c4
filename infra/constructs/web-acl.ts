import type { Stage as RestStage } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import type { Waf } from '../options/waf.ts';
import { wafRules } from './waf-rules.ts';

export type WebAclProps = {
  readonly waf: Waf;
  readonly stage: string;
  /** `CLOUDFRONT` only in a stack in us-east-1. */
  readonly scope: 'REGIONAL' | 'CLOUDFRONT';
};

/**
 * A web ACL. A regional one protects stages of REST APIs, and none of HTTP APIs; the other kind protects distributions,
 * which name it by its ARN.
 */
export class WebAcl extends Construct {
  readonly arn: string;

  constructor(parent: Construct, id: string, { waf, stage, scope }: WebAclProps) {
    super(parent, id);
    const acl = new CfnWebACL(this, 'Acl', {
      scope,
      description: 'Blocks an address that sends too many requests.',
      defaultAction: { allow: {} },
      rules: wafRules(waf),
      visibilityConfig: {
        cloudWatchMetricsEnabled: true,
        metricName: `account-service-${stage}`,
        sampledRequestsEnabled: false,
      },
    });
    this.arn = acl.attrArn;
  }

  protect(id: string, stage: RestStage): void {
    new CfnWebACLAssociation(this, id, { resourceArn: stage.stageArn, webAclArn: this.arn });
  }
}
