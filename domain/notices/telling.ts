import { NOTICE_KINDS } from '../catalog/notify.ts';
import { awaits, type Instant, MINUTE_MS, millis, toInstant } from '../shared/instant.ts';
import {
  type Audience,
  addressesOf,
  type Notice,
  type NoticeBox,
  type NoticeMail,
  type Problem,
  tallied,
  timeOf,
} from './notice.ts';

/** The mails of a kind in an hour. Later ones are in one summary at the end of the hour. */
export const MAILS_AN_HOUR = 10;

/** The hour of the shop's day at which the summary of a day is sent. */
export const SUMMARY_HOUR = 8;

const QUARTER_MS = 15 * MINUTE_MS;

/** The next moment at which the clocks of a zone show the hour of the summary. */
export const nextSummary = (now: Instant, timeZone: string): Instant => {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' });
  /** The day whose summary is the last one at a moment. */
  const dayAt = (at: number): string => {
    const [day = '', time = ''] = format.format(at).split(' ');
    return `${day} ${Number(time.slice(0, 2)) >= SUMMARY_HOUR ? 'after' : ''}`;
  };
  const before = dayAt(millis(now));
  let at = Math.floor(millis(now) / QUARTER_MS) * QUARTER_MS;
  // An hour may be missing or occur twice, so the search proceeds in steps.
  do at += QUARTER_MS;
  while (!dayAt(at).endsWith('after') || dayAt(at) === before);
  return toInstant(at);
};

const hourOf = (now: Instant): string => now.slice(0, 'YYYY-MM-DDTHH'.length);

/** The box after a notice, and the mail that it causes now. Nothing is lost: each notice is in one mail or in the box. */
export const told = (
  box: NoticeBox,
  notice: Notice,
  { settings, time_zone }: Audience,
  now: Instant,
): { readonly box: NoticeBox; readonly mail: NoticeMail | null } => {
  const { kind } = notice;
  if (timeOf(settings, kind) === 'daily') {
    const { due_at, kinds } = box.day ?? { due_at: nextSummary(now, time_zone), kinds: {} };
    return { box: { ...box, day: { due_at, kinds: { ...kinds, [kind]: tallied(notice, kinds[kind]) } } }, mail: null };
  }
  const last = box.hours[kind];
  // A summary that is due keeps its hour.
  const isOf = last && (last.rest !== null || last.hour === hourOf(now));
  const { hour, sent, rest } = isOf ? last : { hour: hourOf(now), sent: 0, rest: null };
  const withHour = (changed: typeof last) => ({ ...box, hours: { ...box.hours, [kind]: changed } });
  if (sent >= MAILS_AN_HOUR)
    return { box: withHour({ hour, sent, rest: tallied(notice, rest ?? undefined) }), mail: null };
  const mail = { how: 'at_once', kinds: [{ kind, ...tallied(notice) }] } as const;
  const isLast = sent + 1 === MAILS_AN_HOUR;
  return { box: withHour({ hour, sent: sent + 1, rest }), mail: isLast ? { ...mail, more: true } : mail };
};

/**
 * The mail of an hour or a day that has ended, and the box without it; undefined if none is due. One that lies far ahead
 * is of a clock that was wrong, and is due.
 */
export const dueSummary = (
  box: NoticeBox,
  now: Instant,
): { readonly box: NoticeBox; readonly mail: NoticeMail } | undefined => {
  for (const kind of NOTICE_KINDS) {
    const { [kind]: ended, ...hours } = box.hours;
    if (ended?.rest && ended.hour !== hourOf(now))
      return { box: { ...box, hours }, mail: { how: 'hour', kinds: [{ kind, ...ended.rest }] } };
  }
  if (box.day === null || awaits(box.day.due_at, now, 2 * 24 * 60)) return undefined;
  const { kinds } = box.day;
  const counted = NOTICE_KINDS.flatMap((kind) => (kinds[kind] ? [{ kind, ...kinds[kind] }] : []));
  return { box: { ...box, day: null }, mail: { how: 'day', kinds: counted } };
};

/** The mail of each address: the kinds that it gets. An address that gets none of them is left out. */
export const mailsOf = (mail: NoticeMail, audience: Audience): (readonly [address: string, mail: NoticeMail])[] => {
  const kinds = mail.how === 'test' ? NOTICE_KINDS : mail.kinds.map(({ kind }) => kind);
  return [...new Set(kinds.flatMap((kind) => addressesOf(audience, kind)))].map((address) => {
    const own = mail.kinds.filter(({ kind }) => addressesOf(audience, kind).includes(address));
    return [address, { ...mail, kinds: own }];
  });
};

/** Problems that were found but not reported, and reported ones that a full check no longer finds. */
export const newsOf = (
  told: NoticeBox['problems'],
  found: NoticeBox['problems'],
  look: { readonly on: string | null; readonly isWhole: boolean },
): { readonly key: string; readonly problem: Problem; readonly mended: boolean }[] => [
  ...Object.entries(found).flatMap(([key, problem]) => (told[key] ? [] : [{ key, problem, mended: false }])),
  ...Object.entries(told).flatMap(([key, problem]) =>
    found[key] || !look.isWhole || (problem.on ?? look.on) !== look.on ? [] : [{ key, problem, mended: true }],
  ),
];

/** The box once a problem was told as new or as mended, and its notice. */
export const withNews = (
  box: NoticeBox,
  { key, problem, mended }: ReturnType<typeof newsOf>[number],
): { readonly box: NoticeBox; readonly notice: Notice } => {
  const { [key]: _, ...others } = box.problems;
  const { on: __, ...rest } = problem;
  return {
    box: { ...box, problems: mended ? others : { ...others, [key]: problem } },
    notice: { page: problem.kind === 'payment_event' ? 'events' : '', ...rest, ...(mended && { mended }) },
  };
};
