import { minorDigits } from '../billing/money.ts';
import type { refundedMoney } from '../billing/refund.ts';
import { type Instant, millis } from '../shared/instant.ts';
import type { Locale } from '../shared/locale.ts';
import type { Letter } from './letter.ts';

/** A license key of a product: its value, or null where the buyer has the key with this beginning already. */
export type LicenseKeyFact = { readonly product: string; readonly prefix: string; readonly value: string | null };

export type Facts =
  | {
      readonly kind: 'order' | 'refund' | 'restored';
      readonly number: string;
      /** The names of the order's items; after a refund, of those alone whose product the buyer can use. */
      readonly items: readonly string[];
      /** The names of the others after a refund. */
      readonly ended: readonly string[];
      readonly total_cents: number;
      readonly currency: string;
      /** The money that a refund gave back; null for another message. */
      readonly refunded: ReturnType<typeof refundedMoney> | null;
      readonly license_keys: readonly LicenseKeyFact[];
      readonly url: string;
    }
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
  | { readonly kind: 'answer'; readonly ticket: number; readonly answer: string; readonly url: string }
  | { readonly kind: 'email_change'; readonly minutes: number; readonly url: string }
  /** With `undo`, the page undoes the change. */
  | { readonly kind: 'email_changed'; readonly url: string; readonly undo: boolean }
  | { readonly kind: 'sign_in'; readonly minutes: number; readonly url: string; readonly passwords: boolean };

/** An amount for people: `$19.00`, `₩19,000`. */
const amount = (cents: number, currency: string, locale: Locale): string =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, minimumFractionDigits: minorDigits(currency) }).format(
    cents / 10 ** minorDigits(currency),
  );

/** A moment for people, with the time zone. */
const moment = (at: Instant, timeZone: string, locale: Locale): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'long', timeZone }).format(millis(at));

type SaleFacts = Extract<Facts, { readonly number: string }>;
type NoticeFacts = Extract<Facts, { readonly product: string | null }>;

/** A row about products, where there are any. */
const row = (name: string, products: readonly string[]): [string, string][] =>
  products.length === 0 ? [] : [[name, products.join(', ')]];

type Texts = {
  readonly order: (facts: SaleFacts) => Letter;
  readonly notice: (facts: NoticeFacts) => Letter;
  readonly passkey: (facts: Extract<Facts, { readonly kind: 'passkey' | 'passkey_removed' }>) => Letter;
  readonly passwordChanged: (facts: Pick<Facts, 'url'>) => Letter;
  readonly withdrawal: (facts: Extract<Facts, { readonly kind: 'withdrawal' }>) => Letter;
  readonly licenseKey: (facts: Extract<Facts, { readonly kind: 'license_key' }>) => Letter;
  readonly answer: (facts: Extract<Facts, { readonly kind: 'answer' }>) => Letter;
  readonly emailChange: (facts: Extract<Facts, { readonly kind: 'email_change' }>) => Letter;
  readonly emailChanged: (facts: Extract<Facts, { readonly kind: 'email_changed' }>) => Letter;
  readonly signIn: (facts: Extract<Facts, { readonly kind: 'sign_in' }>) => Letter;
};

