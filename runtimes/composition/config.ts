import { isIP } from 'node:net';
import * as z from 'zod';
import { FILES_PER_MINUTE } from '../../application/access/limit-address.ts';
import { AUDIT_DAYS } from '../../domain/audit/entry.ts';
import { LEASE_SECONDS } from '../../domain/collect/lease.ts';
import type { KeyUse } from '../../domain/signing/key-use.ts';
import { HOSTS, type Host } from '../../ports/inbound/hosts.ts';
import { GALLERY_DOCUMENTS } from './gallery-settings.ts';
import { SAMPLE_STORES } from './sample-store.ts';
import {
  SECRET_VARIABLES,
  SIGN_IN_VARIABLES,
  signInFaults,
  type UpstreamConfig,
  upstreamIn,
} from './sign-in-config.ts';

/** The configuration, read from the environment and checked. The README has a table of the variables. */
export type Config = {
  readonly dataDir: string;
  readonly store: (typeof STORES)[number];
  readonly objects: (typeof OBJECT_STORES)[number];
  /** The names of DynamoDB's table and S3's bucket; empty if the engine needs none. */
  readonly tableName: string;
  readonly bucketName: string;
  /** The ARNs of the secrets that hold the signing keys of each use; empty if these keys are in files. */
  readonly keySecrets: Readonly<Record<KeyUse, string>>;
  /** The address of the FIFO queue that wakes the worker's function; empty where the worker is in this process. */
  readonly jobsQueueUrl: string;
  /** Ports to listen on; 0 takes a free one. */
  readonly ports: Readonly<Record<Host, number>>;
  /** The address of this machine to listen on; `0.0.0.0` or `::` for all addresses. */
  readonly address: string;
  /** Whether an empty store gets the sample store. */
  readonly sampleStore: (typeof SAMPLE_STORES)[number];
  /** Public addresses; a host without one is reached at its port on this machine. */
  readonly urls: Readonly<Partial<Record<Host, string>>>;
  /**
   * Port and public address of the legacy host, which forwards to the API host. Without a port it has none of its own;
   * without an address it is not served by name.
   */
  readonly legacy: { readonly port?: number | undefined; readonly url?: string | undefined };
  /** The origins whose pages may call the API, app and design hosts. */
  readonly corsOrigins: readonly string[];
  readonly ratePerAccount: number;
  readonly ratePerAgent: number;
  readonly ratePerAddress: number;
  /** Files a minute for each address. */
  readonly filesPerAddress: number;
  /** Seconds for which a collector keeps the lock without an upload. */
  readonly collectLeaseSeconds: number;
  /** Whether the pages of the design host show design documents. */
  readonly galleryDocuments: (typeof GALLERY_DOCUMENTS)[number];
  readonly trustedProxies: readonly string[];
  /** Connections that the process serves at once, in all and of one network address. */
  readonly connections: { readonly all: number; readonly perAddress: number };
  /** The port and the address of the metrics; undefined where the process measures nothing. */
  readonly metrics: { readonly port: number; readonly address: string } | undefined;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Whether request lines have the client's network address. */
  readonly logAddresses: boolean;
  /** Days for which the audit log keeps an entry. */
  readonly auditDays: number;
  /** Whether passwords sign in to the account host. */
  readonly passwordSignIn: boolean;
  /** The OpenID Connect provider of the shop's customers; null where there is none. */
  readonly upstream: UpstreamConfig | null;
};

const STORES = ['sqlite', 'memory', 'dynamodb'] as const;
const OBJECT_STORES = ['filesystem', 'memory', 's3'] as const;
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** A wrong configuration. The message has one line for each variable with a wrong value. */
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

/** Values with commas between them; none by default. */
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

