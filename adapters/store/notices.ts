import type { Permit } from '../../domain/access/permit.ts';
import { zoneOf } from '../../domain/catalog/catalog.ts';
import { messageAbout, newMessage } from '../../domain/mail/message.ts';
import {
  type Audience,
  addressesOf,
  EMPTY_BOX,
  type Notice,
  type NoticeBox,
  type NoticeMail,
} from '../../domain/notices/notice.ts';
import { dueSummary, mailsOf, newsOf, told, withNews } from '../../domain/notices/telling.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { Notices } from '../../ports/outbound/notices.ts';
import { mailKeys } from './keys/mail.ts';
import { webhookKeys } from './keys/webhooks.ts';
import { ifUnchanged, itemOf } from './records.ts';
import type { TypedTable, TypedWrite } from './typed-table.ts';
import type { EventParts } from './webhook-writes.ts';

type Parts = EventParts &
  Needs<'accounts' | 'catalogs' | 'members'> & { readonly table: TypedTable; readonly mailSettings: object | null };

type ReadBox = { readonly box: NoticeBox; readonly version: string | null };

/** The box is one record that every telling writes, so of two workers one tells, and the other reads again. */
export class StoredNotices implements Notices {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get sendsMail(): boolean {
    return this.#parts.mailSettings !== null;
  }

  async audience(): Promise<Audience> {
    const { accounts, catalogs, members } = this.#parts;
    const { storefront } = await catalogs.current();
    const settings = storefront?.notify ?? {};
    const people = (await members.read()).members.map(async ({ account_id, role }) => {
      const account = await accounts.get(account_id);
      return account ? [{ email: account.email, role }] : [];
    });
    return { settings, people: (await Promise.all(people)).flat(), time_zone: zoneOf(storefront) };
  }

  /** The writes that tell notices. They go into the transaction that ends their events. */
  async writes(notices: readonly Notice[]): Promise<TypedWrite[]> {
    if (notices.length === 0 || !this.sendsMail) return [];
    const audience = await this.audience();
    const heard = notices.filter(({ kind }) => addressesOf(audience, kind).length > 0);
    return heard.length === 0 ? [] : this.#telling(await this.#read(), audience, heard);
  }

  /** Queues the next summary that is due; false if there is none. */
  async sum(_permit: Permit): Promise<boolean> {
    if (!this.sendsMail) return false;
    const read = await this.#read();
    const due = dueSummary(read.box, this.#parts.clock.now());
    if (!due) return false;
    await this.#parts.table.transact(this.#writes(read, due.box, await this.audience(), [due.mail]));
    return true;
  }

  async look(permit: Permit, found: NoticeBox['problems'], look: Parameters<Notices['look']>[2]): Promise<void> {
    if (!this.sendsMail) return;
    const audience = await this.audience();
    const heard = Object.entries(found).filter(([, { kind }]) => addressesOf(audience, kind).length > 0);
    const read = await this.#read();
    // One at a time, because a mail goes to several addresses.
    const [news] = newsOf(read.box.problems, Object.fromEntries(heard), look);
    if (!news) return;
    const { box, notice } = withNews(read.box, news);
    await this.#parts.table.transact(this.#telling({ ...read, box }, audience, [notice]));
    await this.look(permit, found, look);
  }

  async test(_permit: Permit): Promise<readonly string[]> {
    if (!this.sendsMail) return [];
    const mails = mailsOf({ how: 'test', kinds: [] }, await this.audience());
    if (mails.length > 0) await this.#parts.table.transact(this.#queued(mails));
    return mails.map(([address]) => address);
  }

  async #read(): Promise<ReadBox> {
    const item = await this.#parts.table.get(webhookKeys.noticeBox, { consistent: true });
    return { box: item?.data ?? EMPTY_BOX, version: item?.version ?? null };
  }

  #telling(read: ReadBox, audience: Audience, notices: readonly Notice[]): TypedWrite[] {
    let { box } = read;
    const mails: NoticeMail[] = [];
    for (const notice of notices) {
      const next = told(box, notice, audience, this.#parts.clock.now());
      box = next.box;
      if (next.mail) mails.push(next.mail);
    }
    return this.#writes(read, box, audience, mails);
  }

  #writes({ version }: ReadBox, box: NoticeBox, audience: Audience, mails: readonly NoticeMail[]): TypedWrite[] {
    return [
      { put: itemOf(webhookKeys.noticeBox, box), condition: ifUnchanged(version) },
      ...this.#queued(mails.flatMap((mail) => mailsOf(mail, audience))),
    ];
  }

  #queued(mails: ReturnType<typeof mailsOf>): TypedWrite[] {
    const { clock, messageIds } = this.#parts;
    return mails.map(([email, notice]) => {
      const about = { ...messageAbout('notice', { account_id: null }), email, notice };
      const message = newMessage(messageIds.next(), about, clock.now());
      return { put: itemOf(mailKeys.message(message), message), condition: { absent: true } };
    });
  }
}
