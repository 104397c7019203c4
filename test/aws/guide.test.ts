import { expect, test } from 'vitest';
import type { Plan } from '../tools/documents/plan.ts';
import { readDocuments } from '../tools/documents/read.ts';
import { runDocument, runnable } from '../tools/documents/run.ts';
import { newBucket } from './support/buckets.ts';
import { newSecret } from './support/secrets.ts';
import { newTable } from './support/tables.ts';

/** The random text that CloudFormation puts into a new secret. */
const UNUSED = "aB3$kZ9!pQ7&xW2#mN5%vL8(rT4)yU1'";

const OF_SDK = Object.entries(process.env).filter(([name]) => name.startsWith('AWS_'));

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The result of a deployment: a table, a bucket, the secrets as CloudFormation fills them, and the addresses. */
const deployed = async () => {
  const [TableName, BucketName, PolicyKeysSecretArn, LicenseKeySecretArn, ArtifactKeySecretArn] = await Promise.all([
    newTable(),
    newBucket(),
    newSecret('{"keys": []}'),
    newSecret(UNUSED),
    newSecret(UNUSED),
  ]);
  const outputs = {
    TableName,
    BucketName,
    PolicyKeysSecretArn,
    LicenseKeySecretArn,
    ArtifactKeySecretArn,
    ApiUrl: 'http://127.0.0.1:8787',
    ApiTarget: 'd-0123456789.execute-api.eu-west-1.amazonaws.com',
  };
  const cases = Object.entries(outputs).map(([name, value]) => `${name}) echo ${quoted(value)};;`);
  return { outputs, out: `out() { case "$2" in ${cases.join(' ')} *) return 1;; esac; }` };
};

/** The environment variables with which the SDK finds the local servers. */
const exported = OF_SDK.map(([name, value = '']) => `export ${name}=${quoted(value)}`).join('\n');

test('each command of the AWS guide that needs only a table, a bucket and secrets ends as documented, in order', async () => {
  const [doc] = readDocuments().filter(({ name }) => name === 'docs/aws.md');
  if (!doc) throw new Error('There is no guide to AWS.');
  const { outputs, out } = await deployed();
  const plan: Plan = {
    store: 'none',
    before: {
      'export STORE=dynamodb': [exported, out],
      'curl -sS "$API_URL/healthz"': ['SAMPLE_STORE=never npm start'],
      // The server has read the catalog before the import. A new one reads it immediately instead of after 30 seconds.
      'curl -sS -X POST "$API_URL': ['SAMPLE_STORE=never npm start'],
      'collect show': [
        'TOKEN=$(npm run -s cli -- agent-token create --role collect --name drill --json | jq -r .token)',
        'DESIGN=http://127.0.0.1:8788/api/agent/collect/runs',
        `AUTH="Authorization: Bearer $TOKEN"; JSON='Content-Type: application/json'`,
        `RUN=$(curl -sS $DESIGN -H "$AUTH" -H "$JSON" -d '{"viewports": ["desktop"], "langs": ["en"], "apps": null}' | jq .run.id)`,
        'curl -sS -X POST $DESIGN/$RUN/submit -H "$AUTH"',
      ],
    },
    values: {
      'shop.json': 'examples/store/store.json',
      '--account ACCOUNT': (said) => `--account ${JSON.parse(said('account add')).id}`,
      'product PRODUCT': 'product 4',
      '"product_id": PRODUCT': '"product_id": 4',
      $KEY: (said) => JSON.parse(said('key create')).key,
      'show RUN': 'show $RUN',
      'replay RUN': 'replay $RUN',
      // A restore to this moment has the table's content.
      'account-service-restored': outputs.TableName,
      'revoke ID': (said) => `revoke ${JSON.parse(said('key create')).id}`,
    },
    prints: {
      'signing-key create --use license': /signs license tokens from now on/,
      'signing-key create --use artifact': /signs files of releases from now on/,
      'signing-key create --use policy': /signs the client policy from now on/,
      'curl -sS -X POST "$API_URL': /"valid": ?true/,
    },
  };
  const faults = await runDocument(doc, plan, '', runnable(doc));
  expect(faults.join('\n')).toBe('');
}, 600_000);
