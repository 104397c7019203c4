import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, test } from 'vitest';
import { routesOf } from '../routes.ts';
import { distributionsOf, domainOf, FRONT, HOSTS, KEY_SECRET, keyFiles, policyOf, wholeFront } from './front.ts';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

const whole = wholeFront();

const service = (type: string) => resourcesOf(whole.templates.service, type);

const distributions = (): Map<string, Properties> => distributionsOf(whole);

describe('the origin secret', () => {
  test('CloudFront shows the newest secret by a reference, and no template has a value', () => {
    const shown = [...distributions().values()].map(
      ({ Origins }) => Origins.find((one: Properties) => one['CustomOriginConfig']).OriginCustomHeaders[0],
    );
    for (const { HeaderName, HeaderValue } of shown) {
      expect(HeaderName).toBe('X-Origin-Secret');
      expect(JSON.stringify(HeaderValue)).toMatch(/resolve:secretsmanager:.*SecretsNumber2/);
    }
    whole.templates.service.allResourcesProperties('AWS::SecretsManager::Secret', {
      GenerateSecretString: { PasswordLength: 48, ExcludePunctuation: true },
      SecretString: Match.absent(),
    });
  });

  test('every function behind a distribution accepts the newest secret and the one before, and may read both', () => {
    const behind = new Set(HOSTS.flatMap((host) => routesOf(host).map(({ to }) => to as string)));
    const knowing = service('AWS::Lambda::Function').filter(
      ([, { Environment }]) => Environment.Variables.ORIGIN_SECRET_ARN !== undefined,
    );
    expect(knowing.map(([id]) => id.split('Function')[0]).toSorted()).toEqual([...behind].toSorted());
    for (const [, { Environment }] of knowing) {
      const { ORIGIN_SECRET_ARN, ORIGIN_SECRET_REQUIRED } = Environment.Variables;
      expect(JSON.stringify(ORIGIN_SECRET_ARN)).toMatch(/SecretsNumber1.*SecretsNumber2/);
      expect(ORIGIN_SECRET_REQUIRED).toBeUndefined();
    }
  });

  test('a distribution shows a new secret only after every function accepts it', () => {
    const aliases = service('AWS::Lambda::Alias').map(([id]) => id);
    for (const one of Object.values(whole.templates.service.findResources('AWS::CloudFront::Distribution'))) {
      expect(one['DependsOn']).toEqual(expect.arrayContaining(aliases));
    }
  });

  test('beside CloudFront, requests that come directly are answered, until DNS leads to CloudFront', () => {
    const { templates } = synthesized({ ...domainOf('api'), ...FRONT, cloudFront: 'beside' });
    templates.service.hasResourceProperties('AWS::Lambda::Function', {
      Environment: { Variables: Match.objectLike({ ORIGIN_SECRET_REQUIRED: 'off' }) },
    });
  });

  test('a host without a name has no distribution, and its functions stay open', () => {
    const { templates } = synthesized({ ...domainOf('api'), ...FRONT });
    templates.service.resourceCountIs('AWS::CloudFront::Distribution', 1);
    const open = resourcesOf(templates.service, 'AWS::Lambda::Function').filter(
      ([, { Environment }]) => Environment.Variables.ORIGIN_SECRET_ARN === undefined,
    );
    expect(open.map(([id]) => id.split('Function')[0]).toSorted()).toEqual(
      ['account', 'app', 'design', 'media', 'replay'].toSorted(),
    );
  });
});

