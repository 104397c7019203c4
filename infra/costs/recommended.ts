import { synthesized } from '../test/synthesized.ts';
import { type StackSizes, sizesOf } from './sizes.ts';

const certificateArn = (id: string): string => `arn:aws:acm:eu-west-1:123456789012:certificate/${id}`;

/** The settings that docs/aws.md recommends. */
export const RECOMMENDED = {
  stage: 'prod',
  gateway: 'http',
  apiDomain: 'api.example.com',
  apiCertificateArn: certificateArn('api'),
  appDomain: 'app.example.com',
  appCertificateArn: certificateArn('app'),
  designDomain: 'design.example.com',
  designCertificateArn: certificateArn('design'),
  accountDomain: 'account.example.com',
  accountCertificateArn: certificateArn('account'),
  alarmEmail: 'operator@example.com',
} as const;

/** The sizes of the stacks with the recommended settings. */
export const recommendedSizes = (): StackSizes => sizesOf(synthesized(RECOMMENDED), RECOMMENDED.gateway);
