import * as z from 'zod';

/** The OpenID Connect provider of the shop's customers. */
export type UpstreamConfig = {
  /** The name that the button shows. */
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
};

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;

/** Plain http is for a provider on this machine, because the client secret goes to it. */
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

/** Variables that no message repeats. */
export const SECRET_VARIABLES: ReadonlySet<string> = new Set(['UPSTREAM_CLIENT_SECRET', 'SMTP_URL']);

/** The variables that make an upstream provider. */
const UPSTREAM = ['UPSTREAM_ISSUER', 'UPSTREAM_CLIENT_ID', 'UPSTREAM_CLIENT_SECRET', 'UPSTREAM_NAME'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

/** One line for each variable that the others require. */
export const signInFaults = (set: Variables): string[] => {
  const given = UPSTREAM.filter((name) => set[name] !== undefined);
  const left = UPSTREAM.filter((name) => set[name] === undefined);
  return given.length === 0 ? [] : left.map((name) => `${name} takes a value where ${given[0]} has one; it is "".`);
};

/** A server whose people could sign in by one-time links alone. */
export const NO_WAY_IN =
  'PASSWORD_SIGN_IN takes on unless UPSTREAM_ISSUER is set, because one-time links alone are no way in; it is "off".';

/** The upstream provider in checked variables; null where they name none. */
export const upstreamIn = (read: Variables): UpstreamConfig | null => {
  const [issuer, clientId, clientSecret, name] = UPSTREAM.map((variable) => read[variable]);
  return issuer && clientId && clientSecret && name ? { name, issuer, clientId, clientSecret } : null;
};
