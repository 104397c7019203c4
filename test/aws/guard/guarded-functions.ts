import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FUNCTIONS, type FunctionName } from '../../../infra/bundles/functions.ts';
import { placesOf, statementsByFunction, variablesOf } from '../../../infra/test/iam/policies.ts';
import { synthesized } from '../../../infra/test/synthesized.ts';
import { deployedBundles } from '../../lambda/deployed-bundles.ts';
import { type LambdaMount, openLambdaMount } from '../../lambda/lambda-mount.ts';
import { sendMail } from '../../lambda/mail-suite.ts';
import { CLIENT } from '../../support/openid-upstream.ts';
import type { MountSettings } from '../../surface/mount.ts';
import { awsEngines } from '../support/engines.ts';
import { SENDER, verifySender } from '../support/mail.ts';
import { type Guard, openGuard } from './guard.ts';

/** The settings with which the AWS SDK in the functions finds the local servers. */
const OF_SDK = Object.entries(process.env).filter((entry): entry is [string, string] => entry[0].startsWith('AWS_'));

export type GuardedFunctions = {
  readonly guards: Readonly<Record<FunctionName, Guard>>;
  /** Opens the functions of the stack on an empty table and bucket, each behind its guard. */
  readonly open: (settings?: MountSettings) => Promise<LambdaMount>;
  /** The request log lines of every mount. */
  readonly requestLines: () => Readonly<Record<string, unknown>>[];
  readonly close: () => Promise<void>;
};

/** Synthesizes the stack and opens a guard for each of its functions. */
export const openGuardedFunctions = async (upstreamPort: number): Promise<GuardedFunctions> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-service-guarded-'));
  const prod = synthesized({ stage: 'prod' });
  const [statements, places] = [statementsByFunction(prod), placesOf(prod)];
  await verifySender(SENDER);
  await deployedBundles(join(folder, 'bundles'));
  const opened = await Promise.all(FUNCTIONS.map(async (name) => [name, await openGuard(statements[name], places)]));
  const guards = Object.fromEntries(opened) as Record<FunctionName, Guard>;
  const mounts: LambdaMount[] = [];

  const open = async (settings: MountSettings = {}): Promise<LambdaMount> => {
    const data = await mkdtemp(join(folder, 'data-'));
    const mail = { MAIL: 'ses', MAIL_FROM: SENDER };
    const env = { ...Object.fromEntries(OF_SDK), ...(await awsEngines()), ...mail, DATA_DIR: data };
    const own = (name: FunctionName): Record<string, string> => ({
      AWS_ENDPOINT_URL_DYNAMODB: guards[name].url,
      AWS_ENDPOINT_URL_S3: guards[name].url,
      // The functions that sign also read the policy's keys, which are files here, so that a change takes effect within
      // a second.
      ...(!variablesOf(prod, name).includes('LICENSE_KEY_SECRET_ARN') && {
        LICENSE_KEY_SECRET_ARN: '',
        DATA_DIR: join(data, name),
      }),
      ...(name === 'account' && {
        UPSTREAM_ISSUER: `http://127.0.0.1:${upstreamPort}`,
        UPSTREAM_NAME: 'The shop',
        UPSTREAM_CLIENT_ID: CLIENT.id,
        UPSTREAM_CLIENT_SECRET: CLIENT.secret,
      }),
    });
    const mount = await openLambdaMount(env, settings, { bundles: join(folder, 'bundles'), own });
    mounts.push(mount);
    // The messages that a mount's suites cause are sent at its end, so that each kind of message tests its sender's
    // permissions.
    const closeAfterMail = async (): Promise<void> => {
      await sendMail(mount);
      await mount.close();
    };
    return { ...mount, close: closeAfterMail };
  };
  const close = async (): Promise<void> => {
    for (const name of FUNCTIONS) guards[name].close();
    await rm(folder, { recursive: true, force: true });
  };
  return { guards, open, requestLines: () => mounts.flatMap((mount) => [...mount.requestLines()]), close };
};
