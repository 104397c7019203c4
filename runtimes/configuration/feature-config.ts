import { join, resolve } from 'node:path';
import * as z from 'zod';
import type { MailSettings } from '../../adapters/mail/mailer.ts';
import type { ApiKeys, WebhookSecrets } from '../../adapters/payments/providers.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';

/** The OpenID Connect provider of the shop's customers. */
export type UpstreamConfig = {
  /** The name on the button. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Plain http is only for a provider on this machine, because the client secret is sent to it. */
const isIssuer = (text: string): boolean => {
  const url = URL.parse(text);
  if (!url || url.search !== '' || url.hash !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && LOOPBACK.test(url.hostname));
};

const text = (most: number, what: string) =>
  z
    .string()
    .regex(new RegExp(`^[^\\p{Cc}]{1,${most}}$`, 'u'), { error: `takes ${what} of 1 to ${most} characters` })
    .optional();

/** The variables of the ways to sign in. */
export const SIGN_IN_VARIABLES = {
  PASSWORD_SIGN_IN: z.enum(['on', 'off'], { error: 'takes one of on, off' }).default('on'),
  CLIENT_DOCUMENTS: z.enum(['on', 'off'], { error: 'takes one of on, off' }).default('on'),
  UPSTREAM_ISSUER: z
    .string()
    .refine(isIssuer, { error: 'takes the https URL of an OpenID Connect issuer such as https://login.example.com' })
    .optional(),
  UPSTREAM_CLIENT_ID: text(255, 'a client id'),
  UPSTREAM_CLIENT_SECRET: text(1000, 'a client secret'),
  UPSTREAM_NAME: text(60, 'the name on the button'),
};

/** Variables that no message quotes. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set(['DATABASE_URL', 'UPSTREAM_CLIENT_SECRET', 'SMTP_URL']);

/** The variables that define an upstream provider. */
const UPSTREAM = ['UPSTREAM_ISSUER', 'UPSTREAM_CLIENT_ID', 'UPSTREAM_CLIENT_SECRET', 'UPSTREAM_NAME'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** One line for each variable that the others require. */
export const signInFaults = (set: Variables): string[] => {
  const present = UPSTREAM.filter((name) => set[name] !== undefined);
  const left = UPSTREAM.filter((name) => set[name] === undefined);
  return present.length === 0 ? [] : left.map((name) => `${name} takes a value where ${present[0]} has one; it is "".`);
};

/** The error for a server whose only sign-in method would be one-time links. */
export const NO_WAY_IN =
  'PASSWORD_SIGN_IN takes on unless UPSTREAM_ISSUER is set, because one-time links alone are no way in; it is "off".';

/** The upstream provider in checked variables; null if there is none. */
export const upstreamIn = (read: Variables): UpstreamConfig | null => {
  const [issuer, clientId, clientSecret, name] = UPSTREAM.map((variable) => read[variable]);
  return issuer && clientId && clientSecret && name ? { name, issuer, clientId, clientSecret } : null;
};

const address = z
  .string()
  .overwrite((text) => canonicalAddress(text) ?? text)
  .refine((text) => canonicalAddress(text) !== null, { error: 'takes an email address such as shop@example.com' })
  .optional();

export const MAIL_VARIABLES = {
  MAIL: z.enum(['smtp', 'ses', 'outbox', 'off'], { error: 'takes one of smtp, ses, outbox, off' }).optional(),
  MAIL_FROM: address,
  OPERATOR_EMAIL: address,
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'takes a URL such as smtps://user:password@mail.example.com:465',
    })
    .optional(),
};

type ReadMail = { readonly [V in keyof typeof MAIL_VARIABLES]?: string | undefined };

const wayOf = ({ MAIL, SMTP_URL }: ReadMail, keepsTable: boolean) =>
  MAIL ?? (SMTP_URL !== undefined ? 'smtp' : keepsTable ? 'outbox' : 'off');

/** One line for each missing variable that the mail transport requires. */
export const mailFaults = (set: ReadMail): string[] => {
  const way = wayOf(set, false);
  return [
    ...((way === 'smtp' || way === 'ses') && !set.MAIL_FROM
      ? [`MAIL_FROM takes the address that messages come from where mail is sent by ${way}; it is "".`]
      : []),
    ...(way === 'smtp' && !set.SMTP_URL
      ? ['SMTP_URL takes the URL of the mail server where MAIL is smtp; it is "".']
      : []),
  ];
};

