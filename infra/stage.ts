import type { App } from 'aws-cdk-lib';
import { DEPLOYED, NAMED, type Served } from './routes.ts';

/** A public name of a host, and its certificate, which is in ACM in the same region. */
export type Domain = { readonly name: string; readonly certificateArn: string };

/** An OpenID Connect provider. The secret holds the client's secret, as it is. */
export type Upstream = {
  readonly issuer: string;
  readonly clientId: string;
  readonly name: string;
  readonly secretArn: string;
};

/** The settings that differ from stage to stage. */
export type Stage = {
  readonly name: 'dev' | 'prod';
  /** True where the data outlives its stack and can't be deleted by mistake. */
  readonly keepData: boolean;
  readonly logDays: 14 | 90;
  /** The requests a second that each API takes, and its largest burst. */
  readonly throttle: { readonly rate: number; readonly burst: number };
  /** The instances that are reserved for each function, which gets no more than these. Undefined reserves none. */
  readonly reservedConcurrency: number | undefined;
  /** The hosts' own names. The account host and the legacy host exist only with a name. */
  readonly domains: Readonly<Partial<Record<Served, Domain>>>;
  /** Settings of the service that every function has, as the README's table names them. */
  readonly settings: Readonly<Record<string, string>>;
  /** The address that alarms are mailed to. */
  readonly alarmEmail: string | undefined;
  /** A table that was restored from a backup and takes the place of the stack's own. */
  readonly restoredTable: string | undefined;
  /** The OpenID Connect provider that the shop's customers sign in with. */
  readonly upstream: Upstream | undefined;
};

const DEFAULTS = {
  dev: { keepData: false, logDays: 14, throttle: { rate: 50, burst: 100 } },
  prod: { keepData: true, logDays: 90, throttle: { rate: 500, burst: 1000 } },
} as const;

/** A value given by `-c name=value`; an empty one counts as none. */
const text = (app: App, name: string): string | undefined => {
  const value: unknown = app.node.tryGetContext(name);
  return value === undefined || value === null || value === '' ? undefined : String(value);
};

const domainOf = (app: App, host: Served): Domain | undefined => {
  const name = text(app, `${host}Domain`);
  const certificateArn = text(app, `${host}CertificateArn`);
  if (name === undefined && certificateArn === undefined) return undefined;
  if (name === undefined || certificateArn === undefined) {
    throw new Error(`-c ${host}Domain and -c ${host}CertificateArn belong together; one of them is missing.`);
  }
  return { name, certificateArn };
};

const upstreamOf = (app: App): Upstream | undefined => {
  const names = ['upstreamIssuer', 'upstreamClientId', 'upstreamName', 'upstreamSecretArn'] as const;
  const [issuer, clientId, name, secretArn] = names.map((one) => text(app, one));
  if (issuer && clientId && name && secretArn) return { issuer, clientId, name, secretArn };
  if (!issuer && !clientId && !name && !secretArn) return undefined;
  throw new Error(`-c ${names.join(', -c ')} belong together; one of them is missing.`);
};

const concurrencyOf = (app: App): number | undefined => {
  const given = text(app, 'reservedConcurrency');
  if (given === undefined) return undefined;
  if (!/^[1-9]\d{0,3}$/.test(given)) throw new Error(`-c reservedConcurrency takes a whole number; it is "${given}".`);
  return Number(given);
};

/** The settings that the context may name, and their variables. The functions check the values when they start. */
const SETTINGS = {
  corsOrigins: 'CORS_ORIGINS',
  logAddresses: 'LOG_ADDRESSES',
  ratePerAccount: 'RATE_LIMIT_PER_MINUTE',
  ratePerAgent: 'RATE_LIMIT_AGENT_PER_MINUTE',
  ratePerAddress: 'RATE_LIMIT_ANONYMOUS_PER_MINUTE',
  filesPerAddress: 'RATE_LIMIT_FILES_PER_MINUTE',
} as const;

const settingsOf = (app: App): Record<string, string> =>
  Object.fromEntries(
    Object.entries(SETTINGS).flatMap(([name, variable]) => {
      const value = text(app, name);
      return value === undefined ? [] : [[variable, value]];
    }),
  );

/** The stage that the context names (`-c stage=prod`); `dev` is the default. Throws one sentence for a wrong value. */
export const stageOf = (app: App): Stage => {
  const name = text(app, 'stage') ?? 'dev';
  if (name !== 'dev' && name !== 'prod') throw new Error(`-c stage takes dev or prod; it is "${name}".`);
  const domains = [...DEPLOYED, ...NAMED].flatMap((host) => {
    const domain = domainOf(app, host);
    return domain ? [[host, domain] as const] : [];
  });
  return {
    name,
    ...DEFAULTS[name],
    reservedConcurrency: concurrencyOf(app),
    domains: Object.fromEntries(domains),
    settings: settingsOf(app),
    alarmEmail: text(app, 'alarmEmail'),
    restoredTable: text(app, 'restoredTable'),
    upstream: upstreamOf(app),
  };
};
