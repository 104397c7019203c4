import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { PUBLIC_HOSTS } from '../ports/inbound/hosts.ts';
import { SERVED } from './routes.ts';

const OR = new Intl.ListFormat('en', { type: 'disjunction' });

const shown = (value: unknown): string => JSON.stringify(value);
const named = (...path: readonly PropertyKey[]): string => `"${path.join('.')}"`;

/** A value in a format. A refusal is one sentence that describes the format in these words. */
const formOf = <T>(takes: string, holds: (value: unknown) => boolean) =>
  z.custom<T>(holds, {
    error: ({ path = [], input }) =>
      input === undefined
        ? `${named(...path)} is missing.`
        : `${named(...path)} takes ${takes}; it is ${shown(input)}.`,
  });

const text = (takes = 'a text', pattern = /\S/) =>
  formOf<string>(takes, (value) => typeof value === 'string' && pattern.test(value));

const whole = (least: number, most: number) =>
  formOf<number>(
    `a whole number from ${least} to ${most}`,
    (value) => Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
  );

const oneOf = <const V extends string>(...values: readonly V[]) =>
  formOf<V>(OR.format(values.map(shown)), (value) => values.includes(value as V));

/** Related settings. An unknown name is refused, so that a misspelled setting does not silently keep its default. */
const settings = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: ({ path = [], input, ...issue }) =>
      issue.code === 'unrecognized_keys'
        ? `${named(...path, ...issue.keys.slice(0, 1))} is no setting; there are ${Object.keys(shape).toSorted().join(', ')}.`
        : `${path.length === 0 ? 'The file of a stage' : named(...path)} takes an object; it is ${shown(input)}.`,
  });

/** Texts by these names, all optional. */
const textsBy = <N extends string>(names: readonly N[], form: ReturnType<typeof text>) =>
  settings(
    Object.fromEntries(names.map((name) => [name, form.optional()])) as Record<N, z.ZodOptional<typeof form>>,
  ).optional();

const NAMES = ['dev', 'prod'] as const;
export type StageName = (typeof NAMES)[number];

/**
 * The throttle protects the account's instances and its bill, and leaves single callers to the service's own limits and
 * to WAF. 2,000 requests a second of 100 ms take 200 of the 1,000 instances that an account has by default, and an hour
 * of that flood costs about $40.
 */
const DEFAULTS = {
  dev: { keepData: false, logDays: 14, throttle: 200 },
  prod: { keepData: true, logDays: 90, throttle: 2000 },
} as const;

const VARIABLES = [
  'AUDIT_DAYS',
  'CLIENT_DOCUMENTS',
  'COLLECT_LEASE_SECONDS',
  'CORS_ORIGINS',
  'GALLERY_DOCUMENTS',
  'KEYS_PER_SCOPE',
  'LOG_ADDRESSES',
  'LOG_LEVEL',
  'PASSWORD_SIGN_IN',
  'RATE_LIMIT_AGENT_PER_MINUTE',
  'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
  'RATE_LIMIT_FILES_PER_MINUTE',
  'RATE_LIMIT_PER_MINUTE',
];

const MOST_TASKS = 1000;

/** The files of the stages, and of the public keys that they name. */
export const STAGES = join(import.meta.dirname, 'stages');

/** The public key in a file, as PEM. If the file has a private key, only its public key is used. */
const publicKeyIn = (file: string): string => {
  const key = createPublicKey(readFileSync(resolve(STAGES, file), 'utf8'));
  if (key.asymmetricKeyType === 'rsa' && key.asymmetricKeyDetails?.modulusLength === 2048) {
    return key.export({ type: 'spki', format: 'pem' }) as string;
  }
  throw new Error(`"files.publicKeys" takes files with an RSA public key of 2048 bits as PEM; "${file}" holds none.`);
};

/** A secret. The permission to read it names the whole ARN, so every function would be refused with a partial one. */
const secretArn = text(
  'the ARN of a secret with the six characters at its end, as "aws secretsmanager list-secrets" has it',
  /^arn:aws[a-z-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}$/,
);

