import { CfnOutput, DefaultStackSynthesizer, Duration, Stack, Validations } from 'aws-cdk-lib';
import { CfnOIDCProvider, FederatedPrincipal, PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import type { Construct } from 'constructs';
import type { Option, Stage } from '../stage.ts';

const ISSUER = 'token.actions.githubusercontent.com';
const AUDIENCE = 'sts.amazonaws.com';

/** The roles of `cdk bootstrap` with which the CDK deploys, uploads files to its bucket, and looks resources up. */
const BOOTSTRAPPED = ['deploy-role', 'file-publishing-role', 'lookup-role'];

/**
 * Lets one repository on GitHub deploy this stage, without a key that could leak: GitHub signs a token for a run, and
 * AWS trusts it if the run is in the environment with the stage's name. GitHub asks the reviewers of that environment
 * first.
 */
export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, stage: Stage, pipeline: Option<'pipeline'>) {
    super(scope, id);
    const provider =
      pipeline.providerArn ??
      new CfnOIDCProvider(this, 'GitHub', { url: `https://${ISSUER}`, clientIdList: [AUDIENCE] }).attrArn;
    const role = new Role(this, 'Role', {
      description: `Deploys the account service (${stage.name}) for ${pipeline.repository}`,
      maxSessionDuration: Duration.hours(1),
      assumedBy: new FederatedPrincipal(
        provider,
        {
          StringEquals: {
            [`${ISSUER}:aud`]: AUDIENCE,
            [`${ISSUER}:sub`]: `repo:${pipeline.repository}:environment:${stage.name}`,
          },
        },
        'sts:AssumeRoleWithWebIdentity',
      ),
    });
    const { partition, account, region } = this;
    const qualifier = DefaultStackSynthesizer.DEFAULT_QUALIFIER;
    role.addToPolicy(
      new PolicyStatement({
        actions: ['sts:AssumeRole'],
        resources: BOOTSTRAPPED.map(
          (name) => `arn:${partition}:iam::${account}:role/cdk-${qualifier}-${name}-${account}-${region}`,
        ),
      }),
    );
    const stacks = `stack/account-service-${stage.name}-*`;
    role.addToPolicy(
      new PolicyStatement({
        actions: ['cloudformation:DescribeStacks'],
        resources: [`arn:${partition}:cloudformation:${region}:${account}:${stacks}`],
      }),
    );
    Validations.of(role).acknowledge({
      id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:${stacks}]`,
      reason: 'The workflow reads the outputs of the stacks of this stage, whose ARNs end in an id that AWS gives.',
    });
    new CfnOutput(this, 'DeployRoleArn', { value: role.roleArn });
  }
}
