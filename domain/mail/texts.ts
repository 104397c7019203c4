import { minorDigits } from '../billing/money.ts';
import type { refundedMoney } from '../billing/refund.ts';
import { type Instant, millis } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import { ORDER_LINK_DAYS } from '../sign-in/sign-in-link.ts';
import type { Letter } from './letter.ts';

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

export type Facts =
  | (SaleFacts & { readonly kind: 'restored' })
  | (SaleFacts & {
      readonly kind: 'order';
      readonly ordered_at: Instant;
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
  | { readonly kind: 'password_changed'; readonly url: string }
  | {
      readonly kind: 'withdrawal';
      readonly order: string;
      readonly items: readonly string[];
      readonly declared_at: Instant;
      readonly time_zone: string;
      readonly url: string;
    }
  | { readonly kind: 'license_key'; readonly key: LicenseKeyFact; readonly url: string }
  | (TicketFacts & { readonly kind: 'answer'; readonly answer: string })
  | (TicketFacts & { readonly kind: 'ticket'; readonly text: string })
  | { readonly kind: 'email_change'; readonly minutes: number; readonly url: string }
  /** With `undo`, the page undoes the change. */
  | { readonly kind: 'email_changed'; readonly url: string; readonly undo: boolean }
  | { readonly kind: 'sign_in'; readonly minutes: number; readonly url: string; readonly passwords: boolean };

/** An amount for display: `$19.00`, `₩19,000`. */
const amount = (cents: number, currency: string, locale: Locale): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: minorDigits(currency) }).format(
    cents / 10 ** minorDigits(currency),
  );

/** A moment for display, with the time zone. */
const moment = (at: Instant, timeZone: string, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone }).format(millis(at));