/** The settings of a stage, which docs/aws.md lists. */
const SETTINGS = settings({
  /** The hosts' own names. The account host and the legacy host exist only with one. */
  domains: textsBy(SERVED, text('a name such as api.shop.example.com', /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/)),
  /** The ACM certificate for all names, in the stage's region. */
  certificateArn: text().default(''),
  alarmEmail: text().optional(),
  /** In dollars. */
  monthlyBudget: whole(1, 1_000_000).optional(),
  /** Variables of the service that every function and the container have, as docs/running.md lists them. */
  variables: textsBy(VARIABLES, text()),
  /** A changed value makes every function and task read its secrets again. */
  secretsRead: text().optional(),
  /** The OpenID Connect provider of the shop's customers. The secret is the plain client secret. */
  upstream: settings({ issuer: text(), clientId: text(), name: text(), secretArn }).optional(),
  /** The secret with the signing secrets of webhooks, as a JSON object by variable. */
  webhooks: settings({ secretArn }).optional(),
  /** The sender address of messages to buyers, which SES must have verified. Without it none are sent. */
  mail: settings({
    from: text('an address such as shop@example.com', /^[^\s@]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/),
  }).optional(),
  /** The requests per second of all callers together that API Gateway accepts. */
  throttle: whole(20, 1_000_000).optional(),
  /** The account's Lambda quota of concurrent instances. */
  instances: whole(10, 1_000_000).default(1000),
  /**
   * The read units per second that the table must support immediately, with a sixth as many writes; undefined for those
   * of a new table.
   */
  warmReads: whole(12_000, 1_000_000).optional(),
  /** The requests of one address in five minutes that AWS WAF accepts; undefined for no WAF. */
  wafRate: whole(10, 2_000_000_000).optional(),
  /**
   * CloudFront for published files: files of RSA public keys as PEM, which all verify URLs, and the secret with the
   * first one's private key, which signs.
   */
  files: settings({
    publicKeys: formOf<string[]>(
      'a list of files, at least one',
      (value) => Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string'),
    ),
    keySecretArn: secretArn,
  }).optional(),
  /** The product whose license the probe checks, and the secret with its key. */
  probe: settings({ product: whole(1, Number.MAX_SAFE_INTEGER), keySecretArn: secretArn }).optional(),
  deployment: oneOf('allAtOnce', 'canary').default('allAtOnce'),
  /** Copies of table and files in a vault of AWS Backup, each kept for `keepDays`, and copied to another vault. */
  backup: settings({
    every: oneOf('day', 'week').default('day'),
    keepDays: whole(1, 36_500).default(35),
    copyTo: text(
      'the ARN of a backup vault',
      /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
    ).optional(),
  }).optional(),
  /** The container of infra/machine/Containerfile, as tasks that answer for every host. */
  container: settings({
    image: text(
      'an image with its registry and its tag or digest, such as 123456789012.dkr.ecr.eu-west-1.amazonaws.com/account-service:0.1.0',
      /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/,
    ),
    architecture: oneOf('arm64', 'x86_64').default('arm64'),
    leastTasks: whole(1, MOST_TASKS).default(2),
    mostTasks: whole(1, MOST_TASKS).optional(),
  }).optional(),
  /** A repository on GitHub, and the provider of its tokens if the AWS account already has one. */
  pipeline: settings({
    repository: text('OWNER/NAME of a repository on GitHub', /^[\w-]{1,39}\/[\w.-]{1,100}$/),
    providerArn: text(
      "the ARN of the account's provider token.actions.githubusercontent.com",
      /^arn:aws[a-z-]*:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/,
    ).optional(),
  }).optional(),
});

/** The stage with these settings. Throws a one-sentence error if one is invalid. */
export const stageOf = (name: StageName, given: unknown) => {
  const parsed = SETTINGS.safeParse(given);
  if (!parsed.success) throw new Error(parsed.error.issues[0]?.message);
  const { deployment, throttle, files, container, domains = {}, variables = {}, secretsRead, ...others } = parsed.data;
  const defaults = DEFAULTS[name];
  const leastTasks = container?.leastTasks ?? 0;
  const mostTasks = container?.mostTasks ?? Math.max(10, leastTasks);
  const stage = {
    ...others,
    name,
    domains,
    /** True if the data outlives its stack and can't be deleted by mistake. */
    keepData: defaults.keepData,
    logDays: defaults.logDays,
    throttle: throttle ?? defaults.throttle,
    variables: { ...(variables as Record<string, string>), ...(secretsRead && { SECRETS_READ: secretsRead }) },
    canary: deployment === 'canary',
    files: files && { ...files, publicKeys: files.publicKeys.map(publicKeyIn) },
    container: container && { ...container, mostTasks },
  };
  if (Object.keys(domains).length > 0 && stage.certificateArn === '') {
    throw new Error('"domains" needs "certificateArn", the ARN of a certificate of ACM for all these names.');
  }
  if (stage.monthlyBudget !== undefined && stage.alarmEmail === undefined) {
    throw new Error('"monthlyBudget" mails to "alarmEmail"; set that too.');
  }
  if (mostTasks < leastTasks) {
    throw new Error(
      `"container.mostTasks" takes a whole number from ${leastTasks} to ${MOST_TASKS}; it is ${mostTasks}.`,
    );
  }
  const nameless = PUBLIC_HOSTS.find((host) => domains[host] === undefined);
  if (container && nameless !== undefined) {
    throw new Error(`"container" needs "domains.${nameless}", because the container tells the hosts by their names.`);
  }
  return stage;
};

export type Stage = Readonly<ReturnType<typeof stageOf>>;
/** A setting with several fields. */
export type Option<N extends 'files' | 'container' | 'backup' | 'pipeline' | 'mail'> = Readonly<NonNullable<Stage[N]>>;

/** A setting of ours. The names in the CDK's own context contain a hyphen, a colon or an at sign. */
const OURS = /^[a-z][A-Za-z0-9]*$/;

/**
 * The stage that `-c stage=prod` names; `dev` by default. Every command of a stage reads the same file, so no command
 * can omit a setting. Throws a one-sentence error if the file is missing, or a setting is on the command line.
 */
export const readStage = (app: App, folder: string = STAGES): Stage => {
  const context: Readonly<Record<string, unknown>> = app.node.getAllContext();
  const given = context['stage'] ?? 'dev';
  const name = NAMES.find((one) => one === given);
  if (name === undefined) throw new Error(`-c stage takes dev or prod; it is "${given}".`);
  const other = Object.keys(context).find((one) => one !== 'stage' && OURS.test(one));
  if (other !== undefined) {
    throw new Error(
      `-c ${other} is no setting of a command: write the settings of the stage to infra/stages/${name}.json.`,
    );
  }
  const file = join(folder, `${name}.json`);
  if (!existsSync(file)) {
    throw new Error(
      `infra/stages/${name}.json is missing: write the settings of the stage to it; docs/aws.md lists them.`,
    );
  }
  try {
    return stageOf(name, JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    throw new Error(`infra/stages/${name}.json: ${(error as Error).message}`);
  }
};
