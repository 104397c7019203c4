import { isIP } from 'node:net';
import * as z from 'zod';
import type { MailSettings } from '../../adapters/mail/mailer.ts';
import type { ApiKeys, WebhookSecrets } from '../../adapters/payments/providers.ts';
import { LIVE_KEY_QUOTA, MOST_LIVE_KEYS } from '../../domain/access/api-key.ts';
import { FILES_PER_MINUTE } from '../../domain/access/rate-limit.ts';
import { AUDIT_DAYS } from '../../domain/audit/entry.ts';
import { LEASE_SECONDS } from '../../domain/design/collect/run-rules.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import { byHost, type Host, variableOf } from '../../ports/inbound/hosts.ts';
import { chooseEngine, kindsWith } from '../engines/choose.ts';
import {
  type Chosen,
  isInDataDir,
  type ObjectsEngine,
  type OwnEngines,
  shownPlace,
  type TableEngine,
} from '../engines/kinds.ts';
import { GALLERY_DOCUMENTS, type GalleryDocuments, SAMPLE_STORES, type SampleStore } from './auto-settings.ts';
import {
  apiKeysIn,
  type FilesConfig,
  filesFaults,
  filesIn,
  MAIL_VARIABLES,
  mailFaults,
  mailIn,
  NO_WAY_IN,
  SECRET_VARIABLES,
  SIGN_IN_VARIABLES,
  signInFaults,
  type UpstreamConfig,
  upstreamIn,
  WEBHOOK_VARIABLES,
  webhookSecretsIn,
} from './feature-config.ts';

export type { WebhookSecrets } from '../../adapters/payments/providers.ts';
export type { GalleryDocuments, SampleStore } from './auto-settings.ts';
export type { FilesConfig, UpstreamConfig } from './feature-config.ts';

/** The configuration, read from the environment and checked. docs/running.md has a table of the variables. */
export type Config = {
  readonly dataDir: string;
  /** The engines for the table and for the files, and the locations of their data. */
  readonly store: Chosen<TableEngine>;
  readonly objects: Chosen<ObjectsEngine>;
  /** The ARNs of the secrets with the signing keys of each use; empty if these keys are in files. */
  readonly keySecrets: Readonly<Record<KeyUse, string>>;
  /** The URL of the FIFO queue that wakes the worker's function; empty if the worker is in this process. */
  readonly jobsQueueUrl: string;
  /** Ports to listen on; 0 means any free port. */
  readonly ports: Readonly<Record<Host, number>>;
  /** The address of this machine to listen on; `0.0.0.0` or `::` for all addresses. */
  readonly address: string;
  /** The address of this machine on which the shop host listens. */
  readonly shopAddress: string;
  /** Whether an empty store gets the sample store. */
  readonly sampleStore: SampleStore;
  /** Public addresses; a host without one has its port on this machine. */
  readonly urls: Readonly<Partial<Record<Host, string>>>;
  /**
   * Port and public address of the legacy host, which forwards to the API host. Without a port it has none of its own;
   * without an address it is not served by name.
   */
  readonly legacy: { readonly port?: number | undefined; readonly url?: string | undefined };
  /** The origins whose pages may call the API, app and design hosts. */
  readonly corsOrigins: readonly string[];
  readonly keysPerScope: number;
  readonly ratePerAccount: number;
  readonly ratePerAgent: number;
  readonly ratePerAddress: number;
  /** The files per minute that each address may request. */
  readonly filesPerAddress: number;
  /** The time for which a collector keeps the lock without an upload, in seconds. */
  readonly collectLeaseSeconds: number;
  /** Whether the pages of the design host show design documents. */
  readonly galleryDocuments: GalleryDocuments;
  readonly trustedProxies: readonly string[];
  /** The maximum number of connections, in total and per IP address. */
  readonly connections: { readonly all: number; readonly perAddress: number };
  /** The port and the address of the metrics; undefined if metrics are off. */
  readonly metrics: { readonly port: number; readonly address: string } | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** True if request log lines include the client's IP address. */
  readonly logAddresses: boolean;
  /** The number of days for which the audit log keeps an entry. */
  readonly auditDays: number;
  /** True if passwords sign in to the account host. */
  readonly passwordSignIn: boolean;
  /** True if a client may identify itself by the URL of its metadata, which this server then fetches. */
  readonly clientDocuments: boolean;
  /** The OpenID Connect provider of the shop's customers; null if there is none. */
  readonly upstream: UpstreamConfig | null;
  /** The secrets with which payment providers sign their events. */
  readonly webhookSecrets: WebhookSecrets;
  readonly apiKeys: ApiKeys;
  /** CloudFront in front of the bucket; undefined if the object store serves its own URLs. */
  readonly files: FilesConfig | undefined;
  /** The transport of messages to buyers; null if none are sent. */
  readonly mail: MailSettings | null;
};

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** An invalid configuration. The message has one line for each variable with a wrong value. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

