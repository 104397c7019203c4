import { moneyText } from '../billing/money.ts';
import type { refundedMoney } from '../billing/refund.ts';
import type { NoticeKind } from '../catalog/notify.ts';
import type { Notice, NoticeMail } from '../notices/notice.ts';
import { MAILS_AN_HOUR } from '../notices/telling.ts';
import type { Instant } from '../shared/instant.ts';
import type { Language } from '../shared/language.ts';
import { dayText, momentText } from '../shared/wording.ts';
import { ORDER_LINK_DAYS } from '../sign-in/sign-in-link.ts';
import { INVITATION_DAYS, type TeamRole } from '../teams/team.ts';
import type { Letter } from './letter.ts';
import type { MailWords } from './words/en.ts';
import { MAIL_WORDS } from './words/words.ts';

/** A license key of a product: its value, or null if the buyer already has the key with this prefix. */
export type LicenseKeyFact = { readonly product: string; readonly prefix: string; readonly value: string | null };

/** An order, as shown in mails. */
type SaleFacts = {
  readonly number: string;
  /** The names of the order's items; after a refund, only those whose product the buyer can use. */
  readonly items: readonly string[];
  /** The names of the others after a refund. */
  readonly ended: readonly string[];
  readonly total_cents: number;
  readonly currency: string;
  readonly license_keys: readonly LicenseKeyFact[];
  readonly url: string;
};

/** A ticket's number and subject; the subject may be empty. */
type TicketFacts = { readonly number: string; readonly subject: string; readonly url: string };

/** The notices of a kind: their number, their sums by currency, and the first ones. */
type NoticeFacts = {
  readonly kind: NoticeKind;
  readonly count: number;
  readonly sums: readonly (readonly [currency: string, cents: number])[];
  readonly entries: readonly {
    readonly name: string;
    /** The names of the products, or the subject of the ticket. */
    readonly products: string;
    readonly money: Notice['money'];
    readonly text: string | undefined;
    readonly mended: boolean;
  }[];
};

export type Facts =
  | (SaleFacts & { readonly kind: 'restored' })
  | (SaleFacts & {
      readonly kind: 'order';
      readonly ordered_at: Instant;
      readonly time_zone: string;
      /** The shop's company name, else its name. */
      readonly seller: string | null;
      readonly vat_cents: number | null;
      readonly receipt_url: string;
      /** The name of the only product, if it has files; else null. */
      readonly download: string | null;
      /** True if the links sign the buyer in. */
      readonly signs_in: boolean;
    })
  /** Includes the refunded amount. */
  | (SaleFacts & { readonly kind: 'refund'; readonly refunded: ReturnType<typeof refundedMoney> })
  | {
      readonly kind: 'key' | 'device';
      /** The product; null for a key of the whole account. */
      readonly product: string | null;
      readonly name: string;
      readonly url: string;
    }
  | { readonly kind: 'passkey' | 'passkey_removed'; readonly url: string }
  | { readonly kind: 'password_changed' | 'locked_out'; readonly url: string }
  | {
      readonly kind: 'withdrawal';
      readonly order: string;
      readonly items: readonly string[];
      readonly declared_at: Instant;
      readonly time_zone: string;
      readonly url: string;
    }
  | { readonly kind: 'license_key'; readonly key: LicenseKeyFact; readonly url: string }
  /** `sender` is the address of the account that offers a license. */
  | {
      readonly kind: 'transfer';
      readonly product: string;
      readonly sender: string;
      readonly until: Instant;
      readonly time_zone: string;
      readonly url: string;
    }
  /** `received`: the account has the license now; otherwise it had it before. */
  | { readonly kind: 'transferred'; readonly product: string; readonly received: boolean; readonly url: string }
  | { readonly kind: 'team_over_used'; readonly product: string; readonly url: string }
  /** `from` is the address of the team's account. */
  | {
      readonly kind: 'team_invitation';
      readonly from: string;
      readonly product: string;
      readonly role: TeamRole;
      readonly url: string;
    }
  | (TicketFacts & { readonly kind: 'answer'; readonly answer: string })
  | (TicketFacts & { readonly kind: 'ticket'; readonly text: string })
  | { readonly kind: 'email_change'; readonly minutes: number; readonly url: string }
  /** With `undo`, the page undoes the change. */
  | { readonly kind: 'email_changed'; readonly url: string; readonly undo: boolean }
  | {
      readonly kind: 'notice';
      readonly how: NoticeMail['how'];
      readonly more: boolean;
      readonly kinds: readonly NoticeFacts[];
      readonly url: string;
      /** Null for a reader who may not change the notices. */
      readonly change_url: string | null;
    }
  | { readonly kind: 'sign_in'; readonly minutes: number; readonly url: string; readonly passwords: boolean }
  | { readonly kind: 'console_sign_in'; readonly minutes: number; readonly url: string };

