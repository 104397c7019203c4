import { hash } from 'node:crypto';
import { Duration, Fn, Stack, Validations } from 'aws-cdk-lib';
import {
  CachedMethods,
  CachePolicy,
  CacheQueryStringBehavior,
  Distribution,
  HttpVersion,
  KeyGroup,
  PublicKey,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  Signing,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Option } from '../stage.ts';
import type { HostFunction } from './host-function.ts';

/** The query parameters with the name and the type of a file for S3. */
const OF_FILES = ['response-content-disposition', 'response-content-type'];

const EXPLAINED = {
  CFR1: 'Buyers may be anywhere; a shop that sells to some countries decides so itself.',
  CFR2: 'Each request needs a signature of the service, whose own limits bound how many it signs.',
  CFR3: 'CloudFront’s standard log has the query of each request, and with it the signature. The service logs each plan that it signs.',
  CFR4: 'The distribution has the name that CloudFront gives, whose certificate takes no other setting.',
} as const;

/** The distribution that serves published files, each by a URL that the service has signed. */
export class SignedFiles extends Construct {
  /** The variables that a process needs for signing. */
  readonly variables: Readonly<Record<string, string>>;
  /** The secret with the private key. */
  readonly keySecretArn: string;

  constructor(scope: Construct, id: string, { publicKeys, keySecretArn }: Option<'files'>, objectsExport: string) {
    super(scope, id);
    // CloudFront can't change a key, so another key is another resource.
    const keys = publicKeys.map(
      (encodedKey) => new PublicKey(this, `Key${hash('sha256', encodedKey, 'hex').slice(0, 8)}`, { encodedKey }),
    );
    const bucket = Bucket.fromBucketArn(this, 'Objects', Fn.importValue(objectsExport));
    const { originAccessControlId } = new S3OriginAccessControl(this, 'Access', { signing: Signing.SIGV4_ALWAYS });
    const distribution = new Distribution(this, 'Distribution', {
      comment: 'Account service, published files',
      httpVersion: HttpVersion.HTTP2_AND_3,
      defaultBehavior: {
        // The bucket's own stack lets CloudFront read, because it can't refer to a distribution that refers to the
        // bucket.
        origin: S3BucketOrigin.withBucketDefaults(bucket, { originAccessControlId }),
        viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
        cachedMethods: CachedMethods.CACHE_GET_HEAD,
        // The edge caches a file, and checks the signature of each request for it.
        cachePolicy: new CachePolicy(this, 'Kept', {
          minTtl: Duration.seconds(0),
          defaultTtl: Duration.days(1),
          maxTtl: Duration.days(365),
          queryStringBehavior: CacheQueryStringBehavior.allowList(...OF_FILES),
        }),
        // Caches behind CloudFront receive the same directives as from the URLs that S3 signs.
        responseHeadersPolicy: new ResponseHeadersPolicy(this, 'ForOne', {
          customHeadersBehavior: {
            customHeaders: [{ header: 'Cache-Control', value: 'private, no-store', override: true }],
          },
          securityHeadersBehavior: { contentTypeOptions: { override: true } },
        }),
        trustedKeyGroups: [new KeyGroup(this, 'Keys', { items: keys })],
        compress: false,
      },
    });
    Validations.of(distribution).acknowledge(
      ...Object.entries(EXPLAINED).map(([rule, reason]) => ({ id: `AwsSolutions-${rule}`, reason })),
    );
    this.keySecretArn = keySecretArn;
    this.variables = {
      FILES_URL: `https://${distribution.distributionDomainName}`,
      CLOUDFRONT_KEY_ID: keys[0]?.publicKeyId ?? '',
      CLOUDFRONT_KEY_SECRET_ARN: keySecretArn,
    };
  }

  /** Lets a function sign URLs. */
  letSign(to: HostFunction): void {
    to.allow(['secretsmanager:GetSecretValue'], this.keySecretArn);
    for (const [name, value] of Object.entries(this.variables)) to.function.addEnvironment(name, value);
  }
}

/**
 * Lets the distributions of this account read published files, without listing. It names no single distribution: the
 * bucket outlives the stack that creates it, so it can't refer to it.
 */
export const allowCloudFront = (objects: Bucket): void => {
  const { account, partition } = Stack.of(objects);
  objects.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: [objects.arnForObjects('objects/sha256/*')],
      conditions: {
        StringEquals: { 'AWS:SourceAccount': account },
        ArnLike: { 'AWS:SourceArn': `arn:${partition}:cloudfront::${account}:distribution/*` },
      },
    }),
  );
};