const Environment = z.object({
  DATA_DIR: z.string().default('.data'),
  STORE: oneOf(STORES).default('sqlite'),
  OBJECTS: oneOf(OBJECT_STORES).default('filesystem'),
  TABLE_NAME: z
    .string()
    .regex(/^[\w.-]{3,255}$/, { error: 'takes the name of a DynamoDB table' })
    .default(''),
  BUCKET_NAME: z
    .string()
    .regex(/^[a-z\d][a-z\d.-]{1,61}[a-z\d]$/, { error: 'takes the name of an S3 bucket' })
    .default(''),
  POLICY_KEYS_SECRET_ARN: secretArn,
  LICENSE_KEY_SECRET_ARN: secretArn,
  ARTIFACT_KEY_SECRET_ARN: secretArn,
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
  API_URL: publicUrl,
  DESIGN_URL: publicUrl,
  APP_URL: publicUrl,
  ACCOUNT_URL: publicUrl,
  LISTEN_ADDRESS: ipAddress.default('127.0.0.1'),
  SAMPLE_STORE: oneOf(SAMPLE_STORES).default('auto'),
  LEGACY_PORT: port.optional(),
  LEGACY_URL: publicUrl,
  CORS_ORIGINS: list.refine((origins) => origins.every(isOrigin), {
    error: 'takes origins with commas between them, such as https://shop.example.com, in lower case and without a path',
  }),
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
});

/** The variables that the service reads. */
export const VARIABLES: readonly string[] = Object.keys(Environment.shape);

/** Variables that an engine requires. */
const REQUIRED = [
  { variable: 'TABLE_NAME', takes: 'the name of the table', engine: 'STORE', value: 'dynamodb' },
  { variable: 'BUCKET_NAME', takes: 'the name of the bucket', engine: 'OBJECTS', value: 's3' },
] as const;

const missing = (set: Readonly<Record<string, string | undefined>>): string[] =>
  REQUIRED.filter(({ variable, engine, value }) => set[engine] === value && set[variable] === undefined).map(
    ({ variable, takes, engine, value }) => `${variable} takes ${takes} where ${engine} is ${value}; it is "".`,
  );

/** Reads the configuration. An empty variable counts as unset. Throws ConfigError for wrong values. */
export const readConfig = (env: Readonly<Record<string, string | undefined>>): Config => {
  const set = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  // The environment is read once, for which compiling code of its schema costs more than it saves.
  const parsed = Environment.safeParse(set, { jitless: true });
  const wrong = (parsed.error?.issues ?? []).map(({ path, message }) => {
    const name = String(path[0]);
    const value = SECRET_VARIABLES.has(name) ? 'not shown' : `"${set[name] ?? ''}"`;
    return `${name} ${message}; it is ${value}.`;
  });
  const lines = [...wrong, ...missing(set), ...signInFaults(set)];
  if (!parsed.success || lines.length > 0) throw new ConfigError(lines.join('\n'));
  const read = parsed.data;
  const perHost = <T>(suffix: 'PORT' | 'URL') =>
    Object.fromEntries(
      HOSTS.map((host) => [host, read[`${host.toUpperCase()}_${suffix}` as keyof typeof read]] as const),
    ) as Record<Host, T>;
  return {
    dataDir: read.DATA_DIR,
    store: read.STORE,
    objects: read.OBJECTS,
    tableName: read.TABLE_NAME,
    bucketName: read.BUCKET_NAME,
    keySecrets: {
      policy: read.POLICY_KEYS_SECRET_ARN,
      license: read.LICENSE_KEY_SECRET_ARN,
      artifact: read.ARTIFACT_KEY_SECRET_ARN,
    },
    jobsQueueUrl: read.JOBS_QUEUE_URL,
    ports: perHost<number>('PORT'),
    urls: perHost<string | undefined>('URL') as Partial<Record<Host, string>>,
    address: read.LISTEN_ADDRESS,
    sampleStore: read.SAMPLE_STORE,
    legacy: { port: read.LEGACY_PORT, url: read.LEGACY_URL },
    corsOrigins: read.CORS_ORIGINS,
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
    upstream: upstreamIn(set),
  };
};
