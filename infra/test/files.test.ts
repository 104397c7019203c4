import { describe, expect, test } from 'vitest';
import { keyFile } from './given.ts';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

const KEY_SECRET = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:files-AbCdEf';
const FILES = { publicKeys: [keyFile('new'), keyFile('old')], keySecretArn: KEY_SECRET };

const { service: template, data } = synthesized({ files: FILES }).templates;
const service = (type: string) => resourcesOf(template, type);

describe('files by CloudFront', () => {
  const [, { DistributionConfig: distribution }] = service('AWS::CloudFront::Distribution')[0] as [string, Properties];
  const behavior: Properties = distribution.DefaultCacheBehavior;
  const policyOf = (type: string, { Ref }: { readonly Ref: string }): Properties =>
    new Map(service(`AWS::CloudFront::${type}`)).get(Ref)?.[`${type}Config`] ?? {};

  test('every file needs a signature by a key of the group, and is served over HTTPS only from the bucket', () => {
    expect(distribution.CacheBehaviors).toBeUndefined();
    expect([behavior['ViewerProtocolPolicy'], distribution.Origins.length]).toEqual(['https-only', 1]);
    const [[group, { KeyGroupConfig }]] = service('AWS::CloudFront::KeyGroup') as [[string, Properties]];
    expect(behavior['TrustedKeyGroups']).toEqual([{ Ref: group }]);
    const made = service('AWS::CloudFront::PublicKey').map(([id]) => id);
    expect(KeyGroupConfig.Items.map(({ Ref }: { Ref: string }) => Ref).toSorted()).toEqual(made.toSorted());
    expect(made).toHaveLength(2);
    const [[, access]] = service('AWS::CloudFront::OriginAccessControl') as [[string, Properties]];
    expect(access['OriginAccessControlConfig']).toMatchObject({ SigningBehavior: 'always', SigningProtocol: 'sigv4' });
  });

  test('S3 gets the name and type of a file, and no cache behind CloudFront stores the file', () => {
    const { QueryStringsConfig } = policyOf('CachePolicy', behavior['CachePolicyId'])[
      'ParametersInCacheKeyAndForwardedToOrigin'
    ];
    expect(QueryStringsConfig).toEqual({
      QueryStringBehavior: 'whitelist',
      QueryStrings: ['response-content-disposition', 'response-content-type'],
    });
    expect(policyOf('ResponseHeadersPolicy', behavior['ResponseHeadersPolicyId']).CustomHeadersConfig.Items).toEqual([
      { Header: 'Cache-Control', Value: 'private, no-store', Override: true },
    ]);
  });

  test('the bucket lets only this account’s distributions read published files', () => {
    const statements = resourcesOf(data, 'AWS::S3::BucketPolicy').flatMap(
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

  test('the signing functions know the distribution and the first key, and may read its private part', () => {
    const signing = service('AWS::Lambda::Function').filter(([, one]) => one['Environment'].Variables.FILES_URL);
    expect(signing.map(([id]) => id.split('Function')[0]).toSorted()).toEqual(['account', 'api', 'app', 'mcp']);
    const [[, { Environment }]] = signing as [[string, Properties]];
    const { FILES_URL, CLOUDFRONT_KEY_ID, CLOUDFRONT_KEY_SECRET_ARN } = Environment.Variables;
    expect(JSON.stringify(FILES_URL)).toMatch(/https:\/\/.*FilesDistribution.*DomainName/);
    const [first] = service('AWS::CloudFront::KeyGroup')[0]?.[1].KeyGroupConfig.Items ?? [];
    expect([CLOUDFRONT_KEY_ID, CLOUDFRONT_KEY_SECRET_ARN]).toEqual([first, KEY_SECRET]);
    const readers = service('AWS::IAM::Policy').filter(([, one]) => JSON.stringify(one).includes(KEY_SECRET));
    expect(readers).toHaveLength(signing.length);
  });

  test('a function that only signs for CloudFront may read no published file, except the shop, which signs what it publishes', () => {
    const reading = service('AWS::IAM::Policy').filter(([, one]) => JSON.stringify(one).includes('/objects/sha256/*'));
    expect(reading.map(([id]) => id.split('Role')[0])).toEqual(['downloads', 'shop']);
  });

  test('without the setting no distribution may read the bucket, and no function signs for CloudFront', () => {
    const plain = synthesized().templates;
    expect(JSON.stringify([plain.data.toJSON(), plain.service.toJSON()])).not.toMatch(/cloudfront|FILES_URL/i);
  });
});
