import type { Request } from 'express';
import type { Locale } from '../../../domain/shared/locale.ts';
import { localeOf } from '../../host/locale.ts';
import { languageNamed } from '../shared/language.ts';

/** A request for a page. */
export type Visit = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly locale: Locale;
  /** The language that the address chooses, which every link keeps; undefined where the browser's counts. */
  readonly chosen: Locale | undefined;
  /** The own path with its query, without the language. */
  readonly here: string;
};

export const visitOf = (req: Request): Visit => {
  const query = new URLSearchParams(req.originalUrl.split('?').slice(1).join('?'));
  const chosen = languageNamed(query.get('hl'));
  query.delete('hl');
  return {
    params: req.params as Record<string, string>,
    query,
    locale: chosen ?? localeOf(req.headers['accept-language']),
    chosen,
    here: query.size === 0 ? req.path : `${req.path}?${query}`,
  };
};
