import { join, resolve } from 'node:path';
import * as z from 'zod';

/** The way that messages go out; null where the store sends none. */
export type MailConfig =
  | { readonly way: 'smtp'; readonly from: string; readonly url: string }
  | { readonly way: 'ses'; readonly from: string }
  | { readonly way: 'outbox'; readonly from: string; readonly folder: string };

export const MAIL_VARIABLES = {
  MAIL: z.enum(['smtp', 'ses', 'outbox', 'off'], { error: 'takes one of smtp, ses, outbox, off' }).optional(),
  MAIL_FROM: z.email({ error: 'takes an e-mail address such as shop@example.com' }).max(254).optional(),
  SMTP_URL: z
    .string()
    .refine((text) => /^smtps?:$/.test(URL.parse(text)?.protocol ?? ''), {
      error: 'takes a URL such as smtps://user:password@mail.example.com:465',
    })
    .optional(),
};

type Read = { readonly [V in keyof typeof MAIL_VARIABLES]?: string | undefined };

const wayOf = ({ MAIL, SMTP_URL }: Read, keepsTable: boolean) =>
  MAIL ?? (SMTP_URL !== undefined ? 'smtp' : keepsTable ? 'outbox' : 'off');

/** One line for each variable that the way of sending requires. */
export const mailFaults = (set: Read): string[] => {
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
 * The way of sending in checked variables. Without any, a store in DATA_DIR keeps its messages in its outbox, and
 * another one sends none, because nothing in its process would send them.
 */
export const mailIn = (read: Read, dataDir: string, keepsTable: boolean): MailConfig | null => {
  const way = wayOf(read, keepsTable);
  const from = read.MAIL_FROM ?? 'shop@localhost';
  if (way === 'smtp') return { way, from, url: read.SMTP_URL ?? '' };
  if (way === 'outbox') return { way, from, folder: resolve(join(dataDir, 'outbox')) };
  return way === 'ses' ? { way, from } : null;
};