/**
 * The mail transport in checked variables. By default, a store in DATA_DIR keeps its messages in its outbox, and any
 * other store sends none, because nothing in its process would send them.
 */
export const mailIn = (read: ReadMail, dataDir: string, keepsTable: boolean): MailSettings | null => {
  const way = wayOf(read, keepsTable);
  const from = read.MAIL_FROM ?? 'shop@localhost';
  if (way === 'smtp') return { way, from, url: read.SMTP_URL ?? '' };
  if (way === 'outbox') return { way, from, folder: resolve(join(dataDir, 'outbox')) };
  return way === 'ses' ? { way, from } : null;
};

/**
 * A secret without quotes, because files of variables may keep them; a secret of Standard Webhooks is base64 after its
 * prefix.
 */
const SECRET = /^(?=[^\s,'"`]{8,500}$)(?:whsec_[\w+/=-]+|(?!whsec_).+)$/;

/** While a secret is being replaced, the old one and the new one are valid. */
const secrets = z
  .string()
  .default('')
  .transform((text) => (text === '' ? [] : text.split(/, */)))
  .refine((all) => all.length <= 4 && all.every((secret) => SECRET.test(secret)), {
    error:
      'takes up to four signing secrets of the webhook with commas between them, as its provider shows them, without quotes and spaces',
  });

const apiKey = z
  .string()
  .regex(/^[\w.-]{8,500}$/, { error: 'takes an API key as its provider shows it, without quotes and spaces' })
  .optional();

/** The variables of the payment providers. All of them are secrets. */
export const WEBHOOK_VARIABLES = {
  STRIPE_WEBHOOK_SECRET: secrets,
  PADDLE_WEBHOOK_SECRET: secrets,
  POLAR_WEBHOOK_SECRET: secrets,
  SHOP_WEBHOOK_SECRET: secrets,
  STRIPE_API_KEY: apiKey,
  PADDLE_API_KEY: apiKey,
  POLAR_ACCESS_TOKEN: apiKey,
};

type ReadWebhooks = Readonly<z.output<z.ZodObject<typeof WEBHOOK_VARIABLES>>>;

/** The secrets in checked variables. */
export const webhookSecretsIn = (read: ReadWebhooks): WebhookSecrets => ({
  stripe: read.STRIPE_WEBHOOK_SECRET,
  paddle: read.PADDLE_WEBHOOK_SECRET,
  polar: read.POLAR_WEBHOOK_SECRET,
  shop: read.SHOP_WEBHOOK_SECRET,
});

/** The API keys in checked variables. */
export const apiKeysIn = (read: ReadWebhooks): ApiKeys => ({
  stripe: read.STRIPE_API_KEY,
  paddle: read.PADDLE_API_KEY,
  polar: read.POLAR_ACCESS_TOKEN,
});

/** True if a provider has a secret, so it may deliver events. */
export const hasProvider = (secrets: WebhookSecrets): boolean =>
  Object.values(secrets).some(({ length }) => length > 0);

/** CloudFront in front of the bucket: its address, and the key that signs its URLs. */
export type FilesConfig = {
  /** The public address of the distribution, without a slash at the end. */
  readonly url: string;
  /** CloudFront's id of the public key. */
  readonly key_id: string;
  /** The secret with the private key. */
  readonly keySecretArn: string;
};

const FILES = ['FILES_URL', 'CLOUDFRONT_KEY_ID', 'CLOUDFRONT_KEY_SECRET_ARN'] as const;

/** One line for each variable that the others require. */
export const filesFaults = (set: Variables): string[] => {
  const [present] = FILES.filter((name) => set[name] !== undefined);
  if (present === undefined) return [];
  const left = FILES.filter((name) => set[name] === undefined);
  const missing = left.map((name) => `${name} takes a value where ${present} has one; it is "".`);
  return set['OBJECTS'] === 's3' ? missing : [`${present} takes a value only where OBJECTS is s3.`];
};

/** CloudFront in checked variables; undefined if they name none. */
export const filesIn = (read: {
  readonly FILES_URL?: string | undefined;
  readonly CLOUDFRONT_KEY_ID?: string | undefined;
  readonly CLOUDFRONT_KEY_SECRET_ARN: string;
}): FilesConfig | undefined => {
  const { FILES_URL: url, CLOUDFRONT_KEY_ID: key_id, CLOUDFRONT_KEY_SECRET_ARN: keySecretArn } = read;
  return url !== undefined && key_id !== undefined ? { url, key_id, keySecretArn } : undefined;
};
