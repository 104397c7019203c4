export const NOTICE_KINDS = [
  'sale',
  'failed_renewal',
  'dispute',
  'withdrawal',
  'ticket',
  'payment_event',
  'doctor',
  'disk',
  'backup',
] as const;
export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const NOTICE_TIMES = ['at_once', 'daily', 'never'] as const;
export type NoticeTime = (typeof NOTICE_TIMES)[number];

/** The shop's setting of its notices. An omitted kind is sent at its usual time. */
export type NoticeSettings = { readonly [K in NoticeKind]?: NoticeTime | undefined } & {
  /** The addresses that get every kind; without them each member gets the kinds of its role. */
  readonly to?: readonly string[] | undefined;
};

export const MOST_NOTICE_ADDRESSES = 10;