describe('files by CloudFront', () => {
  const files = (): Properties =>
    distributions()
      .get('api')
      ?.['CacheBehaviors'].find((one: Properties) => one['TrustedKeyGroups']);

  test('a published file needs a signature by a key of the group, and nothing else of the bucket is reached', () => {
    const all = [...distributions().values()].flatMap(({ CacheBehaviors }) => CacheBehaviors as Properties[]);
    expect(all.filter((one) => one['TrustedKeyGroups']).map((one) => one['PathPattern'])).toEqual([
      '/objects/sha256/*',
    ]);
    const [[, group]] = service('AWS::CloudFront::KeyGroup') as [[string, Properties]];
    const made = service('AWS::CloudFront::PublicKey').map(([id]) => id);
    expect(group['KeyGroupConfig'].Items.map(({ Ref }: { Ref: string }) => Ref).toSorted()).toEqual(made.toSorted());
    expect(made).toHaveLength(2);
    const id = files()['TargetOriginId'];
    const origin = distributions()
      .get('api')
      ?.['Origins'].find((one: Properties) => one['Id'] === id);
    expect(origin).toMatchObject({ OriginAccessControlId: expect.anything() });
    expect(origin.OriginCustomHeaders).toBeUndefined();
    const [[, access]] = service('AWS::CloudFront::OriginAccessControl') as [[string, Properties]];
    expect(access['OriginAccessControlConfig']).toMatchObject({ SigningBehavior: 'always', SigningProtocol: 'sigv4' });
  });

  test('S3 is told the name and the type of a file, and no cache behind CloudFront keeps the file', () => {
    const { QueryStringsConfig } = policyOf(whole, 'CachePolicy', files()['CachePolicyId'])[
      'ParametersInCacheKeyAndForwardedToOrigin'
    ];
    expect(QueryStringsConfig).toEqual({
      QueryStringBehavior: 'whitelist',
      QueryStrings: ['response-content-disposition', 'response-content-type'],
    });
    expect(files()['OriginRequestPolicyId']).toBeUndefined();
    const told = policyOf(whole, 'ResponseHeadersPolicy', files()['ResponseHeadersPolicyId']);
    expect(told.CustomHeadersConfig.Items).toEqual([
      { Header: 'Cache-Control', Value: 'private, no-store', Override: true },
    ]);
  });

  test('the bucket lets distributions of this account read published files, and nothing else', () => {
    const statements = resourcesOf(whole.templates.data, 'AWS::S3::BucketPolicy').flatMap(
      ([, { PolicyDocument }]) => PolicyDocument.Statement,
    );
    const allowed = statements.filter(({ Principal }: Properties) => Principal.Service === 'cloudfront.amazonaws.com');
    expect(allowed).toHaveLength(1);
    expect(allowed[0]).toMatchObject({
      Action: 's3:GetObject',
      Effect: 'Allow',
      Condition: { StringEquals: { 'AWS:SourceAccount': { Ref: 'AWS::AccountId' } } },
    });
    expect(JSON.stringify(allowed[0].Resource)).toMatch(/objects\/sha256\/\*/);
    expect(JSON.stringify(allowed[0].Condition.ArnLike)).toMatch(/cloudfront::.*:distribution\/\*/);
  });

  test('the functions that sign know the first key, and may read its private key', () => {
    const signing = service('AWS::Lambda::Function').filter(([, one]) => one['Environment'].Variables.FILES_URL);
    expect(signing.map(([id]) => id.split('Function')[0]).toSorted()).toEqual(['account', 'api', 'app', 'mcp']);
    const { FILES_URL, CLOUDFRONT_KEY_SECRET_ARN } = (signing as [[string, Properties]])[0][1]['Environment'].Variables;
    expect([FILES_URL, CLOUDFRONT_KEY_SECRET_ARN]).toEqual(['https://api.example.com', KEY_SECRET]);
  });

  test('a function that only signs for CloudFront may read no published file itself', () => {
    const reading = service('AWS::IAM::Policy').filter(([, one]) => JSON.stringify(one).includes('/objects/sha256/*'));
    expect(reading.map(([id]) => id.split('Role')[0])).toEqual(['downloads']);
  });

  test('a key of the operator’s own lets distributions of this account decrypt', () => {
    const { templates } = synthesized({
      ...domainOf('api'),
      ...FRONT,
      customerKeys: 'true',
      filesPublicKeys: keyFiles().join(','),
      filesKeySecretArn: KEY_SECRET,
    });
    templates.data.hasResourceProperties('AWS::KMS::Key', {
      KeyPolicy: {
        Statement: Match.arrayWith([
          Match.objectLike({
            Action: 'kms:Decrypt',
            Principal: { Service: 'cloudfront.amazonaws.com' },
            Condition: Match.objectLike({ StringEquals: { 'AWS:SourceAccount': { Ref: 'AWS::AccountId' } } }),
          }),
        ]),
      },
    });
  });

  test('without keys, the bucket lets no distribution read, and no function signs for CloudFront', () => {
    const { templates } = synthesized({ ...domainOf('api'), ...FRONT });
    expect(JSON.stringify(templates.data.toJSON())).not.toContain('cloudfront');
    expect(JSON.stringify(templates.service.toJSON())).not.toContain('FILES_URL');
  });
});
