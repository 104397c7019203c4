import type { Notice } from '../../shared/pieces.ts';
import type { Messages } from '../messages/en.ts';

type Said = string | Pick<Notice, 'text' | 'link'>;
type Texts = (m: Messages) => Readonly<Record<string, Said>>;

const noticeOf = (kind: Notice['kind'], said: Said): Notice =>
  typeof said === 'string' ? { kind, text: said, first: true } : { kind, ...said, first: true };

/**
 * The notice that the URL names after a form was accepted, such as `?done=revoked`. `done` and `faults` contain the
 * known texts; any other word yields none.
 */
export const noticeIn =
  (query: URLSearchParams, { done = () => ({}), faults = () => ({}) }: { done?: Texts; faults?: Texts }) =>
  (m: Messages): Notice | null => {
    const code = query.get('done') ?? '';
    const [good, bad] = [done(m), faults(m)];
    if (Object.hasOwn(good, code)) return noticeOf('done', good[code] as Said);
    return Object.hasOwn(bad, code) ? noticeOf('fault', bad[code] as Said) : null;
  };