const oneOf = <const V extends readonly [string, ...string[]]>(values: V) =>
  z.enum(values, { error: `takes one of ${values.join(', ')}` });

const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most, {
      error: `takes a whole number from ${least} to ${most}`,
    })
    .transform(Number);

const port = wholeNumber(0, 65_535);

const ipAddress = z.string().refine((text) => isIP(text) > 0, {
  error: 'takes an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all of them',
});

const isHttpUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return (url?.protocol === 'http:' || url?.protocol === 'https:') && url.search === '' && url.hash === '';
};

const publicUrl = z
  .string()
  .refine(isHttpUrl, { error: 'takes an http or https URL such as https://api.example.com' })
  .transform((text) => text.replace(/\/+$/, ''))
  .optional();

/** Comma-separated values; none by default. */
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  );

const isOrigin = (text: string): boolean => isHttpUrl(text) && !text.includes('*') && URL.parse(text)?.origin === text;

const RANGE_NAMES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];
const WITH_BITS = /^([\da-fA-F.:]+)(?:\/([1-9]\d{0,2}))?$/;

const isAddressOrRange = (text: string): boolean => {
  const [, address = '', bits = '1'] = WITH_BITS.exec(text) ?? [];
  const family = isIP(address);
  return RANGE_NAMES.includes(text) || (family > 0 && Number(bits) <= (family === 4 ? 32 : 128));
};

const secretArn = z
  .string()
  .startsWith('arn:', { error: 'takes the ARN of a secret in AWS Secrets Manager' })
  .max(2048, { error: 'takes the ARN of a secret in AWS Secrets Manager' })
  .default('');

/** The default folder of a store. */
const DATA_DIR = '.data';

