import type { Response } from 'express';
import type { Reply } from '../../host/reply.ts';
import { sendReply } from '../../http/node-requests.ts';
import type { Visit } from './guard.ts';
import { policyOf } from './headers.ts';
import { MESSAGES } from './messages/messages.ts';
import type { Page, View } from './views/page.ts';

/** The answer to a request for a page: a page to show, or the URL to continue to. */
export type Answer = (
  | {
      readonly status: number;
      readonly view: View;
      /** The path on this host that shows the page again, if it differs from the requested path. */
      readonly here?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | { readonly location: string }
  /** An answer to a program. */
  | { readonly reply: Reply }
  | { readonly file: { readonly name: string; readonly type: string; readonly text: string } }
) & {
  readonly cookies?: readonly string[];
  /** The token of the page's forms, if the request created a new session value. */
  readonly csrf?: string;
};

export const show = (view: View, status = 200, here?: string): Answer => ({
  status,
  view,
  ...(here === undefined ? {} : { here }),
});

/** Redirects the browser with GET, so that reloading the next page repeats nothing. */
export const goTo = (location: string, cookies: readonly string[] = []): Answer => ({ location, cookies });

/** The path of the request with its query, but without the language that a link selected. */
const hereOf = ({ req, query }: Pick<Visit, 'req' | 'query'>): string => {
  const rest = new URLSearchParams(query);
  rest.delete('lang');
  return rest.size === 0 ? req.path : `${req.path}?${rest}`;
};

/** The site and the shop that the page belongs to, and the email address of the signed-in account; null for a visitor. */
export type Frame = Pick<Page, 'site' | 'shop' | 'email'>;

export const send = async (
  res: Response,
  visit: Visit,
  answer: Answer,
  { site, shop, email }: Frame,
): Promise<void> => {
  if ('reply' in answer) return sendReply(res, answer.reply);
  for (const cookie of [...visit.cookies, ...(answer.cookies ?? [])]) res.append('set-cookie', cookie);
  if ('location' in answer) {
    res.writeHead(303, { location: answer.location }).end();
    return;
  }
  if ('file' in answer) {
    const { name, type, text } = answer.file;
    res.writeHead(200, {
      'content-type': `${type}; charset=utf-8`,
      'content-disposition': `attachment; filename="${name}"`,
      'content-length': String(Buffer.byteLength(text)),
    });
    res.end(text);
    return;
  }
  const { language, locale, csrf } = { ...visit, ...(answer.csrf !== undefined && { csrf: answer.csrf }) };
  const here = answer.here ?? hereOf(visit);
  const page: Page = { language, locale, m: MESSAGES[language], csrf, here, site, shop, email };
  const body = String(await answer.view(page));
  res.writeHead(answer.status, {
    'content-security-policy': policyOf(shop, site.isPublic ? '' : "'self'"),
    ...answer.headers,
    'content-language': language,
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
  });
  res.end(body);
};
