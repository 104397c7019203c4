import type { Finding as Found } from '../../ports/outbound/system.ts';
import type { Everything } from '../composition/areas/all-areas.ts';
import type { Service } from '../composition/bootstrap.ts';

/** A service that has these parts. */
export type Part<Name extends keyof Everything> = Service<Pick<Everything, Name>>;

export type Finding = Found & {
  /** False only if the kind is `wrong`. */
  readonly ok: boolean;
  /** The faulty files by name, key and state; at most 1000. */
  readonly files?: readonly { readonly name: string; readonly key: string; readonly state: string }[];
};

export const fine = (check: string, message: string): Finding => ({ check, ok: true, kind: 'fine', message });

/** A step that a new shop has not taken yet. */
export const next = (check: string, message: string): Finding => ({ check, ok: true, kind: 'next', message });

export const wrong = (check: string, message: string): Finding => ({ check, ok: false, kind: 'wrong', message });

/** The maximum number of names in a message. */
export const NAMED = 5;

/** The first five names, and the number of the others. */
export const firstOf = (names: readonly string[], all: number = names.length): string =>
  all <= NAMED ? names.join(', ') : `${names.slice(0, NAMED).join(', ')} and ${all - NAMED} more`;

/** A finding that names the first faulty records in place of `{}` in the message; none if there are none. */
export const wrongs = (check: string, names: readonly string[], message: string): Finding[] =>
  names.length === 0
    ? []
    : [
        wrong(
          check,
          message.replace('{}', () => firstOf(names)),
        ),
      ];