const Environment = z.object({
  DATA_DIR: z.string().default(DATA_DIR),
  STORE: z.string().optional(),
  OBJECTS: z.string().optional(),
  TABLE_NAME: z
    .string()
    .regex(/^[\w.-]{3,255}$/, { error: 'takes the name of a DynamoDB table' })
    .default(''),
  BUCKET_NAME: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, { error: 'takes the name of an S3 bucket' })
    .default(''),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, { error: 'takes a URL such as postgres://shop@db.example.com/shop' })
    .default(''),
  POLICY_KEYS_SECRET_ARN: secretArn,
  LICENSE_KEY_SECRET_ARN: secretArn,
  ARTIFACT_KEY_SECRET_ARN: secretArn,
  FILES_URL: publicUrl,
  CLOUDFRONT_KEY_ID: z
    .string()
    .regex(/^[A-Z0-9]{1,64}$/, { error: 'takes the id of a public key in CloudFront, such as K2JCJMDEHXQW5F' })
    .optional(),
  CLOUDFRONT_KEY_SECRET_ARN: secretArn,
  JOBS_QUEUE_URL: z
    .string()
    .refine((text) => isHttpUrl(text) && text.endsWith('.fifo'), {
      error: 'takes the URL of a FIFO queue in Amazon SQS',
    })
    .default(''),
  API_PORT: port.default(8787),
  DESIGN_PORT: port.default(8788),
  APP_PORT: port.default(8789),
  ACCOUNT_PORT: port.default(8790),
  SHOP_PORT: port.default(8791),
  API_URL: publicUrl,
  DESIGN_URL: publicUrl,
  APP_URL: publicUrl,
  ACCOUNT_URL: publicUrl,
  SHOP_URL: publicUrl,
  LISTEN_ADDRESS: ipAddress.default('127.0.0.1'),
  SHOP_ADDRESS: ipAddress.default('127.0.0.1'),
  SAMPLE_STORE: oneOf(SAMPLE_STORES).default('auto'),
  LEGACY_PORT: port.optional(),
  LEGACY_URL: publicUrl,
  CORS_ORIGINS: list.refine((origins) => origins.every(isOrigin), {
    error: 'takes origins with commas between them, such as https://shop.example.com, in lower case and without a path',
  }),
  KEYS_PER_SCOPE: wholeNumber(1, MOST_LIVE_KEYS).default(LIVE_KEY_QUOTA),
  RATE_LIMIT_PER_MINUTE: wholeNumber(1, 100_000_000).default(120),
  RATE_LIMIT_AGENT_PER_MINUTE: wholeNumber(1, 100_000_000).default(600),
  RATE_LIMIT_ANONYMOUS_PER_MINUTE: wholeNumber(1, 100_000_000).default(60),
  RATE_LIMIT_FILES_PER_MINUTE: wholeNumber(1, 100_000_000).default(FILES_PER_MINUTE),
  COLLECT_LEASE_SECONDS: wholeNumber(1, 86_400).default(LEASE_SECONDS),
  GALLERY_DOCUMENTS: oneOf(GALLERY_DOCUMENTS).default('auto'),
  TRUSTED_PROXIES: list.refine((parts) => parts.every(isAddressOrRange), {
    error: 'takes addresses or ranges with commas between them, such as 10.0.0.0/8, loopback',
  }),
  MAX_CONNECTIONS: wholeNumber(1, 1_000_000).default(4096),
  MAX_CONNECTIONS_PER_ADDRESS: wholeNumber(1, 1_000_000).default(256),
  METRICS_PORT: port.optional(),
  METRICS_ADDRESS: ipAddress.default('127.0.0.1'),
  LOG_LEVEL: oneOf(LOG_LEVELS).default('info'),
  LOG_ADDRESSES: oneOf(['on', 'off']).default('on'),
  AUDIT_DAYS: wholeNumber(1, 36_500).default(AUDIT_DAYS),
  ...SIGN_IN_VARIABLES,
  ...MAIL_VARIABLES,
  ...WEBHOOK_VARIABLES,
});

/** The variables that the service reads. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape);

/**
 * Reads the configuration. An empty variable counts as unset. `own` are engines in addition to those of this package.
 * Throws ConfigError for invalid values.
 */
