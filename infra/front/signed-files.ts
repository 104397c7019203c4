import { hash } from 'node:crypto';
import { Duration, Fn } from 'aws-cdk-lib';
import {
  type BehaviorOptions,
  CachedMethods,
  CachePolicy,
  CacheQueryStringBehavior,
  KeyGroup,
  PublicKey,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  Signing,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { HostFunction } from '../constructs/host-function.ts';
import type { SignedFiles as Settings } from '../options/cloud-front.ts';

/** The part of the bucket that signed URLs lead to, and no other. */
export const FILES_PATTERN = '/objects/sha256/*';

/** The parts of a query by which S3 is told the name and the type of a file. */
const OF_FILES = ['response-content-disposition', 'response-content-type'];

export type SignedFilesProps = {
  readonly settings: Settings;
  /** The name under which the data stack exports the bucket's ARN. */
  readonly objectsExport: string;
  /** The public address of the API host. */
  readonly url: string;
};

/** The keys of signed URLs, and the behaviour that demands a signature for each file. */
export class SignedFiles extends Construct {
  readonly behavior: BehaviorOptions;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #keySecretArn: string;

  constructor(scope: Construct, id: string, { settings, objectsExport, url }: SignedFilesProps) {
    super(scope, id);
    // CloudFront changes no key, so that another key is another resource.
    const keys = settings.publicKeys.map(
      (encodedKey) => new PublicKey(this, `Key${hash('sha256', encodedKey, 'hex').slice(0, 8)}`, { encodedKey }),
    );
    const group = new KeyGroup(this, 'Keys', { items: keys });
    const access = new S3OriginAccessControl(this, 'Access', { signing: Signing.SIGV4_ALWAYS });
    const bucket = Bucket.fromBucketArn(this, 'Objects', Fn.importValue(objectsExport));
    this.behavior = {
      // The bucket's own stack lets CloudFront read, because it can't know of a distribution that knows of the bucket.
      origin: S3BucketOrigin.withBucketDefaults(bucket, { originAccessControlId: access.originAccessControlId }),
      viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
      cachedMethods: CachedMethods.CACHE_GET_HEAD,
      // The edge keeps a file, and checks the signature of each request for it.
      cachePolicy: new CachePolicy(this, 'Kept', {
        minTtl: Duration.seconds(0),
        defaultTtl: Duration.days(1),
        maxTtl: Duration.days(365),
        queryStringBehavior: CacheQueryStringBehavior.allowList(...OF_FILES),
      }),
      // Every cache behind CloudFront is told what the URLs that S3 signs tell it.
      responseHeadersPolicy: new ResponseHeadersPolicy(this, 'ForOne', {
        customHeadersBehavior: {
          customHeaders: [{ header: 'Cache-Control', value: 'private, no-store', override: true }],
        },
        securityHeadersBehavior: { contentTypeOptions: { override: true } },
      }),
      trustedKeyGroups: [group],
      compress: false,
    };
    this.#keySecretArn = settings.keySecretArn;
    this.#environment = {
      FILES_URL: url,
      CLOUDFRONT_KEY_ID: keys[0]?.publicKeyId ?? '',
      CLOUDFRONT_KEY_SECRET_ARN: settings.keySecretArn,
    };
  }

  /** Lets a function sign URLs. */
  letSign(to: HostFunction): void {
    to.allow(['secretsmanager:GetSecretValue'], this.#keySecretArn);
    for (const [name, value] of Object.entries(this.#environment)) to.function.addEnvironment(name, value);
  }
}
