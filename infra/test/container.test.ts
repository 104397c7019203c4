import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { PUBLIC_HOSTS } from '../../ports/inbound/hosts.ts';
import { ALL_NAMES, CERTIFICATE, IMAGE, keyFile } from './given.ts';
import { type Properties, resourcesOf, type Synthesized, stacksOf, synthesized } from './synthesized.ts';

const FILES = {
  publicKeys: [keyFile('one')],
  keySecretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:files-AbCdEf',
};

const UPSTREAM = {
  issuer: 'https://id.example.com',
  clientId: 'shop',
  name: 'Example',
  secretArn: 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:upstream-AbCdEf',
};

const prod = synthesized({ stage: 'prod', container: { image: IMAGE }, wafRate: 10_000, files: FILES, ...ALL_NAMES });

const all = (type: string): Properties[] =>
  resourcesOf(prod.templates.container, type).map(([, properties]) => properties);

describe('the stack of the container', () => {
  test('two tasks run in two zones, more start under load, and a failed deployment is rolled back', () => {
    prod.templates.container.hasResourceProperties('AWS::ECS::Service', {
      DesiredCount: 2,
      DeploymentConfiguration: {
        DeploymentCircuitBreaker: { Enable: true, Rollback: true },
        MinimumHealthyPercent: 100,
        MaximumPercent: 200,
      },
    });
    expect(new Set(all('AWS::EC2::Subnet').map(({ AvailabilityZone }) => JSON.stringify(AvailabilityZone))).size).toBe(
      2,
    );
    prod.templates.container.hasResourceProperties('AWS::ApplicationAutoScaling::ScalableTarget', {
      MinCapacity: 2,
      MaxCapacity: 10,
    });
    prod.templates.container.resourceCountIs('AWS::ApplicationAutoScaling::ScalingPolicy', 1);
  });

  const container = (): Properties => all('AWS::ECS::TaskDefinition')[0]?.['ContainerDefinitions'][0];
  const variables = () =>
    Object.fromEntries(container()['Environment'].map(({ Name, Value }: Properties) => [Name, Value]));

  test('a task has the current table, the bucket, the secrets by ARN and the name of each host', () => {
    expect(variables()).toMatchObject({
      STORE: 'dynamodb',
      OBJECTS: 's3',
      TABLE_NAME: { Ref: expect.stringMatching(/^SsmParameterValueaccountserviceprodtable/) },
      API_URL: 'https://api.example.com',
      DESIGN_URL: 'https://design.example.com',
      APP_URL: 'https://app.example.com',
      ACCOUNT_URL: 'https://account.example.com',
    });
    for (const name of ['BUCKET_NAME', 'LICENSE_KEY_SECRET_ARN', 'POLICY_KEYS_SECRET_ARN']) {
      expect(JSON.stringify(variables()[name])).toContain('"StackName":"account-service-prod-data"');
    }
  });

  test('a task reads the identity provider’s secret itself, and a changed text makes all read their secrets again', () => {
    const [upstream, before, after] = ['one', undefined, '2026-11-27'].map((secretsRead) =>
      synthesized({
        stage: 'prod',
        container: { image: IMAGE },
        ...ALL_NAMES,
        ...(secretsRead === 'one' ? { upstream: UPSTREAM } : {}),
        ...(secretsRead && { secretsRead }),
      }),
    ) as [Synthesized, Synthesized, Synthesized];
    const task = JSON.stringify(upstream.templates.container);
    expect(task).toContain(`{"Name":"UPSTREAM_CLIENT_SECRET_ARN","Value":"${UPSTREAM.secretArn}"}`);
    expect(task).not.toContain('"Secrets":');
    expect(JSON.stringify(upstream.templates.container.findResources('AWS::IAM::Policy'))).toContain(
      UPSTREAM.secretArn,
    );
    for (const type of ['AWS::Lambda::Version', 'AWS::ECS::TaskDefinition']) {
      const [old, now] = [before, after].map(({ templates }) =>
        [templates.service, templates.container].flatMap((one) => resourcesOf(one, type)),
      );
      expect(now?.length).toBe(old?.length);
      for (const one of now ?? []) expect(old).not.toContainEqual(one);
    }
  });

  test('a task trusts only the addresses of the load balancer’s subnets', () => {
    const trusted = variables()['TRUSTED_PROXIES'].split(',');
    const [balancer] = all('AWS::ElasticLoadBalancingV2::LoadBalancer');
    const ids = balancer?.['Subnets'].map(({ Ref }: { Ref: string }) => Ref);
    const subnets = resourcesOf(prod.templates.container, 'AWS::EC2::Subnet');
    expect(subnets).toHaveLength(4);
    expect(subnets.filter(([id]) => ids.includes(id)).map(([, { CidrBlock }]) => CidrBlock)).toEqual(trusted);
  });

  test('a task writes only to the image’s volume', () => {
    expect(container()).toMatchObject({
      ReadonlyRootFilesystem: true,
      MountPoints: [{ ContainerPath: '/data', ReadOnly: false }],
    });
    expect(variables()).toMatchObject({ DATA_DIR: '/data', NODE_COMPILE_CACHE: '/data/compiled' });
  });

  test('a task that is stopped gets no more requests, and then enough time to finish those in progress', () => {
    const DRAIN_SECONDS = 20;
    expect(container()['StopTimeout']).toBeGreaterThan(DRAIN_SECONDS);
    prod.templates.container.hasResourceProperties('AWS::ElasticLoadBalancingV2::TargetGroup', {
      HealthCheckPath: '/healthz',
      Port: 8787,
      TargetGroupAttributes: Match.arrayWith([{ Key: 'deregistration_delay.timeout_seconds', Value: '30' }]),
    });
  });

  test('the load balancer serves the hosts’ names over HTTPS, with one certificate for all', () => {
    prod.templates.container.hasResourceProperties('AWS::ElasticLoadBalancingV2::ListenerRule', {
      Conditions: [
        {
          Field: 'host-header',
          HostHeaderConfig: { Values: [...PUBLIC_HOSTS, 'legacy'].map((host) => `${host}.example.com`) },
        },
      ],
    });
    const listeners = JSON.stringify([
      ...all('AWS::ElasticLoadBalancingV2::Listener'),
      ...all('AWS::ElasticLoadBalancingV2::ListenerCertificate'),
    ]);
    expect(listeners).toContain(`"${CERTIFICATE}"`);
    expect(listeners).toContain('"StatusCode":"HTTP_301"');
  });

  test('only the load balancer reaches a task, whose calls to table and bucket stay inside AWS', () => {
    const open = resourcesOf(prod.templates.container, 'AWS::EC2::SecurityGroup').filter(
      ([, { SecurityGroupIngress }]) => JSON.stringify(SecurityGroupIngress ?? []).includes('0.0.0.0/0'),
    );
    expect(open.map(([id]) => id)).toEqual([expect.stringMatching(/^BalancerSecurityGroup/)]);
    expect(all('AWS::EC2::VPCEndpoint').map(({ VpcEndpointType }) => VpcEndpointType)).toEqual(['Gateway', 'Gateway']);
    prod.templates.container.resourceCountIs('AWS::EC2::NatGateway', 0);
  });

  test('the role of a task has no wildcard action, and writes and deletes no published file', () => {
    const [, task] =
      resourcesOf(prod.templates.container, 'AWS::IAM::Policy').find(([id]) => id.startsWith('TaskRole')) ?? [];
    const statements: Properties[] = task?.['PolicyDocument'].Statement;
    const actions = statements.flatMap(({ Action }) => [Action].flat() as string[]);
    expect(actions.filter((action) => action.includes('*'))).toEqual([]);
    const published = statements.filter(({ Resource }) => JSON.stringify(Resource).includes('/objects/sha256/*'));
    expect(published.map(({ Action }) => Action)).toEqual(['s3:GetObject']);
    const listing = statements.find(({ Action }) => Action === 's3:ListBucket');
    expect(listing?.['Condition'].StringLike['s3:prefix']).toHaveLength(5);
  });

  test('the web ACL of the stage protects the load balancer too', () => {
    prod.templates.service.resourceCountIs('AWS::WAFv2::WebACL', 1);
    prod.templates.container.hasResourceProperties('AWS::WAFv2::WebACLAssociation', {
      ResourceArn: { Ref: Match.stringLikeRegexp('^Balancer') },
    });
  });

  test('a task signs file URLs for the stage’s distribution, with a key that it may read', () => {
    expect(JSON.stringify(variables()['FILES_URL'])).toContain('FilesDistribution');
    expect(variables()['CLOUDFRONT_KEY_SECRET_ARN']).toBe(FILES.keySecretArn);
    const [, task] =
      resourcesOf(prod.templates.container, 'AWS::IAM::Policy').find(([id]) => id.startsWith('TaskRole')) ?? [];
    expect(JSON.stringify(task)).toContain(FILES.keySecretArn);
  });

  test('failed and slow responses of the container raise alarms like those of the functions', () => {
    const names = resourcesOf(prod.templates.operations, 'AWS::CloudWatch::Alarm').map(
      ([, { AlarmName }]) => AlarmName,
    );
    expect(names).toEqual(
      expect.arrayContaining(['container-errors', 'container-latency'].map((id) => `account-service-prod-${id}`)),
    );
  });
});

test('a stage without an image has no container stack', () => {
  expect(stacksOf().container).toBeUndefined();
});
