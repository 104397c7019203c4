import type { NoticeKind, NoticeTime } from '../../../../../domain/catalog/notify.ts';

export const notices = {
  title: 'Notices',
  lead: 'Mails to you and the people who run the shop with you.',
  noMail: 'This service sends no mail, so nobody gets notices. Set it up with SMTP_URL and MAIL_FROM.',
  kinds: {
    sale: 'Sales',
    failed_renewal: 'Failed renewals',
    dispute: 'Disputes',
    withdrawal: 'Withdrawals',
    ticket: 'Tickets',
    payment_event: 'Payments that were not recorded',
    doctor: 'Problems of the shop',
    disk: 'A disk that is nearly full',
    backup: 'A backup that is missing',
  } satisfies Record<NoticeKind, string>,
  times: { at_once: 'At once', daily: 'In the daily summary', never: 'Never' } satisfies Record<NoticeTime, string>,
  goesTo: (addresses: string) => `To ${addresses}`,
  nobody: 'To nobody: no member has a role for it.',
  to: 'Addresses',
  toHint: 'One on each line, for every kind. Empty: each member gets what fits their role.',
  bounds:
    'The daily summary comes at eight in the morning in the shop’s time zone. After ten mails of a kind in an hour, the rest of the hour comes in one summary.',
  save: 'Save',
  saved: 'The notices are saved.',
  test: 'Send a test',
  testText: 'A test goes to every address that gets notices.',
  tested: (addresses: string) => `The test is on its way to ${addresses}.`,
  testedNobody: 'Nobody gets notices, so no test was sent.',
};

export type NoticesWords = typeof notices;
