import type { Permit } from '../../domain/access/permit.ts';
import { NOTICE_KINDS, type NoticeKind, type NoticeTime } from '../../domain/catalog/notify.ts';
import { addressesOf, timeOf } from '../../domain/notices/notice.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

type KindOfNotices = { readonly kind: NoticeKind; readonly time: NoticeTime; readonly to: readonly string[] };

/** Each kind of notice with its time and the addresses that get it. */
export const showNotices = ({ notices }: Needs<'notices'>) =>
  async function showNotices(): Promise<{ readonly sends_mail: boolean; readonly kinds: readonly KindOfNotices[] }> {
    const audience = await notices.audience();
    const { settings } = audience;
    const kinds = NOTICE_KINDS.map((kind) => ({ kind, time: timeOf(settings, kind), to: addressesOf(audience, kind) }));
    return { sends_mail: notices.sendsMail, kinds };
  };

/** Mails a test to every address that gets notices, and returns them. */
export const testNotices = ({ notices }: Needs<'notices'>) =>
  async function testNotices(permit: Permit): Promise<{ readonly to: readonly string[] }> {
    return { to: await notices.test(permit) };
  };