export const readConfig = (env: Readonly<Record<string, string | undefined>>, own?: OwnEngines): Config => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  // The environment is read once, and compiling its schema would cost more than it saves.
  const parsed = Environment.safeParse(set, { jitless: true });
  const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0]);
    const value =
      SECRET_VARIABLES.has(name) || Object.hasOwn(WEBHOOK_VARIABLES, name) ? 'not shown' : `"${set[name] ?? ''}"`;
    return `${name} ${message}; it is ${value}.`;
  });
  const kinds = kindsWith(own);
  const placed = { DATA_DIR, ...set };
  const store = chooseEngine('STORE', set['STORE'] ?? 'sqlite', kinds.tables, placed);
  const objects = chooseEngine('OBJECTS', set['OBJECTS'] ?? 'filesystem', kinds.objects, placed);
  const lines = [
    ...store.unknown,
    ...objects.unknown,
    ...wrong,
    ...store.missing,
    ...objects.missing,
    ...signInFaults(set),
    ...mailFaults(set),
    ...filesFaults(set),
  ];
  if (!parsed.success || !store.chosen || !objects.chosen || lines.length > 0) throw new ConfigError(lines.join('\n'));
  const read = parsed.data;
  return {
    dataDir: read.DATA_DIR,
    store: store.chosen,
    objects: objects.chosen,
    keySecrets: {
      policy: read.POLICY_KEYS_SECRET_ARN,
      license: read.LICENSE_KEY_SECRET_ARN,
      artifact: read.ARTIFACT_KEY_SECRET_ARN,
    },
    jobsQueueUrl: read.JOBS_QUEUE_URL,
    ports: byHost((host) => read[`${variableOf(host)}_PORT`]),
    urls: byHost((host) => read[`${variableOf(host)}_URL`]),
    address: read.LISTEN_ADDRESS,
    shopAddress: read.SHOP_ADDRESS,
    sampleStore: read.SAMPLE_STORE,
    legacy: { port: read.LEGACY_PORT, url: read.LEGACY_URL },
    corsOrigins: read.CORS_ORIGINS,
    keysPerScope: read.KEYS_PER_SCOPE,
    ratePerAccount: read.RATE_LIMIT_PER_MINUTE,
    ratePerAgent: read.RATE_LIMIT_AGENT_PER_MINUTE,
    ratePerAddress: read.RATE_LIMIT_ANONYMOUS_PER_MINUTE,
    filesPerAddress: read.RATE_LIMIT_FILES_PER_MINUTE,
    collectLeaseSeconds: read.COLLECT_LEASE_SECONDS,
    galleryDocuments: read.GALLERY_DOCUMENTS,
    trustedProxies: read.TRUSTED_PROXIES,
    connections: { all: read.MAX_CONNECTIONS, perAddress: read.MAX_CONNECTIONS_PER_ADDRESS },
    metrics: read.METRICS_PORT === undefined ? undefined : { port: read.METRICS_PORT, address: read.METRICS_ADDRESS },
    logLevel: read.LOG_LEVEL,
    auditDays: read.AUDIT_DAYS,
    logAddresses: read.LOG_ADDRESSES === 'on',
    passwordSignIn: read.PASSWORD_SIGN_IN === 'on',
    clientDocuments: read.CLIENT_DOCUMENTS === 'on',
    upstream: upstreamIn(set),
    webhookSecrets: webhookSecretsIn(read),
    apiKeys: apiKeysIn(read),
    files: filesIn(read),
    mail: mailIn(read, read.DATA_DIR, isInDataDir(store.chosen.engine)),
  };
};

/**
 * Throws ConfigError if one-time links would be the only way to sign in to a server. `hasProvider` means that the
 * server has a team's own upstream provider. Commands sign nobody in, so they skip this check.
 */
export const checkWayIn = ({ passwordSignIn, upstream }: Config, hasProvider = false): void => {
  if (!passwordSignIn && !upstream && !hasProvider) throw new ConfigError(NO_WAY_IN);
};

/** True if table and files are in memory, and therefore the keys too. */
export const endsWithTheProcess = ({ store, objects }: Pick<Config, 'store' | 'objects'>): boolean =>
  store.engine.variable === null && objects.engine.variable === null;

/** True if DATA_DIR is used: for the table, the files, or keys outside secrets. */
export const keepsInDataDir = ({ store, objects, keySecrets }: Config): boolean =>
  isInDataDir(store.engine) || isInDataDir(objects.engine) || Object.values(keySecrets).includes('');

/** Names the table's location for people: the variable and its value. */
export const placeOf = ({ store: { engine, name, place } }: Pick<Config, 'store'>): string =>
  engine.variable === null ? `STORE ${name}` : `${engine.variable} ${shownPlace(place)}`;
