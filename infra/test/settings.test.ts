import { expect, test } from 'vitest';
import { CERTIFICATE, domainOf, FRONT, HOSTS, IMAGE, KEY_SECRET } from './front.ts';
import { type Context, stacksOf } from './synthesized.ts';

const { cloudFrontCertificateArn, ...NO_CERTIFICATE } = FRONT;
const NAMES = Object.assign({}, ...HOSTS.map(domainOf));

/** Settings that belong to a domain, with the domain. */
const named = (context: Context): Context => ({ ...domainOf('api'), ...context });

const REFUSED: readonly (readonly [Context, string])[] = [
  [{ stage: 'test' }, '-c stage takes dev or prod; it is "test".'],
  [{ apiDomain: 'api.example.com' }, '-c apiDomain and -c apiCertificateArn belong together; one of them is missing.'],
  [
    { upstreamIssuer: 'https://login.example.com' },
    '-c upstreamIssuer, -c upstreamClientId, -c upstreamName, and -c upstreamSecretArn belong together; one of them is missing.',
  ],
  [
    { restoredTable: 'restored' },
    '-c restoredTable is no setting any more; name the table by --parameters account-service-STAGE-data:TableInUse=NAME',
  ],
  [{ alarmEmial: 'a@example.com' }, '-c alarmEmial is no setting; there are accountCertificateArn, account'],
  [{ monthlyBudget: '200' }, 'set that too'],
  [{ probeProduct: '4' }, 'belong together'],
  [{ probeProduct: 'four', probeKeySecretArn: 'arn' }, 'takes a whole number'],
  [{ probe: 'off', probeProduct: '4', probeKeySecretArn: 'arn' }, 'leaves nothing'],
  [{ backupVaultArn: 'shop' }, '-c backupVaultArn takes the ARN of a backup vault such as'],
  [{ backupLockDays: '36' }, '-c backupLockDays takes a whole number from 1 to 35; it is "36".'],
  [
    { backupLockDays: '14', backupLockFinalAfterDays: '2' },
    '-c backupLockFinalAfterDays takes a whole number from 3 to 36500; it is "2".',
  ],
  [{ backupLockFinalAfterDays: '3' }, '-c backupLockFinalAfterDays needs -c backupLockDays'],
  [
    named(NO_CERTIFICATE),
    '-c cloudFront=true needs -c cloudFrontCertificateArn, the ARN of a certificate in us-east-1',
  ],
  [
    named({ ...NO_CERTIFICATE, cloudFrontCertificateArn: CERTIFICATE }),
    `-c cloudFrontCertificateArn takes the ARN of a certificate in us-east-1, where CloudFront looks for it; it is "${CERTIFICATE}".`,
  ],
  [{ ...domainOf('app'), ...FRONT }, '-c cloudFront=true needs -c apiDomain, because CloudFront stands in front of'],
  [{ cloudFrontCertificateArn }, '-c cloudFrontCertificateArn belongs to -c cloudFront=true, which is not given.'],
  [
    named({ ...FRONT, filesPublicKeys: 'none.pem', filesKeySecretArn: KEY_SECRET }),
    '-c filesPublicKeys takes files with an RSA public key of 2048 bits as PEM; "none.pem" holds none.',
  ],
  [
    named({ ...FRONT, filesKeySecretArn: KEY_SECRET }),
    '-c filesPublicKeys and -c filesKeySecretArn belong together; one of them is missing.',
  ],
  [{ containerImage: IMAGE }, '-c containerImage needs -c apiDomain'],
  [{ containerImage: 'account-service', ...NAMES }, '-c containerImage takes an image with its registry'],
  [{ containerTasks: '3' }, '-c containerTasks needs -c containerImage'],
  [
    { containerImage: IMAGE, containerTasks: '5', containerMostTasks: '4', ...NAMES },
    '-c containerMostTasks takes at least the 5 of -c containerTasks; it is "4".',
  ],
  [{ warmReadUnits: '11999' }, '-c warmReadUnits takes a whole number from 12000 to 1000000; it is "11999".'],
  [{ warmWriteUnits: '3999' }, '-c warmWriteUnits takes a whole number from 4000 to 1000000; it is "3999".'],
  [
    { reservedConcurrency: '7' },
    '-c reservedConcurrency is no setting any more; set each function’s own, such as -c downloadsConcurrency=100.',
  ],
  [
    { downloadsConcurrency: 'many' },
    '-c downloadsConcurrency takes a whole number from 1 to 9999, or off; it is "many".',
  ],
  [{ throttleRate: '0' }, '-c throttleRate takes a whole number from 1 to 1000000; it is "0".'],
  [{ wafRate: '100' }, '-c wafRate has an effect with -c waf=true only.'],
  [{ waf: 'true', wafRate: '9' }, '-c wafRate takes a whole number from 10 to 2000000000; it is "9".'],
  [{ gateway: 'grpc' }, '-c gateway takes rest or http; it is "grpc".'],
  [{ gateway: 'http' }, '-c gateway=http needs -c apiDomain, because the HTTP API and the REST API'],
  [named({ gateway: 'http', waf: 'true' }), '-c gateway=http with -c waf=true needs -c cloudFront=true'],
  [
    named({ ...FRONT, gateway: 'http', waf: 'true' }),
    '-c gateway=http with -c waf=true needs -c cloudFront=true, -c apiDomain and -c appDomain, because',
  ],
  [{ pipelineRepository: 'shop' }, '-c pipelineRepository takes OWNER/NAME of a repository on GitHub; it is "shop".'],
  [{ pipelineProviderArn: 'arn:aws:iam::1:oidc-provider/a' }, '-c pipelineProviderArn '],
  [
    { pipelineRepository: 'shop/account-service', pipelineProviderArn: 'github' },
    '-c pipelineProviderArn takes the ARN of',
  ],
  [{ apiProvisioned: '0' }, 'takes a whole number from 1'],
  [{ replayProvisioned: '1' }, 'no setting'],
  [{ apiProvisioned: '1', deployment: 'canary' }, 'exclude each other'],
  [{ apiProvisioned: '8', apiConcurrency: '7' }, 'at most 7'],
];

test.each(REFUSED)('the settings %j are refused in one sentence', (context, sentence) => {
  expect(() => stacksOf(context)).toThrow(sentence);
});
