import type { Messages } from '../messages/en.ts';
import type { Notice } from '../views/pieces.ts';

type Texts = (m: Messages) => Readonly<Record<string, string>>;

/**
 * The notice that the address asks for after a form was taken, such as `?done=revoked`. `done` and `faults` name the
 * texts that there are; any other word gives none.
 */
export const noticeIn =
  (query: URLSearchParams, { done = () => ({}), faults = () => ({}) }: { done?: Texts; faults?: Texts }) =>
  (m: Messages): Notice | null => {
    const asked = query.get('done') ?? '';
    const [good, bad] = [done(m), faults(m)];
    if (Object.hasOwn(good, asked)) return { kind: 'done', text: good[asked] as string };
    return Object.hasOwn(bad, asked) ? { kind: 'fault', text: bad[asked] as string } : null;
  };