const en: Texts = {
  order: ({ kind, number, items, ended, total_cents, currency, refunded, license_keys, url }) => ({
    subject: {
      order: `Your order ${number}`,
      refund: `Refund for your order ${number}`,
      restored: `Your order ${number} is paid again`,
    }[kind],
    paragraphs:
      kind === 'order'
        ? [
            'Thank you for your order. You find your downloads and licenses under Products in your account.',
            ...(license_keys.length > 0
              ? [
                  'Paste the license key into the application when it asks for one, and keep it to yourself. If you lose it, replace it under Products in your account.',
                ]
              : []),
          ]
        : refunded
          ? [
              `We have refunded ${{ all: 'your order in full', part: 'a part of your order', rest: 'the rest of your order' }[refunded.is]}: ${amount(refunded.cents, currency, 'en')}.`,
              ended.length === 0
                ? 'You can go on using its products.'
                : `${items.length > 0 ? 'Some of its' : 'Its'} products can no longer be used.`,
            ]
          : ['Your order is paid again, and you can use its products as before.'],
    facts: [
      ['Order', number],
      ...row(kind === 'order' ? 'Products' : 'Still usable', items),
      ...row('No longer usable', ended),
      ['Total', amount(total_cents, currency, 'en')],
    ],
    codes: license_keys.map(({ product, prefix, value }) => [
      `License key (${product})`,
      value ?? `${prefix}… (the key that you already have)`,
    ]),
    button: { text: 'See your products', url },
    closing: 'If something is wrong with this order, just reply to this message.',
  }),
  notice: ({ kind, product, name, url }) => ({
    subject: kind === 'key' ? 'A new key for your account' : 'A new device uses your license',
    paragraphs: [
      kind === 'key' ? 'A new key was created for your account.' : 'A new device was registered with your license.',
    ],
    facts: [[kind === 'key' ? 'Key' : 'Device', name], ...(product === null ? [] : ([['Product', product]] as const))],
    button: { text: kind === 'key' ? 'See your keys' : 'See your devices', url },
    closing: `If this was not you, ${kind === 'key' ? 'revoke the key' : 'release the device'} and set a new password.`,
  }),
  passkey: ({ kind, url }) => ({
    subject: kind === 'passkey' ? 'A new passkey for your account' : 'A passkey of your account was removed',
    paragraphs: [
      kind === 'passkey'
        ? 'A passkey was added to your account. It signs you in without your password.'
        : 'A passkey was removed from your account. It no longer signs you in.',
    ],
    button: { text: 'See your passkeys', url },
    closing: 'If this was not you, remove any passkey that you don’t recognize and set a new password.',
  }),
  passwordChanged: ({ url }) => ({
    subject: 'The password of your account was changed',
    paragraphs: ['Your account has a new password. All other browsers were signed out.'],
    button: { text: 'See your account’s security', url },
    closing: 'If this was not you, ask for a sign-in link and set a new password, or reply to this message right away.',
  }),
  withdrawal: ({ order, items, declared_at, time_zone, url }) => ({
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
    button: { text: 'See your support ticket', url },
    closing: 'If something is wrong with this withdrawal, just reply to this message.',
  }),
  licenseKey: ({ key: { product, prefix, value }, url }) => ({
    subject: `Your license key for ${product}`,
    paragraphs: ['Paste the license key into the application when it asks for one, and keep it to yourself.'],
    codes: [[`License key (${product})`, value ?? `${prefix}… (the key that you already have)`]],
    button: { text: 'See your products', url },
    closing: 'If you lose the key, replace it under Products in your account.',
  }),
  answer: ({ ticket, answer, url }) => ({
    subject: `Answer to your support ticket ${ticket}`,
    paragraphs: ['We have answered your support ticket:'],
    quote: answer,
    button: { text: 'See your support ticket', url },
    closing: 'If this does not help, just reply to this message.',
  }),
  emailChange: ({ minutes, url }) => ({
    subject: 'Confirm your new email address',
    paragraphs: [
      `Somebody asked to use this address for an account with us. The link works once, for ${minutes} minutes, in a browser that is signed in to that account.`,
    ],
    button: { text: 'Confirm the address', url },
    closing: 'If you did not ask for it, ignore this message. Nothing changes.',
  }),
  emailChanged: ({ url, undo }) => ({
    subject: 'The email address of your account was changed',
    paragraphs: [
      'Your account has a new email address. You can no longer sign in with this one, and it gets no more messages from us.',
    ],
    button: { text: undo ? 'This was not me' : 'See your profile', url },
    closing: undo
      ? 'If this was not you, the button restores this address for a week, without a sign-in.'
      : 'If this was not you, reply to this message right away.',
  }),
  signIn: ({ minutes, url, passwords }) => ({
    subject: 'Your sign-in link',
    paragraphs: [
      `This link signs you in once. It expires in ${minutes} minutes.`,
      ...(passwords ? ['After that you can set a new password.'] : []),
    ],
    button: { text: 'Sign in', url },
    closing: 'If you did not ask for it, ignore this message. Nobody can sign in without it.',
  }),
};

