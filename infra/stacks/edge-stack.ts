import { Annotations, CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { WebAcl } from '../constructs/web-acl.ts';
import type { Waf } from '../options/waf.ts';
import type { Stage } from '../stage.ts';

export type EdgeStackProps = StackProps & { readonly stage: Stage; readonly waf: Waf };

/** AWS keeps web ACLs for CloudFront in this region. */
const REGION = 'us-east-1';

/**
 * The web ACL for CloudFront. It is deployed first, and its ARN comes back as a setting: a reference across regions
 * would bind all stacks to an account and a region by name.
 */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, { stage, waf, ...props }: EdgeStackProps) {
    super(scope, id, { ...props, env: { ...props.env, region: REGION } });
    const { arn } = new WebAcl(this, 'Firewall', { waf, stage: stage.name, scope: 'CLOUDFRONT' });
    new CfnOutput(this, 'WebAclArn', { value: arn });
    if (stage.cloudFront?.webAclArn === undefined) {
      Annotations.of(this).addWarningV2(
        'account-service:web-acl',
        'The web ACL protects nothing yet: deploy this stack, and give its output WebAclArn as -c cloudFrontWebAclArn.',
      );
    }
  }
}