/** The maximum length of a product's name in a subject and on a button. */
const LONGEST_NAME = 50;

const short = (name: string): string =>
  [...name].length <= LONGEST_NAME ? name : `${[...name].slice(0, LONGEST_NAME - 1).join('')}…`;

type Rows = readonly (readonly [name: string, value: string])[];

/** A row about products, if there are any. */
const row = (name: string, products: readonly string[]): Rows =>
  products.length === 0 ? [] : [[name, products.join(', ')]];

/** A row about a fact, if there is one. */
const rowOf = (name: string, value: string | null): Rows => (value === null ? [] : [[name, value]]);

type Draft = Omit<Letter, 'button'> & { readonly button: string };
type FactsOf<K extends Facts['kind']> = Extract<Facts, { readonly kind: K }>;

const keyRow = ({ licenseKey: w }: MailWords, { product, prefix, value }: LicenseKeyFact) =>
  [w.name(product), value ?? w.kept(prefix)] as const;

const paidLetter = (w: MailWords, language: Language, sale: FactsOf<'order'>): Draft => {
  const { items, number, download, currency, vat_cents } = sale;
  const first = short(items[0] ?? '');
  return {
    subject: items.length > 1 ? w.paid.subjectOfMore(first, items.length - 1, number) : w.paid.subject(first, number),
    paragraphs: [
      download === null ? w.paid.text : w.paid.textOfDownload,
      ...(sale.license_keys.length > 0 ? [`${w.licenseKey.use} ${w.licenseKey.lost}`] : []),
    ],
    facts: [
      [w.order, number],
      [w.sale.date, dayText(language, sale.ordered_at, sale.time_zone)],
      ...rowOf(w.sale.seller, sale.seller),
      ...row(w.products, items),
      ...rowOf(w.sale.vat, vat_cents === null ? null : moneyText(language, vat_cents, currency)),
      [w.sale.total, moneyText(language, sale.total_cents, currency)],
    ],
    codes: sale.license_keys.map((key) => keyRow(w, key)),
    button: download === null ? w.toProducts : w.paid.download(short(download)),
    after: sale.signs_in ? [w.paid.signsIn(ORDER_LINK_DAYS)] : [],
    link: { text: w.sale.receipt, url: sale.receipt_url },
    closing: w.sale.closing,
  };
};

/** The parts of a message about an order of which some products may have ended. */
const changedSale = (w: MailWords, language: Language, { number, items, ended, total_cents, currency }: SaleFacts) => ({
  facts: [
    [w.order, number],
    ...row(w.sale.usable, items),
    ...row(w.sale.ended, ended),
    [w.sale.total, moneyText(language, total_cents, currency)],
  ] as const,
  button: w.toProducts,
  closing: w.sale.closing,
});

/** A notice on one line: what is known of its number, its products and its amount. */
const noticeLine = (
  w: MailWords,
  language: Language,
  { name, products, money, mended }: NoticeFacts['entries'][number],
) => {
  const amount = money ? moneyText(language, money.cents, money.currency) : '';
  const line = [name, short(products), amount].filter((part) => part !== '').join(' · ');
  return mended ? `${w.notice.mended}: ${line}` : line;
};

const noticeLetter = (w: MailWords, language: Language, { how, more, kinds, change_url }: FactsOf<'notice'>): Draft => {
  const { notice: words } = w;
  const link = change_url === null ? {} : { link: { text: words.change, url: change_url } };
  const common = { button: words.button, ...link, closing: words.closing };
  const line = (entry: NoticeFacts['entries'][number]) => noticeLine(w, language, entry);
  const [first] = kinds;
  const [entry] = first?.entries ?? [];
  if (how === 'test' || !first) return { ...common, subject: words.test, paragraphs: [words.testText] };
  if (how === 'at_once' && entry) {
    return {
      ...common,
      subject: `${words.kinds[first.kind]}: ${line(entry)}`,
      paragraphs: [
        entry.mended ? words.mendedText : words.texts[first.kind],
        ...(more ? [words.more(MAILS_AN_HOUR)] : []),
      ],
      ...(entry.text && { quote: entry.text }),
    };
  }
  const titles = kinds.map(({ kind, count }) => `${words.kinds[kind]} (${count})`);
  const list = ({ count, sums, entries }: NoticeFacts, n: number): string =>
    [
      [titles[n], ...sums.map(([currency, cents]) => moneyText(language, cents, currency))].join(' · '),
      ...entries.map((one) => (one.text ? `${line(one)}: ${short(one.text)}` : line(one))),
      ...(count > entries.length ? [words.others(count - entries.length)] : []),
    ].join('\n');
  return {
    ...common,
    subject: `${how === 'day' ? words.day : words.hour}: ${titles.join(', ')}`,
    paragraphs: [how === 'day' ? words.dayText : words.hourText(MAILS_AN_HOUR), ...kinds.map(list)],
  };
};

