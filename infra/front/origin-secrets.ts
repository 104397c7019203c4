import { RemovalPolicy, Validations } from 'aws-cdk-lib';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';

const CHARACTERS = 48;

/**
 * The secrets by which the functions know CloudFront: the one that it shows, and the one before, which they accept
 * until every edge location shows the next. Secrets Manager makes them, so that nobody sees them. A deployment with the
 * next number makes a new one: CloudFormation reads a changed value in an existing secret only with another change.
 */
export class OriginSecrets extends Construct {
  /** The secret that CloudFront shows. */
  readonly shown: Secret;
  readonly accepted: readonly Secret[];

  constructor(scope: Construct, id: string, number: number) {
    super(scope, id);
    this.shown = this.#numbered(number);
    this.accepted = number > 1 ? [this.#numbered(number - 1), this.shown] : [this.shown];
  }

  #numbered(number: number): Secret {
    const secret = new Secret(this, `Number${number}`, {
      description: `Number ${number} of the secrets that CloudFront shows to the functions.`,
      generateSecretString: { passwordLength: CHARACTERS, excludePunctuation: true },
      removalPolicy: RemovalPolicy.DESTROY,
    });
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'A deployment with the next number makes a new secret. CloudFront would go on showing the old value of one that rotates by itself.',
    });
    return secret;
  }
}
