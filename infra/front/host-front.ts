import { CfnOutput, Duration, Validations } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  HttpVersion,
  type IOrigin,
  OriginProtocolPolicy,
  OriginSslPolicy,
  PriceClass,
  SecurityPolicyProtocol,
  SSLMethod,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { CloudFront } from '../options/cloud-front.ts';
import type { Served } from '../routes.ts';
import { cachedPathsOf } from './cached-paths.ts';
import type { FrontPolicies } from './front-policies.ts';

export type HostFrontProps = {
  readonly settings: CloudFront;
  readonly policies: FrontPolicies;
  /** The secret that CloudFront shows. */
  readonly secret: ISecret;
  /** The public name of the host. */
  readonly name: string;
  /** The name of the same host in API Gateway, which DNS knows. */
  readonly originDomain: string;
  readonly behaviors: Readonly<Record<string, BehaviorOptions>>;
};

const PRICE_CLASSES = {
  all: PriceClass.PRICE_CLASS_ALL,
  '200': PriceClass.PRICE_CLASS_200,
  '100': PriceClass.PRICE_CLASS_100,
} as const satisfies Record<CloudFront['priceClass'], PriceClass>;

/** The hosts that people open in a browser. Elsewhere, a redirect would hide that a key was sent in the clear. */
const WITH_PAGES: readonly Served[] = ['account', 'design'];

/**
 * The errors that CloudFront keeps for ten seconds unless it is told otherwise. It gives a kept error to every caller
 * of the path, and for most of these it keeps it whatever the answer's Cache-Control says (Amazon CloudFront Developer
 * Guide, "Control how long CloudFront caches errors").
 */
const ERRORS = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** Seconds between two parts of an answer. Nothing behind CloudFront pauses that long. */
const ANSWER_SECONDS = 60;

/**
 * The distribution of one host. It asks API Gateway under the host's own name, so that the gateway's domain and its
 * mappings stay as they are without CloudFront.
 */
export class HostFront extends Construct {
  readonly distribution: Distribution;

  constructor(scope: Construct, host: Served, props: HostFrontProps) {
    super(scope, `${host}-front`);
    const { settings, policies, secret, name, originDomain, behaviors } = props;
    const origin = new HttpOrigin(originDomain, {
      protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
      originSslProtocols: [OriginSslPolicy.TLS_V1_2],
      readTimeout: Duration.seconds(ANSWER_SECONDS),
      keepaliveTimeout: Duration.seconds(60),
      // A reference, which CloudFormation resolves. The value is in no template.
      customHeaders: { 'X-Origin-Secret': secret.secretValue.unsafeUnwrap() },
    });
    const passed = this.#passed(host, origin, policies);
    this.distribution = new Distribution(this, 'Distribution', {
      comment: `Account service, ${name}`,
      domainNames: [name],
      certificate: Certificate.fromCertificateArn(this, 'Certificate', settings.certificateArn),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
      sslSupportMethod: SSLMethod.SNI,
      httpVersion: HttpVersion.HTTP2_AND_3,
      priceClass: PRICE_CLASSES[settings.priceClass],
      ...(settings.webAclArn !== undefined && { webAclId: settings.webAclArn }),
      errorResponses: ERRORS.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      defaultBehavior: passed,
      additionalBehaviors: { ...behaviors, ...this.#kept(host, passed, policies) },
    });
    new CfnOutput(this, 'Name', { value: this.distribution.distributionDomainName }).overrideLogicalId(
      `${host.charAt(0).toUpperCase()}${host.slice(1)}FrontName`,
    );
    this.#explain(settings);
  }

  /** Keeps no answer, joins no two requests for one, and passes everything on. */
  #passed(host: Served, origin: IOrigin, policies: FrontPolicies): BehaviorOptions {
    return {
      origin,
      viewerProtocolPolicy: WITH_PAGES.includes(host)
        ? ViewerProtocolPolicy.REDIRECT_TO_HTTPS
        : ViewerProtocolPolicy.HTTPS_ONLY,
      allowedMethods: AllowedMethods.ALLOW_ALL,
      cachePolicy: CachePolicy.CACHING_DISABLED,
      originRequestPolicy: policies.everything,
      compress: false,
    };
  }

  #kept(host: Served, passed: BehaviorOptions, policies: FrontPolicies): Record<string, BehaviorOptions> {
    return Object.fromEntries(
      cachedPathsOf(host).map(({ pattern, headers }) => [
        pattern,
        {
          ...passed,
          cachePolicy: policies.keeping(headers),
          originRequestPolicy: policies.little,
          responseHeadersPolicy: policies.withoutLimits,
          compress: true,
        },
      ]),
    );
  }

  #explain({ webAclArn }: CloudFront): void {
    Validations.of(this.distribution).acknowledge(
      {
        id: 'AwsSolutions-CFR1',
        reason: 'Buyers may be anywhere; a shop that sells to some countries decides so itself.',
      },
      {
        id: 'AwsSolutions-CFR3',
        reason:
          'CloudFront’s standard log has the query of each request, and with it signed URLs and sign-in codes. The functions log each request that reaches them, with the viewer’s address and without a query.',
      },
    );
    if (webAclArn !== undefined) return;
    Validations.of(this.distribution).acknowledge({
      id: 'AwsSolutions-CFR2',
      reason: 'Rates are limited by account and by address. A shop that pays for a WAF gives the ARN of its ACL.',
    });
  }
}
