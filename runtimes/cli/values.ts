import { InvalidArgumentError } from 'commander';
import { ABILITIES, type Ability } from '../../domain/access/abilities.ts';
import { AGENT_ROLES, type AgentRole } from '../../domain/access/principal.ts';
import { deviceIdOf } from '../../domain/devices/device-id.ts';
import { isCalendarDay } from '../../domain/devices/usage.ts';
import { type Instant, toInstant } from '../../domain/shared/instant.ts';
import { isFingerprint } from '../../domain/support/fingerprint.ts';

/*
 * Parsers for options and arguments. Each throws InvalidArgumentError for a wrong value, and Commander names the
 * option.
 */

export const id = (text: string): number => {
  const value = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(value)) return value;
  throw new InvalidArgumentError('It takes an id, a whole number from 1.');
};

export const count = (text: string): number => {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It takes a whole number, 0 or more.');
};

export const upTo =
  (most: number) =>
  (text: string): number => {
    const value = Number(text);
    if (/^\d{1,9}$/.test(text) && value >= 1 && value <= most) return value;
    throw new InvalidArgumentError(`It takes a whole number from 1 to ${most}.`);
  };

/** The most rows of a list. */
export const MOST_ROWS = 1000;

export const rows = upTo(MOST_ROWS);

/** The most days of a chart. */
export const MOST_DAYS = 366;

export const usageDays = upTo(MOST_DAYS);

/** A text of up to 255 characters, such as a name. */
export const line = (text: string): string => {
  if (/^[^\p{Cc}]{1,255}$/u.test(text) && text.trim() !== '') return text;
  throw new InvalidArgumentError('It takes 1 to 255 characters on one line.');
};

/** A reason that outlives the erasure of an account. An address in it would go on naming the buyer. */
export const reason = (text: string): string => {
  if (!text.includes('@')) return line(text);
  throw new InvalidArgumentError(
    'It takes no @, because the reason stays after the account is erased; name nobody and no e-mail address in it.',
  );
};

/** The client's name for a device. */
export const deviceId = (text: string): string => {
  const id = deviceIdOf(text);
  if (id !== null) return id;
  throw new InvalidArgumentError('It takes 1 to 255 characters on one line.');
};

/** An account's id or e-mail address, which `findAccount` looks for. */
export const accountName = (text: string): string => {
  if (text.includes('@')) return line(text);
  return String(id(text));
};

/** The account of the option `--account`. The program replaces an address by the account's id before the command runs. */
export const account = (text: string): number | string => (text.includes('@') ? line(text) : id(text));

/** The help for a value that `accountName` parses. */
export const ACCOUNT_HELP = 'id or e-mail address of the account';

/** A product's id or slug. It is looked for as an id first, then as a slug. */
export const productName = line;

/** The help for a value that `productName` parses. */
export const PRODUCT_HELP = 'id or slug of a product';

export const build = (text: string): string => {
  if (text.length <= 64 && /^\d+(\.\d+)*$/.test(text)) return text;
  throw new InvalidArgumentError('It takes digits with periods between them, such as 1204 or 2.0.1.');
};

export const agentRole = (text: string): AgentRole => {
  const role = AGENT_ROLES.find((one) => one === text);
  if (role !== undefined) return role;
  throw new InvalidArgumentError(`It takes one of ${AGENT_ROLES.join(', ')}.`);
};

const isAbility = (name: string): name is Ability => ABILITIES.some((ability) => ability === name);

export const abilities = (text: string): Ability[] => {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const unknown = names.filter((name) => !isAbility(name));
  if (names.length > 0 && unknown.length === 0) return names.filter(isAbility);
  const why = unknown.length === 0 ? '' : `There is no ability ${unknown.join(', ')}. `;
  throw new InvalidArgumentError(`${why}It takes some of ${ABILITIES.join(', ')}, with commas between them.`);
};

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/;

const MOMENTS = {
  beginning: 'T00:00:00.000Z',
  end: 'T23:59:59.999Z',
} as const;

/** Parses a date, which is the beginning or the end of that day in UTC, or a date and time with an offset. */
const momentBy =
  (part: keyof typeof MOMENTS) =>
  (text: string): Instant => {
    if (isCalendarDay(text)) return `${text}${MOMENTS[part]}`;
    const [, day = ''] = DATE_TIME.exec(text) ?? [];
    if (isCalendarDay(day) && !Number.isNaN(Date.parse(text))) return toInstant(Date.parse(text));
    throw new InvalidArgumentError(
      `It takes a date such as 2027-01-31, which is the ${part} of that day in UTC, or a date and time such as 2027-01-31T12:00:00Z.`,
    );
  };

/** The last moment of a period. A date means the end of its day in UTC. */
export const moment = momentBy('end');

/** The first moment of a period. A date means the beginning of its day in UTC. */
export const since = momentBy('beginning');

/** A moment with an offset from UTC, as in a store document. */
export const offsetMoment = (text: string): Instant => {
  const [, day = ''] = DATE_TIME.exec(text) ?? [];
  const at = isCalendarDay(day) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at) && /^\d{4}-/.test(toInstant(at))) return toInstant(at);
  throw new InvalidArgumentError(`It takes ${OFFSET_MOMENT_HELP}.`);
};

/** The help for a value that `offsetMoment` parses. */
export const OFFSET_MOMENT_HELP = 'a date and time with an offset, such as 2027-01-31T09:00:00+09:00';

/** Id of a ticket or of an error, or the fingerprint of errors. */
export const reportId = (text: string): string => {
  if (isFingerprint(text)) return text;
  return String(id(text));
};

/** The last moment of a period, or the word for one without an end. */
export const momentOrNever = (text: string): Instant | 'never' => (text === 'never' ? text : moment(text));

/** A number of devices, or the word for the product’s own number. */
export const countOrProduct = (text: string): number | 'product' => (text === 'product' ? text : count(text));

/** The help for a value that `moment` parses. */
export const MOMENT_HELP = 'a date (the end of that day in UTC) or a date and time such as 2027-01-31T12:00:00Z';
