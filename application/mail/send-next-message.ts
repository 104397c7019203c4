import type { Permit } from '../../domain/access/permit.ts';
import { isWithoutPerson } from '../../domain/accounts/account.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';
import { faultText, isGivenUp, nextAttempt, SENDING_SECONDS } from '../../domain/mail/message.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import { localeFor, offeredLanguage } from '../../domain/shared/language.ts';
import { type Mail, MailRefused, type TakenMessage } from '../../ports/outbound/mail.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { noticeFacts } from '../notices/notice-facts.ts';
import { type Ports as FactPorts, messageFacts, recipientOf } from './message-facts.ts';
import { exampleOf, shopLetter, siteOf } from './shop-letter.ts';

export type Ports = Needs<'mailer' | 'messages' | 'notices'> & FactPorts;

/**
 * `none`: no message is due. `lost`: another worker took it. `sent` and `dropped`: done. `rests`: it will be retried.
 * `failed`: stored for the operator.
 */
export type Sent =
  | { readonly end: 'none' | 'lost' }
  | { readonly end: 'sent' | 'dropped' | 'rests' | 'failed'; readonly taken: TakenMessage; readonly error?: unknown };

/**
 * Sends the message that has been due the longest. This worker has a lease of two minutes; if its process dies, the
 * next worker sends the message. So no message is lost, but one may arrive twice, with the same id.
 */
export const sendNextMessage = (ports: Ports) => {
  const { messages, mailer, clock, catalogs, links } = ports;
  const facts = messageFacts(ports);

  /** The message's text; undefined if it is obsolete. */
  const write = async (permit: Permit, { message }: TakenMessage): Promise<Mail | undefined> => {
    const account = await recipientOf(ports, message);
    if (account ? isWithoutPerson(account) : !message.notice) return undefined;
    const shop = await catalogs.current();
    // A sign-in link goes to the account's address, however it was typed.
    const own = account?.email ?? null;
    const address = message.account_id === null && account ? own : (message.email ?? own);
    const to = canonicalAddress(address ?? '');
    if (to === null) throw new MailRefused('The account has an address that no mail can reach; give it another one.');
    const language = offeredLanguage(shop.storefront, [message.locale, account?.locale, shop.storefront?.locale]);
    const locale = localeFor(language);
    const content = message.example
      ? await exampleOf(ports, message.kind, language)
      : message.notice
        ? await noticeFacts(ports, message, locale)
        : account && (await facts(permit, message, account, locale));
    if (!content) return undefined;
    return { id: `${message.id}@${siteOf(links)}`, to, ...shopLetter(shop, links, content, language) };
  };

  return async function sendNextMessage(permit: Permit): Promise<Sent> {
    const now = clock.now();
    const taken = await messages.take(permit, now, toInstant(millis(now) + SENDING_SECONDS * 1000));
    if (taken === 'none' || taken === 'lost') return { end: taken };
    try {
      const mail = await write(permit, taken);
      if (mail) await mailer.send(mail);
      await messages.finish(permit, taken);
      return { end: mail ? 'sent' : 'dropped', taken };
    } catch (error) {
      const fault = faultText(error instanceof Error ? error.message : String(error));
      const next = nextAttempt(taken.message, clock.now());
      if (error instanceof MailRefused || isGivenUp(taken.message, next)) {
        await messages.fail(permit, taken, fault, clock.now());
        return { end: 'failed', taken, error };
      }
      await messages.release(permit, taken, next, fault);
      return { end: 'rests', taken, error };
    }
  };
};

export type SendNextMessage = ReturnType<typeof sendNextMessage>;
