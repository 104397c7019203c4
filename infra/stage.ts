import { createPublicKey } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from 'aws-cdk-lib';
import { PUBLIC_HOSTS } from '../ports/inbound/hosts.ts';
import { SERVED, type ServedHost } from './routes.ts';

const AND = new Intl.ListFormat('en');
const OR = new Intl.ListFormat('en', { type: 'disjunction' });

/** Bounds of a whole number. */
type Bounds = { readonly least: number; readonly most: number };

/** The form of a text, and the words for it in a refusal. */
type Form = { readonly pattern: RegExp; readonly takes: string };

type Members = Readonly<Record<string, unknown>>;

const shown = (value: unknown): string => JSON.stringify(value);

/**
 * The settings of a stage, as its file has them. Every method throws one sentence for a value that it doesn't take, and
 * `refuseOthers` for a member that nobody asked for, so that a misspelt name is no silent default.
 */
class Settings {
  readonly #members: Members;
  readonly #within: string;
  readonly #asked = new Set<string>();

  constructor(members: unknown, within = '') {
    if (typeof members !== 'object' || members === null || Array.isArray(members)) {
      throw new Error(
        `${within === '' ? 'The file of a stage' : `"${within}"`} takes an object; it is ${shown(members)}.`,
      );
    }
    this.#members = members as Members;
    this.#within = within;
  }

  has(name: string): boolean {
    return this.#value(name) !== undefined;
  }

  text(name: string, { pattern, takes }: Form = { pattern: /\S/, takes: 'a text' }): string | undefined {
    const value = this.#value(name);
    if (value === undefined || (typeof value === 'string' && pattern.test(value))) return value;
    throw this.#wrong(name, takes, value);
  }

  oneOf<const V extends string>(name: string, values: readonly V[], otherwise: V): V {
    const value = this.#value(name) ?? otherwise;
    const found = values.find((one) => one === value);
    if (found === undefined) throw this.#wrong(name, OR.format(values.map(shown)), value);
    return found;
  }

  whole(name: string, { least, most }: Bounds): number | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
    throw this.#wrong(name, `a whole number from ${least} to ${most}`, value);
  }

  texts(name: string): readonly string[] {
    const value = this.#value(name) ?? [];
    if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value;
    throw this.#wrong(name, 'a list of texts', value);
  }

  /** The settings below a name, after `read` has taken all that there may be; undefined where there are none. */
  within<T>(name: string, read: (settings: Settings) => T): T | undefined {
    const value = this.#value(name);
    if (value === undefined) return undefined;
    const below = new Settings(value, this.#path(name));
    const result = read(below);
    below.refuseOthers();
    return result;
  }

  /** Texts that have to be there all. */
  together<const N extends string>(names: readonly N[], form?: Form): Readonly<Record<N, string>> {
    const given = names.map((name) => [name, this.text(name, form)] as const);
    if (given.every(([, value]) => value !== undefined)) return Object.fromEntries(given) as Record<N, string>;
    const named = AND.format(names.map((name) => `"${this.#path(name)}"`));
    throw new Error(names.length === 1 ? `${named} is missing.` : `${named} belong together; one of them is missing.`);
  }

  refuseOthers(): void {
    const unknown = Object.keys(this.#members).find((name) => !this.#asked.has(name));
    if (unknown === undefined) return;
    throw new Error(`"${this.#path(unknown)}" is no setting; there are ${[...this.#asked].toSorted().join(', ')}.`);
  }

  #value(name: string): unknown {
    this.#asked.add(name);
    return this.#members[name];
  }

  #path(name: string): string {
    return this.#within === '' ? name : `${this.#within}.${name}`;
  }

  #wrong(name: string, takes: string, value: unknown): Error {
    return new Error(`"${this.#path(name)}" takes ${takes}; it is ${shown(value)}.`);
  }
}

const NAMES = ['dev', 'prod'] as const;
export type StageName = (typeof NAMES)[number];

/** The hosts' own names. The account host and the legacy host exist only with one. */
export type Domains = Readonly<Partial<Record<ServedHost, string>>>;

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

const NAME: Form = { pattern: /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, takes: 'a name such as api.shop.example.com' };
const IMAGE: Form = {
  pattern: /^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+(?::[\w.-]+|@sha256:[0-9a-f]{64})$/,
  takes:
    'an image with its registry and its tag or digest, such as 123456789012.dkr.ecr.eu-west-1.amazonaws.com/account-service:0.1.0',
};
const VAULT: Form = {
  pattern: /^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/,
  takes: 'the ARN of a backup vault',
};
const REPOSITORY: Form = { pattern: /^[\w-]{1,39}\/[\w.-]{1,100}$/, takes: 'OWNER/NAME of a repository on GitHub' };
const PROVIDER: Form = {
  pattern: /^arn:aws[a-z-]*:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/,
  takes: "the ARN of the account's provider token.actions.githubusercontent.com",
};
const EMAIL: Form = { pattern: /^[^\s@]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/, takes: 'an address such as shop@example.com' };
const TASKS = { least: 1, most: 1000 };

/** The files of the stages, and of the public keys that they name. */
export const STAGES = join(import.meta.dirname, 'stages');

/** The public key in a file, as PEM. Of a file with a private key, only the public key is given away. */
const publicKeyIn = (file: string): string => {
  const key = createPublicKey(readFileSync(resolve(STAGES, file), 'utf8'));
  if (key.asymmetricKeyType === 'rsa' && key.asymmetricKeyDetails?.modulusLength === 2048) {
    return key.export({ type: 'spki', format: 'pem' }) as string;
  }
  throw new Error(`"files.publicKeys" takes files with an RSA public key of 2048 bits as PEM; "${file}" holds none.`);
};

