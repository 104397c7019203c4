import type { IncomingMessage } from 'node:http';
import { type Language, languagesOf } from '../../../domain/shared/language.ts';
import { Cookies } from './cookies.ts';
import { languageFor } from './language.ts';
import type { AccountPagesParts } from './parts.ts';
import { ShopFace } from './shop.ts';

/** The pages' knowledge of a browser, for the authorization server on the same host. */
export type Visitor = {
  /** The account that the browser is signed in to. */
  readonly accountOf: (req: IncomingMessage) => Promise<number | null>;
  /** The language of the pages for this browser. */
  readonly languageOf: (req: IncomingMessage) => Promise<Language>;
};

/** Reads the cookies of the pages on the account host. */
export const visitor = (
  account: string,
  { findSession, catalogs }: Pick<AccountPagesParts, 'findSession' | 'catalogs'>,
): Visitor => {
  const cookies = new Cookies({ url: account, cookies: 'account' });
  const face = new ShopFace(catalogs);
  return {
    accountOf: async ({ headers }) => {
      const session = await findSession(cookies.read(headers.cookie).session);
      return session?.account_id ?? null;
    },
    languageOf: async (req) =>
      languageFor(
        req,
        new URLSearchParams(),
        cookies.read(req.headers.cookie),
        languagesOf((await face.known()).storefront),
      ),
  };
};