const draftOf = (facts: Facts, w: MailWords, language: Language): Draft => {
  switch (facts.kind) {
    case 'order':
      return paidLetter(w, language, facts);
    case 'refund': {
      const { refunded, items, ended, currency } = facts;
      const after = items.length > 0 ? w.refund.someEnded : w.refund.allEnded;
      return {
        ...changedSale(w, language, facts),
        subject: w.refund.subject(facts.number),
        paragraphs: [
          w.refund[refunded.is](moneyText(language, refunded.cents, currency)),
          ended.length === 0 ? w.refund.allUsable : after,
        ],
      };
    }
    case 'restored': {
      const { subject, text } = w.restored;
      return { ...changedSale(w, language, facts), subject: subject(facts.number), paragraphs: [text] };
    }
    case 'key':
    case 'device': {
      const { text, name, ...rest } = w[facts.kind];
      return { ...rest, paragraphs: [text], facts: [[name, facts.name], ...rowOf(w.product, facts.product)] };
    }
    case 'passkey':
    case 'passkey_removed': {
      const { subject, text } = facts.kind === 'passkey' ? w.passkey : w.passkeyRemoved;
      return { subject, paragraphs: [text], button: w.toPasskeys, closing: w.passkey.closing };
    }
    case 'password_changed':
    case 'locked_out': {
      const { text, ...rest } = facts.kind === 'locked_out' ? w.lockedOut : w.passwordChanged;
      return { ...rest, paragraphs: [text] };
    }
    case 'withdrawal': {
      const { order, items, declared_at, time_zone } = facts;
      return {
        subject: w.withdrawal.subject(order),
        paragraphs: [w.withdrawal.text, w.withdrawal.next],
        facts: [
          [w.order, order],
          [w.products, items.join(', ')],
          [w.withdrawal.received, momentText(language, declared_at, time_zone)],
        ],
        button: w.toTicket,
        closing: w.withdrawal.closing,
      };
    }
    case 'license_key': {
      const { subject, use, lost } = w.licenseKey;
      const codes = [keyRow(w, facts.key)];
      return { subject: subject(facts.key.product), paragraphs: [use], codes, button: w.toProducts, closing: lost };
    }
    case 'transfer': {
      const { subject, text, ...rest } = w.transfer;
      const { product, sender, until, time_zone } = facts;
      return {
        ...rest,
        subject: subject(short(product)),
        paragraphs: [text(sender, dayText(language, until, time_zone))],
        facts: [[w.product, product]],
      };
    }
    case 'transferred': {
      const { subject, text } = facts.received ? w.received : w.transferred;
      const { closing } = w.transferred;
      return { subject: subject(short(facts.product)), paragraphs: [text], button: w.toProducts, closing };
    }
    case 'team_over_used': {
      const { subject, text, ...rest } = w.overUsed;
      return { ...rest, subject: subject(short(facts.product)), paragraphs: [text] };
    }
    case 'team_invitation': {
      const { subject, text, billing, button, closing } = w.invitation;
      const { from, product, role } = facts;
      const paragraphs = [(role === 'billing' ? billing : text)(from, product)];
      return { subject: subject(product), paragraphs, button, closing: closing(INVITATION_DAYS) };
    }
    case 'ticket':
    case 'answer': {
      const { subject, text, closing } = w[facts.kind];
      return {
        subject: `${subject(facts.number)}${facts.subject === '' ? '' : `: ${facts.subject}`}`,
        paragraphs: [text],
        ...(facts.kind === 'ticket' && { facts: [[w.ticket.number, facts.number]] }),
        quote: facts.kind === 'ticket' ? facts.text : facts.answer,
        button: w.toTicket,
        closing,
      };
    }
    case 'email_change': {
      const { text, ...rest } = w.emailChange;
      return { ...rest, paragraphs: [text(facts.minutes)] };
    }
    case 'email_changed': {
      const { subject, text, undo, undoText, button, closing } = w.emailChanged;
      const way = facts.undo ? { button: undo, closing: undoText } : { button, closing };
      return { subject, paragraphs: [text], ...way };
    }
    case 'notice':
      return noticeLetter(w, language, facts);
    case 'sign_in': {
      const { text, password, ...rest } = w.signIn;
      return { ...rest, paragraphs: [text(facts.minutes), ...(facts.passwords ? [password] : [])] };
    }
    case 'console_sign_in': {
      const { text, ...rest } = w.consoleSignIn;
      return { ...rest, paragraphs: [text(facts.minutes)] };
    }
  }
};

/** The text of a message in a language. */
export const letterOf = (facts: Facts, language: Language): Letter => {
  const { button: text, ...draft } = draftOf(facts, MAIL_WORDS[language], language);
  return { ...draft, button: { text, url: facts.url } };
};
