import { expect, test } from 'vitest';
import { ALL_NAMES, IMAGE, keyFile, named } from './given.ts';
import { type Given, stacksOf } from './synthesized.ts';

const { certificateArn, ...NO_CERTIFICATE } = ALL_NAMES;
const ARN = 'arn:aws:secretsmanager:eu-west-1:123456789012:secret:one-AbCdEf';
const container = { image: IMAGE };

const REFUSED: readonly (readonly [Given, string])[] = [
  [{ alarmEmial: 'a@example.com' }, '"alarmEmial" is no setting; there are alarmEmail, backup, certificateArn,'],
  [{ alarmEmail: 7 }, '"alarmEmail" takes a text; it is 7.'],
  [NO_CERTIFICATE, '"domains" needs "certificateArn", the ARN of a certificate of ACM for all these names.'],
  [
    { certificateArn, domains: { api: 'https://a.b' } },
    '"domains.api" takes a name such as api.shop.example.com; it is',
  ],
  [{ certificateArn, domains: { store: 'shop.b' } }, '"domains.store" is no setting; there are account, api,'],
  [{ mail: { from: 'Shop' } }, '"mail.from" takes an address such as shop@example.com; it is "Shop".'],
  [{ domains: 'shop.b' }, '"domains" takes an object; it is "shop.b".'],
  [{ variables: { CORS_ORIGIN: '*' } }, '"variables.CORS_ORIGIN" is no setting; there are AUDIT_DAYS,'],
  [{ variables: { TABLE_NAME: 'mine' } }, '"variables.TABLE_NAME" is no setting'],
  [{ upstream: { issuer: 'https://login.example.com' } }, '"upstream.clientId" is missing.'],
  [{ monthlyBudget: 200 }, '"monthlyBudget" mails to "alarmEmail"; set that too.'],
  [{ throttle: 19 }, '"throttle" takes a whole number from 20 to 1000000; it is 19.'],
  [{ instances: 9 }, '"instances" takes a whole number from 10 to 1000000; it is 9.'],
  [{ wafRate: '10000' }, '"wafRate" takes a whole number from 10 to 2000000000; it is "10000".'],
  [{ probe: { keySecretArn: ARN } }, '"probe.product" is missing.'],
  [{ probe: { product: 'four', keySecretArn: ARN } }, '"probe.product" takes a whole number'],
  [{ probe: { product: 4 } }, '"probe.keySecretArn" is missing.'],
  ...['arn:aws:secretsmanager:eu-west-1:123456789012:secret:one', 'one-AbCdEf'].map(
    (secretArn) =>
      [
        { ...ALL_NAMES, container, webhooks: { secretArn } },
        `"webhooks.secretArn" takes the ARN of a secret with the six characters at its end, as "aws secretsmanager list-secrets" has it; it is "${secretArn}".`,
      ] as const,
  ),
  [{ deployment: 'slow' }, '"deployment" takes "allAtOnce" or "canary"; it is "slow".'],
  [{ backup: { copyTo: 'shop' } }, '"backup.copyTo" takes the ARN of a backup vault; it is "shop".'],
  [{ backup: { every: 'hour' } }, '"backup.every" takes "day" or "week"; it is "hour".'],
  [{ files: { publicKeys: ['none.pem'], keySecretArn: ARN } }, 'none.pem'],
  [
    { files: { publicKeys: [], keySecretArn: ARN } },
    '"files.publicKeys" takes a list of files, at least one; it is [].',
  ],
  [{ files: { publicKeys: [keyFile('one')] } }, '"files.keySecretArn" is missing.'],
  [{ container }, '"container" needs "domains.api", because the container tells the hosts by their names.'],
  [{ ...named('api', 'app', 'design'), container }, '"container" needs "domains.account"'],
  [{ ...ALL_NAMES, container: { image: 'account-service' } }, '"container.image" takes an image with its registry'],
  [
    { ...ALL_NAMES, container: { ...container, leastTasks: 5, mostTasks: 4 } },
    '"container.mostTasks" takes a whole number from 5 to 1000; it is 4.',
  ],
  [{ pipeline: { repository: 'shop' } }, '"pipeline.repository" takes OWNER/NAME of a repository on GitHub; it is'],
  [
    { pipeline: { repository: 'shop/account-service', providerArn: 'github' } },
    '"pipeline.providerArn" takes the ARN of the account',
  ],
];

test.each(REFUSED)('the settings %j are refused in one sentence', (given, sentence) => {
  expect(() => stacksOf(given)).toThrow(sentence);
});