const ko: Texts = {
  order: ({ kind, number, items, ended, total_cents, currency, refunded, license_keys, url }) => ({
    subject: `주문 ${number} ${{ order: '안내', refund: '환불 안내', restored: '이용 재개 안내' }[kind]}`,
    paragraphs:
      kind === 'order'
        ? [
            '주문해 주셔서 감사합니다. 다운로드와 라이선스는 ‘내 제품’에서 확인하실 수 있습니다.',
            ...(license_keys.length > 0
              ? [
                  '앱에서 라이선스 키를 요청하면 아래 키를 붙여 넣어 주세요. 다른 사람에게는 알려 주지 마세요. 키를 잃어버리셨다면 ‘내 제품’에서 재발급하실 수 있습니다.',
                ]
              : []),
          ]
        : refunded
          ? [
              `주문 금액의 ${{ all: '전부', part: '일부', rest: '나머지' }[refunded.is]}(${amount(refunded.cents, currency, 'ko')})를 환불해 드렸습니다.`,
              ended.length === 0
                ? '제품은 계속 사용하실 수 있습니다.'
                : `${items.length > 0 ? '일부 ' : ''}제품은 더 이상 사용하실 수 없습니다.`,
            ]
          : ['주문이 다시 결제 완료 상태가 되었습니다. 제품을 이전과 같이 사용하실 수 있습니다.'],
    facts: [
      ['주문 번호', number],
      ...row(kind === 'order' ? '제품' : '계속 사용 가능', items),
      ...row('사용 종료', ended),
      ['합계', amount(total_cents, currency, 'ko')],
    ],
    codes: license_keys.map(({ product, prefix, value }) => [
      `라이선스 키 (${product})`,
      value ?? `${prefix}… (지금 쓰시는 키 그대로입니다)`,
    ]),
    button: { text: '내 제품 보기', url },
    closing: '주문에 문제가 있으면 이 메일에 회신해 주세요.',
  }),
  notice: ({ kind, product, name, url }) => ({
    subject: kind === 'key' ? '계정에 새 키가 만들어졌습니다' : '라이선스에 새 기기가 등록되었습니다',
    paragraphs: [
      kind === 'key' ? '고객님의 계정에 새 키가 만들어졌습니다.' : '고객님의 라이선스에 새 기기가 등록되었습니다.',
    ],
    facts: [[kind === 'key' ? '키' : '기기', name], ...(product === null ? [] : ([['제품', product]] as const))],
    button: { text: kind === 'key' ? '키 확인하기' : '기기 확인하기', url },
    closing: `본인이 한 일이 아니라면 ${kind === 'key' ? '그 키를 폐기하고' : '그 기기를 해제하고'} 비밀번호를 새로 정해 주세요.`,
  }),
  passkey: ({ kind, url }) => ({
    subject: kind === 'passkey' ? '계정에 새 패스키가 등록되었습니다' : '계정에서 패스키가 삭제되었습니다',
    paragraphs: [
      kind === 'passkey'
        ? '고객님의 계정에 패스키가 등록되었습니다. 이 패스키로 비밀번호 없이 로그인할 수 있습니다.'
        : '고객님의 계정에서 패스키가 삭제되었습니다. 이 패스키로는 더 이상 로그인할 수 없습니다.',
    ],
    button: { text: '패스키 확인하기', url },
    closing: '본인이 한 일이 아니라면 모르는 패스키를 삭제하고 비밀번호를 새로 정해 주세요.',
  }),
  passwordChanged: ({ url }) => ({
    subject: '계정의 비밀번호가 변경되었습니다',
    paragraphs: ['계정의 비밀번호가 변경되었습니다. 다른 브라우저에서는 모두 로그아웃되었습니다.'],
    button: { text: '보안 설정 확인하기', url },
    closing: '본인이 한 일이 아니라면 로그인 링크를 받아 비밀번호를 새로 정하시거나 바로 이 메일에 회신해 주세요.',
  }),
  withdrawal: ({ order, items, declared_at, time_zone, url }) => ({
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
    button: { text: '문의 내용 보기', url },
    closing: '청약철회에 문제가 있으면 이 메일에 회신해 주세요.',
  }),
  licenseKey: ({ key: { product, prefix, value }, url }) => ({
    subject: `${product} 라이선스 키 안내`,
    paragraphs: ['앱에서 라이선스 키를 요청하면 아래 키를 붙여 넣어 주세요. 다른 사람에게는 알려 주지 마세요.'],
    codes: [[`라이선스 키 (${product})`, value ?? `${prefix}… (지금 쓰시는 키 그대로입니다)`]],
    button: { text: '내 제품 보기', url },
    closing: '키를 잃어버리셨다면 ‘내 제품’에서 재발급하실 수 있습니다.',
  }),
  answer: ({ ticket, answer, url }) => ({
    subject: `문의 ${ticket}에 대한 답변`,
    paragraphs: ['문의하신 내용에 답변드립니다.'],
    quote: answer,
    button: { text: '문의 내용 보기', url },
    closing: '더 궁금한 점이 있으면 이 메일에 회신해 주세요.',
  }),
  emailChange: ({ minutes, url }) => ({
    subject: '새 이메일 주소를 확인해 주세요',
    paragraphs: [
      `이 주소를 계정의 이메일 주소로 사용하겠다는 요청이 있었습니다. 링크는 ${minutes}분 동안 한 번만 사용할 수 있으며, 그 계정으로 로그인한 브라우저에서 열어 주세요.`,
    ],
    button: { text: '주소 확인', url },
    closing: '요청하신 적이 없다면 이 메일을 무시하셔도 됩니다. 아무것도 변경되지 않습니다.',
  }),
  emailChanged: ({ url, undo }) => ({
    subject: '계정의 이메일 주소가 변경되었습니다',
    paragraphs: ['계정의 이메일 주소가 변경되어, 이 주소로는 더 이상 로그인할 수 없고 메일도 보내 드리지 않습니다.'],
    button: { text: undo ? '본인이 변경하지 않았습니다' : '내 정보 확인하기', url },
    closing: undo
      ? '본인이 한 일이 아니라면 일주일 안에 위 버튼을 눌러 주세요. 로그인하지 않아도 이 주소로 되돌릴 수 있습니다.'
      : '본인이 한 일이 아니라면 바로 이 메일에 회신해 주세요.',
  }),
  signIn: ({ minutes, url, passwords }) => ({
    subject: '로그인 링크',
    paragraphs: [
      `이 링크로 한 번 로그인하실 수 있습니다. 링크는 ${minutes}분 동안 유효합니다.`,
      ...(passwords ? ['로그인한 다음 비밀번호를 새로 정하실 수 있습니다.'] : []),
    ],
    button: { text: '로그인', url },
    closing: '요청하신 적이 없다면 아무것도 하지 않으셔도 됩니다. 이 메일 없이는 아무도 로그인할 수 없습니다.',
  }),
};

const TEXTS: Readonly<Record<Locale, Texts>> = { en, ko };

/** The words of a message in a language. */
export const letterOf = (facts: Facts, locale: Locale): Letter => {
  const texts = TEXTS[locale];
  switch (facts.kind) {
    case 'order':
    case 'refund':
    case 'restored':
      return texts.order(facts);
    case 'key':
    case 'device':
      return texts.notice(facts);
    case 'passkey':
    case 'passkey_removed':
      return texts.passkey(facts);
    case 'password_changed':
      return texts.passwordChanged(facts);
    case 'withdrawal':
      return texts.withdrawal(facts);
    case 'license_key':
      return texts.licenseKey(facts);
    case 'answer':
      return texts.answer(facts);
    case 'email_change':
      return texts.emailChange(facts);
    case 'email_changed':
      return texts.emailChanged(facts);
    case 'sign_in':
      return texts.signIn(facts);
  }
};
