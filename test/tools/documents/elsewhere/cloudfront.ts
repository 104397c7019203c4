import { all, type Elsewhere, type Reason } from './reason.ts';

const FRONT: Reason = {
  why: 'It needs an account of AWS; the distributions and their settings are synthesized instead.',
  by: ['infra/test/cloud-front.test.ts', 'infra/test/cloud-front-keys.test.ts'],
};

/** The commands that put CloudFront in front. */
export const AT_CLOUDFRONT: Elsewhere = {
  'docs/aws/cloudfront.md': all(FRONT, [
    `aws acm request-certificate --region us-east-1 --validation-method DNS --domain-name api.example.com \\
  --subject-alternative-names app.example.com account.example.com`,
    'npm run -s cdk -- deploy account-service-prod-service -c stage=prod -c cloudFront=beside',
    'curl -sS --connect-to "api.example.com:443:$FRONT:443" https://api.example.com/healthz',
    'aws secretsmanager create-secret --name account-service-prod-files-1 --secret-string file://.data-prod/keys/files.pem',
  ]),
};
