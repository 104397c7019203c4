import { InvalidArgumentError } from 'commander';
import { ABILITIES, type Ability } from '../../domain/access/abilities.ts';
import { canonicalAddress } from '../../domain/accounts/address.ts';
import { deviceIdOf } from '../../domain/devices/seat.ts';
import { MOST_USAGE_DAYS } from '../../domain/devices/usage.ts';
import { type Instant, momentIn } from '../../domain/shared/instant.ts';
import { isFingerprint } from '../../domain/support/fingerprint.ts';
import { typedTicketNumber } from '../../domain/support/ticket.ts';

/*
 * Parsers for options and arguments. Each throws InvalidArgumentError for an invalid value, and Commander names the
 * option.
 */

/** Builds a parser. `read` returns null for an invalid text, and `what` ends the sentence about valid values. */
export const taking =
  <T>(what: string, read: (text: string) => T | null) =>
  (text: string): T => {
    const value = read(text);
    if (value !== null) return value;
    throw new InvalidArgumentError(`It takes ${what}.`);
  };

/** Builds a parser of strings in one format, which it returns unchanged. */
export const matching = (what: string, fits: (text: string) => boolean) =>
  taking(what, (text) => (fits(text) ? text : null));

export const id = taking('an id, a whole number from 1', (text) =>
  /^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : null,
);

export const count = taking('a whole number, 0 or more', (text) => (/^\d{1,9}$/.test(text) ? Number(text) : null));

export const upTo = (most: number) =>
  taking(`a whole number from 1 to ${most}`, (text) => {
    const value = Number(text);
    return /^\d{1,9}$/.test(text) && value >= 1 && value <= most ? value : null;
  });

export const batchAndKeys = taking('a batch and the number of its keys, such as 12:3000', (text) => {
  const [, batch, after] = /^([1-9]\d{0,15}):(\d{1,5})$/.exec(text) ?? [];
  return after === undefined ? null : { batch: Number(batch), after: Number(after) };
});

/** The maximum number of rows in a list. */
export const MOST_ROWS = 1000;

export const rows = upTo(MOST_ROWS);

export const usageDays = upTo(MOST_USAGE_DAYS);

/** A text of up to 255 characters, such as a name. */
export const line = matching(
  '1 to 255 characters on one line',
  (text) => /^[^\p{Cc}]{1,255}$/u.test(text) && text.trim() !== '',
);

/**
 * A reason that outlives the erasure of an account. An email address in it would still name the buyer, so it is
 * refused.
 */
export const reason = (text: string): string => {
  if (!text.includes('@')) return line(text);
  throw new InvalidArgumentError(
    'It takes no @, because the reason outlives the account’s erasure; leave names and email addresses out.',
  );
};

/** The client's name for a device. */
export const deviceId = taking('1 to 255 characters on one line', deviceIdOf);

/** An email address. */
export const address = matching('an email address', (text) => canonicalAddress(text) !== null);

/** The account of an option or argument. The program replaces an address by the account's id before the command runs. */
export const account = (text: string): number | string => (text.includes('@') ? line(text) : id(text));

/** The help for a value that `account` parses. */
export const ACCOUNT_HELP = 'id or email address of the account';

/** A product's id or slug. It is looked up as an id first, then as a slug. */
export const productName = line;

/** The help for a value that `productName` parses. */
export const PRODUCT_HELP = 'id or slug of a product';

export const build = matching(
  'digits with periods between them, such as 1204 or 2.0.1',
  (text) => text.length <= 64 && /^\d+(\.\d+)*$/.test(text),
);

const isAbility = (name: string): name is Ability => ABILITIES.some((ability) => ability === name);

export const abilities = (text: string): Ability[] => {
  const names = [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
  const unknown = names.filter((name) => !isAbility(name));
  if (names.length > 0 && unknown.length === 0) return names.filter(isAbility);
  const why = unknown.length === 0 ? '' : `There is no ability ${unknown.join(', ')}. `;
  throw new InvalidArgumentError(`${why}It takes a comma-separated list of ${ABILITIES.join(', ')}.`);
};

/** Parses a date, which means the beginning or the end of that day in UTC, or a date and time with an offset. */
const momentBy = (part: 'beginning' | 'end') =>
  taking(
    `a date such as 2027-01-31, which is the ${part} of that day in UTC, or a date and time such as 2027-01-31T12:00:00Z`,
    (text) => momentIn(text, part),
  );

/** The last moment of a period. A date means the end of its day in UTC. */
export const moment = momentBy('end');

/** The first moment of a period. A date means the beginning of its day in UTC. */
export const since = momentBy('beginning');

/** The help for a value that `offsetMoment` parses. */
export const OFFSET_MOMENT_HELP = 'a date and time with an offset, such as 2027-01-31T09:00:00+09:00';

/** A moment with an offset from UTC, as in a store document. */
export const offsetMoment = taking(OFFSET_MOMENT_HELP, (text) => (text.includes(':') ? momentIn(text, 'end') : null));

/** Id of a ticket or of an error, or the fingerprint of errors. */
export const reportId = (text: string): string => {
  if (isFingerprint(text) || typedTicketNumber(text) !== undefined) return text;
  return String(id(text));
};

/** The last moment of a period, or `never`. */
export const momentOrNever = (text: string): Instant | 'never' => (text === 'never' ? text : moment(text));

/** A number of devices, or `product` for the product's own number. */
export const countOrProduct = (text: string): number | 'product' => (text === 'product' ? text : count(text));

/** The help for a value that `moment` parses. */
export const MOMENT_HELP = 'a date (the end of that day in UTC) or a date and time such as 2027-01-31T12:00:00Z';
