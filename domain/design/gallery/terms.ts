import type { ScreenDraft, ScreenFilter } from './screen.ts';
import { findsWord, wordsOfQuery, wordsOfScreen } from './words.ts';

/** The single-valued fields of a screen, which are terms under their own names. */
const ONE_VALUED = ['platform', 'viewport', 'lang', 'mode', 'kind', 'app'] as const;

/** The kinds of terms. A screen in a flow has a term with the flow's app and slug. */
export type TermType =
  | (typeof ONE_VALUED)[number]
  | ('all' | 'pattern' | 'component' | 'color' | 'font' | 'word')
  | `flow-${string}`;

/** A term of the index: its type and its value, joined by a colon, such as `viewport:mobile`. */
export type Term = `${TermType}:${string}`;

export const EVERY_SCREEN: Term = 'all:screens';

/** The maximum length of a term's value; a longer one is not indexed. */
const LONGEST_VALUE = 100;

const isValue = (value: string): boolean => value !== '' && value.length <= LONGEST_VALUE && value.isWellFormed();

const terms = (type: TermType, values: readonly string[]): Term[] =>
  values.filter(isValue).map((value): Term => `${type}:${value}`);

export const partsOfTerm = (term: Term): { readonly type: TermType; readonly value: string } => {
  const colon = term.indexOf(':');
  return { type: term.slice(0, colon) as TermType, value: term.slice(colon + 1) };
};

export const flowTerm = (app: string, slug: string): Term => `flow-${app}:${slug}`;

export const termsOfScreen = (screen: ScreenDraft): Term[] => [
  ...new Set([
    EVERY_SCREEN,
    ...ONE_VALUED.flatMap((type) => terms(type, [screen[type]])),
    ...terms(`flow-${screen.app}`, [screen.flow.slug]),
    ...terms('pattern', screen.patterns),
    ...terms('component', screen.components),
    ...terms(
      'color',
      screen.colors.map(({ hex }) => hex),
    ),
    ...terms('font', screen.fonts),
    ...terms('word', wordsOfScreen(screen)),
  ]),
];

/**
 * The terms that a screen must have, at least one; null if no screen can have all of them. A word of the query also
 * matches other words (`findsWord`).
 */
export const termsOfFilter = (filter: ScreenFilter): Term[] | null => {
  const criteria: [TermType, readonly (string | null)[]][] = [
    ...ONE_VALUED.map((type): [TermType, [string | null]] => [type, [filter[type]]]),
    ['pattern', filter.patterns],
    ['component', filter.components],
    ['color', [filter.color]],
    ...(filter.app === null ? [] : [[`flow-${filter.app}`, [filter.flow]] as [TermType, (string | null)[]]]),
    ['word', filter.q === null ? [] : wordsOfQuery(filter.q)],
  ];
  const pairs = criteria.flatMap(([type, values]) =>
    values.filter((value) => value !== null).map((value) => ({ type, value })),
  );
  if (!pairs.every(({ value }) => isValue(value))) return null;
  const found = new Set(pairs.map(({ type, value }): Term => `${type}:${value}`));
  // A screen in a flow of the app is in the app.
  if (filter.app !== null && filter.flow !== null) found.delete(`app:${filter.app}`);
  return found.size === 0 ? [EVERY_SCREEN] : [...found];
};

const isOneOf = (filter: string | null, value: string): boolean => filter === null || filter === value;

/** The definition of a search: true for the screens that match the filter. The index gives the same answers. */
export const matches = (screen: ScreenDraft, filter: ScreenFilter): boolean => {
  const words = filter.q === null ? [] : wordsOfScreen(screen);
  return (
    ONE_VALUED.every((type) => isOneOf(filter[type], screen[type])) &&
    (filter.app === null || isOneOf(filter.flow, screen.flow.slug)) &&
    filter.patterns.every((key) => screen.patterns.includes(key)) &&
    filter.components.every((key) => screen.components.includes(key)) &&
    (filter.color === null || screen.colors.some(({ hex }) => hex === filter.color)) &&
    wordsOfQuery(filter.q ?? '').every((one) => words.some((word) => findsWord(one, word)))
  );
};