/** A day for display, in UTC as on the pages. */
const day = (at: Instant, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(millis(at));

/** The maximum length of a product's name in a subject and on a button. */
const LONGEST_NAME = 50;

const short = (name: string): string =>
  [...name].length <= LONGEST_NAME ? name : `${[...name].slice(0, LONGEST_NAME - 1).join('')}…`;

type Rows = readonly (readonly [name: string, value: string])[];

/** A row about products, if there are any. */
const row = (name: string, products: readonly string[]): Rows =>
  products.length === 0 ? [] : [[name, products.join(', ')]];

/** The text of a mail. Its button leads to the page with the details. */
type Words = Omit<Letter, 'button'> & { readonly button: string };
type Texts = { readonly [K in Facts['kind']]: (facts: Facts & { readonly kind: K }) => Words };

/** The parts that all mails about an order share. */
const enSale = ({ number, total_cents, currency }: SaleFacts, products: Rows) =>
  ({
    facts: [['Order', number], ...products, ['Total', amount(total_cents, currency, 'en')]],
    button: 'See your products',
    closing: 'If something is wrong with this order, just reply to this message.',
  }) as const;

const enUse = ({ items, ended }: SaleFacts): Rows => [...row('Still usable', items), ...row('No longer usable', ended)];

const enKey = ({ product, prefix, value }: LicenseKeyFact) =>
  [`License key (${product})`, value ?? `${prefix}… (the key that you already have)`] as const;

const en: Texts = {
  order: (sale) => ({
    ...enSale(sale, row('Products', sale.items)),
    facts: [
      ['Order', sale.number],
      ['Date', day(sale.ordered_at, 'en')],
      ...row('Seller', sale.seller === null ? [] : [sale.seller]),
      ...row('Products', sale.items),
      ...row('VAT included', sale.vat_cents === null ? [] : [amount(sale.vat_cents, sale.currency, 'en')]),
      ['Total', amount(sale.total_cents, sale.currency, 'en')],
    ],
    subject: `${short(sale.items[0] ?? '')}${sale.items.length > 1 ? ` and ${sale.items.length - 1} more` : ''}: your order ${sale.number}`,
    button: sale.download === null ? 'See your products' : `Download ${short(sale.download)}`,
    link: { text: 'Receipt', url: sale.receipt_url },
    paragraphs: [
      `Thank you for your order. The button leads to ${sale.download === null ? 'your products' : 'your download'}.`,
      ...(sale.signs_in
        ? [
            `It signs you in once within ${ORDER_LINK_DAYS} days, on the computer where you open it; after that, you sign in as usual. Until then, do not forward this message: whoever opens it first is signed in to your account.`,
          ]
        : []),
      ...(sale.license_keys.length > 0
        ? [
            'Paste the license key into the application when it asks for one, and keep it to yourself. If you lose it, replace it under Products in your account.',
          ]
        : []),
    ],
    codes: sale.license_keys.map(enKey),
  }),
  refund: (sale) => ({
    ...enSale(sale, enUse(sale)),
    subject: `Refund for your order ${sale.number}`,
    paragraphs: [
      `We have refunded ${{ all: 'your order in full', part: 'a part of your order', rest: 'the rest of your order' }[sale.refunded.is]}: ${amount(sale.refunded.cents, sale.currency, 'en')}.`,
      sale.ended.length === 0
        ? 'You can go on using its products.'
        : `${sale.items.length > 0 ? 'Some of its' : 'Its'} products can no longer be used.`,
    ],
  }),
  restored: (sale) => ({
    ...enSale(sale, enUse(sale)),
    subject: `Your order ${sale.number} is paid again`,
    paragraphs: ['Your order is paid again, and you can use its products as before.'],
  }),
  key: ({ product, name }) => ({
    subject: 'A new key for your account',
    paragraphs: ['A new key was created for your account.'],
    facts: [['Key', name], ...row('Product', product === null ? [] : [product])],
    button: 'See your keys',
    closing: 'If this was not you, revoke the key and set a new password.',
  }),
  device: ({ product, name }) => ({
    subject: 'A new device uses your license',
    paragraphs: ['A new device was registered with your license.'],
    facts: [['Device', name], ...row('Product', product === null ? [] : [product])],
    button: 'See your devices',
    closing: 'If this was not you, release the device and set a new password.',
  }),
  passkey: () => ({
    subject: 'A new passkey for your account',
    paragraphs: ['A passkey was added to your account. It signs you in without your password.'],
    button: 'See your passkeys',
    closing: 'If this was not you, remove any passkey that you don’t recognize and set a new password.',
  }),
  passkey_removed: () => ({
    subject: 'A passkey of your account was removed',
    paragraphs: ['A passkey was removed from your account. It no longer signs you in.'],
    button: 'See your passkeys',
    closing: 'If this was not you, remove any passkey that you don’t recognize and set a new password.',
  }),
  password_changed: () => ({
    subject: 'The password of your account was changed',
    paragraphs: ['Your account has a new password. All other browsers were signed out.'],
    button: 'See your account’s security',
    closing: 'If this was not you, ask for a sign-in link and set a new password, or reply to this message right away.',
  }),
  withdrawal: ({ order, items, declared_at, time_zone }) => ({
    subject: `Your withdrawal from order ${order}`,
    paragraphs: [
      'We have received your withdrawal from this order. Keep this message as its confirmation.',
      'Next we look at the order and answer in the support ticket below. Money that is due goes back the way you paid.',
    ],
    facts: [
      ['Order', order],
      ['Products', items.join(', ')],
      ['Received', moment(declared_at, time_zone, 'en')],
    ],
    button: 'See your support ticket',
    closing: 'If something is wrong with this withdrawal, just reply to this message.',
  }),
  license_key: ({ key }) => ({
    subject: `Your license key for ${key.product}`,
    paragraphs: ['Paste the license key into the application when it asks for one, and keep it to yourself.'],
    codes: [enKey(key)],
    button: 'See your products',
    closing: 'If you lose the key, replace it under Products in your account.',
  }),
  ticket: ({ number, subject, text }) => ({
    subject: `We have your message [${number}]${subject === '' ? '' : `: ${subject}`}`,
    paragraphs: ['Thank you for writing. Your message reached us, and we answer by email and in the ticket below.'],
    facts: [['Ticket', number]],
    quote: text,
    button: 'See your support ticket',
    closing: 'You can add to it in the ticket at any time.',
  }),
  answer: ({ number, subject, answer }) => ({
    subject: `Answer to your ticket [${number}]${subject === '' ? '' : `: ${subject}`}`,
    paragraphs: ['We have answered your support ticket:'],
    quote: answer,
    button: 'See your support ticket',
    closing: 'If this does not help, just reply to this message.',
  }),
  email_change: ({ minutes }) => ({
    subject: 'Confirm your new email address',
    paragraphs: [
      `Somebody asked to use this address for an account with us. The link works once, for ${minutes} minutes, in a browser that is signed in to that account.`,
    ],
    button: 'Confirm the address',
    closing: 'If you did not ask for it, ignore this message. Nothing changes.',
  }),
  email_changed: ({ undo }) => ({
    subject: 'The email address of your account was changed',
    paragraphs: [
      'Your account has a new email address. You can no longer sign in with this one, and it gets no more messages from us.',
    ],
    button: undo ? 'This was not me' : 'See your profile',
    closing: undo
      ? 'If this was not you, the button restores this address for a week, without a sign-in.'
      : 'If this was not you, reply to this message right away.',
  }),
  sign_in: ({ minutes, passwords }) => ({
    subject: 'Your sign-in link',
    paragraphs: [
      `This link signs you in once. It expires in ${minutes} minutes.`,
      ...(passwords ? ['After that you can set a new password.'] : []),
    ],
    button: 'Sign in',
    closing: 'If you did not ask for it, ignore this message. Nobody can sign in without it.',
  }),
};

const koSale = ({ number, total_cents, currency }: SaleFacts, products: Rows) =>
  ({
    facts: [['주문 번호', number], ...products, ['합계', amount(total_cents, currency, 'ko')]],
    button: '내 제품 보기',
    closing: '주문에 문제가 있으면 이 메일에 회신해 주세요.',
  }) as const;

const koUse = ({ items, ended }: SaleFacts): Rows => [...row('계속 사용 가능', items), ...row('사용 종료', ended)];

const koKey = ({ product, prefix, value }: LicenseKeyFact) =>
  [`라이선스 키 (${product})`, value ?? `${prefix}… (지금 쓰시는 키 그대로입니다)`] as const;

const ko: Texts = {
  order: (sale) => ({
    ...koSale(sale, row('제품', sale.items)),
    facts: [
      ['주문 번호', sale.number],
      ['주문일', day(sale.ordered_at, 'ko')],
      ...row('판매자', sale.seller === null ? [] : [sale.seller]),
      ...row('제품', sale.items),
      ...row('합계에 포함된 부가세', sale.vat_cents === null ? [] : [amount(sale.vat_cents, sale.currency, 'ko')]),
      ['합계', amount(sale.total_cents, sale.currency, 'ko')],
    ],
    subject: `${short(sale.items[0] ?? '')}${sale.items.length > 1 ? ` 외 ${sale.items.length - 1}개` : ''} 주문 ${sale.number} 안내`,
    button: sale.download === null ? '내 제품 보기' : `${short(sale.download)} 다운로드`,
    link: { text: '영수증 보기', url: sale.receipt_url },
    paragraphs: [
      `주문해 주셔서 감사합니다. 아래 버튼을 누르시면 ${sale.download === null ? '구매하신 제품을 확인하실' : '바로 내려받으실'} 수 있습니다.`,
      ...(sale.signs_in
        ? [
            `버튼을 누르신 컴퓨터에서 ${ORDER_LINK_DAYS}일 안에 한 번 자동으로 로그인되며, 그 뒤에는 평소처럼 로그인하시면 됩니다. 가장 먼저 버튼을 누른 사람이 고객님의 계정에 로그인하게 되므로, 그때까지는 이 메일을 다른 사람에게 전달하지 마세요.`,
          ]
        : []),
      ...(sale.license_keys.length > 0
        ? [
            '앱에서 라이선스 키를 요청하면 아래 키를 붙여 넣어 주세요. 다른 사람에게는 알려 주지 마세요. 키를 잃어버리셨다면 ‘내 제품’에서 재발급하실 수 있습니다.',
          ]
        : []),
    ],
    codes: sale.license_keys.map(koKey),
  }),
  refund: (sale) => ({
    ...koSale(sale, koUse(sale)),
    subject: `주문 ${sale.number} 환불 안내`,
    paragraphs: [
      `주문 금액의 ${{ all: '전부', part: '일부', rest: '나머지' }[sale.refunded.is]}(${amount(sale.refunded.cents, sale.currency, 'ko')})를 환불해 드렸습니다.`,
      sale.ended.length === 0
        ? '제품은 계속 사용하실 수 있습니다.'
        : `${sale.items.length > 0 ? '일부 ' : ''}제품은 더 이상 사용하실 수 없습니다.`,
    ],
  }),
  restored: (sale) => ({
    ...koSale(sale, koUse(sale)),
    subject: `주문 ${sale.number} 이용 재개 안내`,
    paragraphs: ['주문의 결제가 다시 확인되었습니다. 제품을 이전과 같이 사용하실 수 있습니다.'],
  }),
  key: ({ product, name }) => ({
    subject: '계정에 새 키가 만들어졌습니다',
    paragraphs: ['고객님의 계정에 새 키가 만들어졌습니다.'],
    facts: [['키', name], ...row('제품', product === null ? [] : [product])],
    button: '키 확인하기',
    closing: '본인이 한 일이 아니라면 그 키를 폐기하고 비밀번호를 새로 정해 주세요.',
  }),
  device: ({ product, name }) => ({
    subject: '라이선스에 새 기기가 등록되었습니다',
    paragraphs: ['고객님의 라이선스에 새 기기가 등록되었습니다.'],
    facts: [['기기', name], ...row('제품', product === null ? [] : [product])],
    button: '기기 확인하기',
    closing: '본인이 한 일이 아니라면 그 기기를 해제하고 비밀번호를 새로 정해 주세요.',
  }),
  passkey: () => ({
    subject: '계정에 새 패스키가 등록되었습니다',
    paragraphs: ['고객님의 계정에 패스키가 등록되었습니다. 이 패스키로 비밀번호 없이 로그인할 수 있습니다.'],
    button: '패스키 확인하기',
    closing: '본인이 한 일이 아니라면 모르는 패스키를 삭제하고 비밀번호를 새로 정해 주세요.',
  }),
  passkey_removed: () => ({
    subject: '계정에서 패스키가 삭제되었습니다',
    paragraphs: ['고객님의 계정에서 패스키가 삭제되었습니다. 이 패스키로는 더 이상 로그인할 수 없습니다.'],
    button: '패스키 확인하기',
    closing: '본인이 한 일이 아니라면 모르는 패스키를 삭제하고 비밀번호를 새로 정해 주세요.',
  }),
  password_changed: () => ({
    subject: '계정의 비밀번호가 변경되었습니다',
    paragraphs: ['계정의 비밀번호가 변경되었습니다. 다른 브라우저에서는 모두 로그아웃되었습니다.'],
    button: '보안 설정 확인하기',
    closing: '본인이 한 일이 아니라면 로그인 링크를 받아 비밀번호를 새로 정하시거나 바로 이 메일에 회신해 주세요.',
  }),
  withdrawal: ({ order, items, declared_at, time_zone }) => ({
    subject: `주문 ${order} 청약철회 접수 확인`,
    paragraphs: [
      '이 주문에 대한 청약철회가 접수되었습니다. 이 메일은 접수 확인이니 보관해 주세요.',
      '주문을 확인한 뒤 아래 문의에서 답변드리겠습니다. 환불받으실 금액이 있으면 결제하신 수단으로 돌려드립니다.',
    ],
    facts: [
      ['주문 번호', order],
      ['제품', items.join(', ')],
      ['접수 일시', moment(declared_at, time_zone, 'ko')],
    ],
    button: '문의 내용 보기',
    closing: '청약철회에 문제가 있으면 이 메일에 회신해 주세요.',
  }),
  license_key: ({ key }) => ({
    subject: `${key.product} 라이선스 키 안내`,
    paragraphs: ['앱에서 라이선스 키를 요청하면 아래 키를 붙여 넣어 주세요. 다른 사람에게는 알려 주지 마세요.'],
    codes: [koKey(key)],
    button: '내 제품 보기',
    closing: '키를 잃어버리셨다면 ‘내 제품’에서 재발급하실 수 있습니다.',
  }),
  ticket: ({ number, subject, text }) => ({
    subject: `문의가 접수되었습니다 [${number}]${subject === '' ? '' : `: ${subject}`}`,
    paragraphs: [
      '문의해 주셔서 감사합니다. 보내 주신 내용이 접수되었으며, 이메일과 아래 문의 페이지로 답변드리겠습니다.',
    ],
    facts: [['문의 번호', number]],
    quote: text,
    button: '문의 내용 보기',
    closing: '덧붙이실 내용이 있으면 문의 페이지에 언제든지 남겨 주세요.',
  }),
  answer: ({ number, subject, answer }) => ({
    subject: `문의 답변 [${number}]${subject === '' ? '' : `: ${subject}`}`,
    paragraphs: ['문의하신 내용에 답변드립니다.'],
    quote: answer,
    button: '문의 내용 보기',
    closing: '더 궁금한 점이 있으면 이 메일에 회신해 주세요.',
  }),
  email_change: ({ minutes }) => ({
    subject: '새 이메일 주소를 확인해 주세요',
    paragraphs: [
      `이 주소를 계정의 이메일 주소로 사용하겠다는 요청이 있었습니다. 링크는 ${minutes}분 동안 한 번만 사용할 수 있으며, 그 계정으로 로그인한 브라우저에서 열어 주세요.`,
    ],
    button: '주소 확인',
    closing: '요청하신 적이 없다면 이 메일을 무시하셔도 됩니다. 아무것도 변경되지 않습니다.',
  }),
  email_changed: ({ undo }) => ({
    subject: '계정의 이메일 주소가 변경되었습니다',
    paragraphs: ['계정의 이메일 주소가 변경되어, 이 주소로는 더 이상 로그인할 수 없고 메일도 보내 드리지 않습니다.'],
    button: undo ? '본인이 변경하지 않았습니다' : '내 정보 확인하기',
    closing: undo
      ? '본인이 한 일이 아니라면 일주일 안에 위 버튼을 눌러 주세요. 로그인하지 않아도 이 주소로 되돌릴 수 있습니다.'
      : '본인이 한 일이 아니라면 바로 이 메일에 회신해 주세요.',
  }),
  sign_in: ({ minutes, passwords }) => ({
    subject: '로그인 링크',
    paragraphs: [
      `이 링크로 한 번 로그인하실 수 있습니다. 링크는 ${minutes}분 동안 유효합니다.`,
      ...(passwords ? ['로그인한 다음 비밀번호를 새로 정하실 수 있습니다.'] : []),
    ],
    button: '로그인',
    closing: '요청하신 적이 없다면 아무것도 하지 않으셔도 됩니다. 이 메일 없이는 아무도 로그인할 수 없습니다.',
  }),
};

const TEXTS: Readonly<Record<Locale, Texts>> = { en, ko };

/** The text of a message in a language. */
export const letterOf = (facts: Facts, locale: Locale): Letter => {
  const { button: text, ...words } = (TEXTS[locale][facts.kind] as (facts: Facts) => Words)(facts);
  return { ...words, button: { text, url: facts.url } };
};
