import type { Message } from '../../domain/mail/message.ts';
import type { Facts } from '../../domain/mail/texts.ts';
import { mayOpen, type Notice } from '../../domain/notices/notice.ts';
import { mailsOf } from '../../domain/notices/telling.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import { plainName } from '../../domain/shared/plain-text.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/**
 * Reads the facts of a notice when it is sent: the names of products, and the subject of a ticket. The mail
 * has the kinds that its address still gets. Undefined if it gets none any more, as a removed member, and for the notice
 * about a deleted ticket, as after the erasure of its account. Its links are those that its reader's role may open.
 */
export const noticeFacts = async (
  { catalogs, links, notices, tickets }: Needs<'catalogs' | 'links' | 'notices' | 'tickets'>,
  { email, notice }: Pick<Message, 'email' | 'notice'>,
  locale: Locale,
): Promise<Facts | undefined> => {
  const audience = await notices.audience();
  const wanted = notice && mailsOf(notice, audience).find(([address]) => address === email);
  if (!wanted) return undefined;
  const [address, { how, more, kinds }] = wanted;
  const { products } = await catalogs.current();
  const entryOf = async ({ name, product_ids = [], money, ticket_id, text, mended }: Notice) => {
    const ticket = ticket_id === undefined ? undefined : await tickets.get(ticket_id);
    if (ticket_id !== undefined && !ticket) return undefined;
    const named = product_ids.map((id) => inLocale(products.get(id)?.name ?? {}, locale) ?? `#${id}`);
    const subject = (ticket && plainName(ticket.summary)) ?? '';
    return { name, products: [...new Set(named)].join(', ') || subject, money, text, mended: mended ?? false };
  };
  const read = await Promise.all(
    kinds.map(async ({ kind, count, sums, first }) => {
      const entries = (await Promise.all(first.map(entryOf))).filter((entry) => entry !== undefined);
      return { kind, count, sums: Object.entries(sums), entries };
    }),
  );
  const [only] = kinds;
  if (how === 'at_once' && read[0]?.entries.length === 0) return undefined;
  const page = how === 'at_once' && mayOpen(audience, address, only?.kind) ? (only?.first[0]?.page ?? '') : '';
  return {
    kind: 'notice',
    how,
    more: more ?? false,
    kinds: read,
    url: links.console(page),
    change_url: mayOpen(audience, address) ? links.console('notices') : null,
  };
};
