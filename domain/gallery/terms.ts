import type { ScreenFilter } from './filter.ts';
import type { Screen } from './screen.ts';
import { findsWord, wordsOfQuery, wordsOfScreen } from './words.ts';

/** The kinds of terms. The screens of an app's flow have the term of the flow's app and slug. */
export type TermType =
  | 'all'
  | 'platform'
  | 'viewport'
  | 'lang'
  | 'mode'
  | 'kind'
  | 'pattern'
  | 'component'
  | 'app'
  | 'color'
  | 'font'
  | 'word'
  | `flow-${string}`;

/** A term of the index: its type and its value with a colon between them, such as `viewport:mobile`. */
export type Term = `${TermType}:${string}`;

/** The parts of a screen that the index and the plain definition of a search look at. */
export type IndexedScreen = Pick<
  Screen,
  | 'title'
  | 'url'
  | 'text'
  | 'app'
  | 'flow'
  | 'platform'
  | 'viewport'
  | 'lang'
  | 'mode'
  | 'kind'
  | 'patterns'
  | 'components'
  | 'colors'
  | 'fonts'
>;

/** The term that every screen has. */
export const EVERY_SCREEN: Term = 'all:screens';

/** The longest value of a term in characters; a longer one is no term of a screen. */
const LONGEST_VALUE = 100;

const isValue = (value: string): boolean => value !== '' && value.length <= LONGEST_VALUE && value.isWellFormed();

const terms = (type: TermType, values: readonly string[]): Term[] =>
  values.filter(isValue).map((value): Term => `${type}:${value}`);

export const partsOfTerm = (term: Term): { readonly type: TermType; readonly value: string } => {
  const colon = term.indexOf(':');
  return { type: term.slice(0, colon) as TermType, value: term.slice(colon + 1) };
};

export const flowTerm = (app: string, slug: string): Term => `flow-${app}:${slug}`;

/** The different terms by which the index finds a screen. */
export const termsOfScreen = (screen: IndexedScreen): Term[] => [
  ...new Set([
    EVERY_SCREEN,
    ...terms('platform', [screen.platform]),
    ...terms('viewport', [screen.viewport]),
    ...terms('lang', [screen.lang]),
    ...terms('mode', [screen.mode]),
    ...terms('app', [screen.app]),
    ...terms(`flow-${screen.app}`, [screen.flow.slug]),
    ...terms('kind', [screen.kind]),
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
 * The terms that a screen has to have, never none; null where no screen can have all of them. For a word, a word that it
 * finds will do (`findsWord`).
 */
export const termsOfFilter = (filter: ScreenFilter): Term[] | null => {
  const wanted: [TermType, readonly (string | null)[]][] = [
    ['platform', [filter.platform]],
    ['viewport', [filter.viewport]],
    ['lang', [filter.lang]],
    ['mode', [filter.mode]],
    ['kind', [filter.kind]],
    ['pattern', filter.patterns],
    ['component', filter.components],
    ['app', [filter.app]],
    ...(filter.app === null ? [] : [[`flow-${filter.app}`, [filter.flow]] as [TermType, (string | null)[]]]),
    ['word', filter.q === null ? [] : wordsOfQuery(filter.q)],
  ];
  const given = wanted.flatMap(([type, values]) =>
    values.filter((value) => value !== null).map((value) => ({ type, value })),
  );
  if (!given.every(({ value }) => isValue(value))) return null;
  const found = new Set(given.map(({ type, value }): Term => `${type}:${value}`));
  // A screen in a flow of the app is in the app.
  if (filter.app !== null && filter.flow !== null) found.delete(`app:${filter.app}`);
  return found.size === 0 ? [EVERY_SCREEN] : [...found];
};

const isOneOf = (wish: string | null, value: string): boolean => wish === null || wish === value;

/** The definition of a search: true for the screens that a filter lets through. The index gives the same answers. */
export const matches = (screen: IndexedScreen, filter: ScreenFilter): boolean => {
  const words = filter.q === null ? [] : wordsOfScreen(screen);
  return (
    isOneOf(filter.platform, screen.platform) &&
    isOneOf(filter.viewport, screen.viewport) &&
    isOneOf(filter.lang, screen.lang) &&
    isOneOf(filter.mode, screen.mode) &&
    isOneOf(filter.kind, screen.kind) &&
    isOneOf(filter.app, screen.app) &&
    (filter.app === null || isOneOf(filter.flow, screen.flow.slug)) &&
    filter.patterns.every((key) => screen.patterns.includes(key)) &&
    filter.components.every((key) => screen.components.includes(key)) &&
    wordsOfQuery(filter.q ?? '').every((one) => words.some((word) => findsWord(one, word)))
  );
};
