import { Aws, CfnOutput, Duration, RemovalPolicy, SecretValue, Stack, Validations } from 'aws-cdk-lib';
import { AttributeType, Billing, TableEncryptionV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  HttpMethods,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { Construct } from 'constructs';
import { allowCloudFront } from '../constructs/signed-files.ts';
import { rememberNames, storeTableInUse } from '../in-use.ts';
import type { Stage } from '../stage.ts';

/** Holds the data that outlives the other stacks: the table, the files and the signing keys. */
export class DataStack extends Stack {
  readonly table: TableV2;
  readonly objects: Bucket;
  readonly licenseKey: Secret;
  readonly artifactKey: Secret;
  readonly policyKeys: Secret;
  /** The name under which the bucket's ARN is exported. */
  readonly objectsExport: string;

  constructor(scope: Construct, id: string, stage: Stage) {
    super(scope, id, { terminationProtection: stage.keepData });
    // A failed first deployment deletes everything that it created, so that the next one starts clean.
    const removalPolicy = stage.keepData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;

    this.table = new TableV2(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      timeToLiveAttribute: 'ttl',
      billing: Billing.onDemand(),
      // A license check takes six read units and one write unit. No table supports fewer than 4,000 writes.
      ...(stage.warmReads !== undefined && {
        warmThroughput: {
          readUnitsPerSecond: stage.warmReads,
          writeUnitsPerSecond: Math.max(4000, Math.ceil(stage.warmReads / 6)),
        },
      }),
      encryption: TableEncryptionV2.dynamoOwnedKey(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: stage.keepData,
      removalPolicy,
    });

    const closed: BucketProps = {
      blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
      encryption: BucketEncryption.S3_MANAGED,
      enforceSSL: true,
      minimumTLSVersion: 1.2,
      objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
      removalPolicy,
      // CloudFormation can't delete a bucket with files.
      autoDeleteObjects: !stage.keepData,
    };
    // S3 writes its logs hours later, into a bucket that was just emptied for deletion, so `dev` has none.
    const accessLogs = stage.keepData
      ? new Bucket(this, 'ObjectAccessLogs', {
          ...closed,
          lifecycleRules: [{ expiration: Duration.days(stage.logDays) }],
        })
      : undefined;
    this.objects = new Bucket(this, 'Objects', {
      ...closed,
      versioned: true,
      // The console's script uploads releases, which exceed what a function takes, by requests that the shop host signs.
      cors: [
        {
          allowedMethods: [HttpMethods.PUT],
          allowedOrigins: [
            stage.domains.shop ? `https://${stage.domains.shop}` : `https://*.execute-api.${Aws.REGION}.amazonaws.com`,
          ],
          allowedHeaders: ['*'],
          maxAge: 3600,
        },
      ],
      ...(accessLogs && { serverAccessLogsBucket: accessLogs }),
      lifecycleRules: [
        { id: 'uploads-that-broke-off', abortIncompleteMultipartUploadAfter: Duration.days(1) },
        {
          id: 'uploads-that-were-never-checked',
          prefix: 'incoming/',
          expiration: Duration.days(1),
          noncurrentVersionExpiration: Duration.days(1),
        },
        {
          id: 'files-of-reports',
          prefix: 'objects/reports/',
          expiration: Duration.days(90),
          noncurrentVersionExpiration: Duration.days(1),
        },
        { id: 'versions-that-were-replaced', noncurrentVersionExpiration: Duration.days(90) },
      ],
    });

    Validations.of(accessLogs ?? this.objects).acknowledge({
      id: 'AwsSolutions-S1',
      reason: 'Logs of accesses to the logs would never end, and `dev` holds nothing of value.',
    });

    if (stage.files) allowCloudFront(this.objects);

    this.objectsExport = `${this.stackName}-objects`;
    this.exportValue(this.objects.bucketArn, { name: this.objectsExport });

    this.licenseKey = this.#signingKey(
      'LicenseKey',
      'Signs license tokens: a ring of keys, which "signing-key" changes.',
      removalPolicy,
    );
    this.artifactKey = this.#signingKey(
      'ArtifactKey',
      'Signs released files, where they are published: a ring of keys, which "signing-key" changes.',
      removalPolicy,
    );

    this.policyKeys = this.#policyKeys(removalPolicy);

    // A protected table can't be deleted with a failed deployment, so it is created last.
    this.table.node.addDependency(
      accessLogs ?? this.objects,
      this.objects,
      this.licenseKey,
      this.artifactKey,
      this.policyKeys,
    );
    rememberNames(this, stage);
    const outputs = {
      TableName: storeTableInUse(this, stage, this.table),
      BucketName: this.objects.bucketName,
      LicenseKeySecretArn: this.licenseKey.secretArn,
      ArtifactKeySecretArn: this.artifactKey.secretArn,
      PolicyKeysSecretArn: this.policyKeys.secretArn,
    };
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(this, name, { value });
  }

  /** Starts with a random text, with which no function starts. docs/aws.md shows how to store a key there. */
  #signingKey(id: string, description: string, removalPolicy: RemovalPolicy): Secret {
    return this.#changedByPlan(new Secret(this, id, { description, removalPolicy }));
  }

  /** Starts with an empty ring, which is not secret. The policy is not signed until the command line adds a key. */
  #policyKeys(removalPolicy: RemovalPolicy): Secret {
    const description = 'Signs the client policy: a ring of Ed25519 keys as JSON, which "signing-key" changes.';
    const secretStringValue = SecretValue.unsafePlainText('{"keys": []}');
    const props = { description, secretStringValue, removalPolicy };
    return this.#changedByPlan(new Secret(this, 'SigningKeys', props));
  }

  #changedByPlan(secret: Secret): Secret {
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Clients verify offline with the public key. An operator changes a key by plan, and publishes the next one first.',
    });
    return secret;
  }
}
