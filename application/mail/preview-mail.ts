import type { Permit } from '../../domain/access/permit.ts';
import { type MessageKind, messageAbout } from '../../domain/mail/message.ts';
import { type Language, offeredLanguage } from '../../domain/shared/language.ts';
import type { Mail } from '../../ports/outbound/mail.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { exampleOf, type MailFace, shopLetter } from './shop-letter.ts';

export type PreviewMailInput = {
  readonly kind: MessageKind;
  /** Null is the shop's own. */
  readonly language: Language | null;
  /** The parts of the shop's face that differ from the stored ones. */
  readonly face: Partial<MailFace>;
};

export type MailPreview = Omit<Mail, 'id' | 'to'> & { readonly language: Language };

/** A message to buyers with the facts of an example, by the shop's face or a proposed one. Nothing is stored. */
export const previewMail = (ports: Needs<'catalogs' | 'clock' | 'links'>) =>
  async function previewMail({ kind, language: asked, face }: PreviewMailInput): Promise<MailPreview> {
    const { storefront: stored, disclosure } = await ports.catalogs.current();
    const storefront = { product_url: null, product_detail_url: null, ...stored, ...face };
    const language = asked ?? offeredLanguage(stored, [stored?.locale]);
    const facts = await exampleOf(ports, kind, language);
    return { language, ...shopLetter({ storefront, disclosure }, ports.links, facts, language) };
  };

export type PreviewMail = ReturnType<typeof previewMail>;

export type TestMailInput = Pick<PreviewMailInput, 'kind' | 'language'> & {
  /** The member who asks, whose own address gets it; null for a token, which has none. */
  readonly account_id: number | null;
};

/** Whether a test mail was queued, and for which address. */
export type TestMail =
  | { readonly result: 'queued'; readonly to: string }
  | { readonly result: 'no_mail' | 'no_address'; readonly to: null };

/** Queues an example of a message to the member who asks for it. */
export const sendTestMail = ({
  accounts,
  mailSettings,
  messages,
}: Needs<'accounts' | 'messages'> & { readonly mailSettings: object | null }) =>
  async function sendTestMail(permit: Permit, { kind, language, account_id }: TestMailInput): Promise<TestMail> {
    if (mailSettings === null) return { result: 'no_mail', to: null };
    const account = account_id === null ? undefined : await accounts.get(account_id);
    if (!account) return { result: 'no_address', to: null };
    await messages.add(permit, { ...messageAbout(kind, { account_id }), locale: language, example: true });
    return { result: 'queued', to: account.email };
  };

export type SendTestMail = ReturnType<typeof sendTestMail>;