const domainsOf = (settings: Settings): Domains =>
  settings.within('domains', (below) =>
    Object.fromEntries(SERVED.flatMap((host) => (below.has(host) ? [[host, below.text(host, NAME) ?? '']] : []))),
  ) ?? {};

const variablesOf = (settings: Settings): Record<string, string> =>
  settings.within('variables', (below) =>
    Object.fromEntries(VARIABLES.flatMap((name) => (below.has(name) ? [[name, below.text(name) ?? '']] : []))),
  ) ?? {};

/** The stage with these settings, which docs/aws.md lists. Throws one sentence for a wrong one. */
export const stageOf = (name: StageName, given: unknown) => {
  const settings = new Settings(given);
  const defaults = DEFAULTS[name];
  const domains = domainsOf(settings);
  const stage = {
    name,
    /** True where the data outlives its stack and can't be deleted by mistake. */
    keepData: defaults.keepData,
    logDays: defaults.logDays,
    domains,
    /** The certificate of ACM, in the stage's region, for every name. */
    certificateArn: settings.text('certificateArn') ?? '',
    alarmEmail: settings.text('alarmEmail'),
    /** Dollars. */
    monthlyBudget: settings.whole('monthlyBudget', { least: 1, most: 1_000_000 }),
    /** Variables of the service that every function and the container have, as docs/running.md lists them. */
    variables: variablesOf(settings),
    /** The OpenID Connect provider of the shop's customers. The secret holds the client's secret, as it is. */
    upstream: settings.within('upstream', (below) => below.together(['issuer', 'clientId', 'name', 'secretArn'])),
    /** The secret with the signing secrets of webhooks, as a JSON object by variable. */
    webhooks: settings.within('webhooks', (below) => below.together(['secretArn'])),
    /** The address that messages to buyers come from, which SES knows as its own. Without it none is sent. */
    mail: settings.within('mail', (below) => below.together(['from'], EMAIL)),
    /** Requests a second of all callers together that API Gateway takes. */
    throttle: settings.whole('throttle', { least: 20, most: 1_000_000 }) ?? defaults.throttle,
    /** The Lambda quota of the account: concurrent instances. */
    instances: settings.whole('instances', { least: 10, most: 1_000_000 }) ?? 1000,
    /** Requests of one address in five minutes that AWS WAF takes; undefined for no WAF. */
    wafRate: settings.whole('wafRate', { least: 10, most: 2_000_000_000 }),
    /**
     * CloudFront for published files: RSA keys as PEM, of which the URLs of all count, and the secret with the private
     * half of the first, which signs.
     */
    files: settings.within('files', (below) => ({
      publicKeys: below.texts('publicKeys').map(publicKeyIn),
      ...below.together(['keySecretArn']),
    })),
    /** The product whose license the probe checks, and the secret with its key. */
    probe: settings.within('probe', (below) => ({
      product: below.whole('product', { least: 1, most: Number.MAX_SAFE_INTEGER }) ?? 0,
      ...below.together(['keySecretArn']),
    })),
    canary: settings.oneOf('deployment', ['allAtOnce', 'canary'], 'allAtOnce') === 'canary',
    /** Copies of table and files in a vault of AWS Backup, each kept for `keepDays`, and copied on to another vault. */
    backup: settings.within('backup', (below) => ({
      every: below.oneOf('every', ['day', 'week'], 'day'),
      keepDays: below.whole('keepDays', { least: 1, most: 36_500 }) ?? 35,
      copyTo: below.text('copyTo', VAULT),
    })),
    /** The container of infra/machine/Containerfile, as tasks that answer for every host. */
    container: settings.within('container', (below) => {
      const leastTasks = below.whole('leastTasks', TASKS) ?? 2;
      return {
        ...below.together(['image'], IMAGE),
        architecture: below.oneOf('architecture', ['arm64', 'x86_64'], 'arm64'),
        leastTasks,
        mostTasks: below.whole('mostTasks', { ...TASKS, least: leastTasks }) ?? Math.max(10, leastTasks),
      };
    }),
    /** A repository on GitHub, and the provider of its tokens if the AWS account has that already. */
    pipeline: settings.within('pipeline', (below) => ({
      ...below.together(['repository'], REPOSITORY),
      providerArn: below.text('providerArn', PROVIDER),
    })),
  };
  settings.refuseOthers();
  if (Object.keys(domains).length > 0 && stage.certificateArn === '') {
    throw new Error('"domains" needs "certificateArn", the ARN of a certificate of ACM for all these names.');
  }
  if (stage.monthlyBudget !== undefined && stage.alarmEmail === undefined) {
    throw new Error('"monthlyBudget" mails to "alarmEmail"; set that too.');
  }
  if (stage.files?.publicKeys.length === 0) throw new Error('"files.publicKeys" names no file; name one.');
  if (stage.probe?.product === 0) throw new Error('"probe" needs "product", the id of the product that is checked.');
  const nameless = PUBLIC_HOSTS.find((host) => domains[host] === undefined);
  if (stage.container && nameless !== undefined) {
    throw new Error(`"container" needs "domains.${nameless}", because the container tells the hosts by their names.`);
  }
  return stage;
};

export type Stage = Readonly<ReturnType<typeof stageOf>>;
/** A setting of several members. */
export type Option<N extends 'files' | 'container' | 'backup' | 'pipeline' | 'mail'> = Readonly<NonNullable<Stage[N]>>;

/** A setting of ours. The names of the CDK's own context hold a hyphen, a colon or an at sign. */
const OURS = /^[a-z][A-Za-z0-9]*$/;

/**
 * The stage that `-c stage=prod` names; `dev` is the default. Every command of a stage reads the same file, so that no
 * command leaves a setting out. Throws one sentence where the file is missing, or a setting stands on the command line.
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
