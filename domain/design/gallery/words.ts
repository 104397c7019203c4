/** The maximum length of a word. Longer words are cut, in texts and in queries. */
const LONGEST_WORD = 40;

/** The maximum number of words by which a screen is found. */
export const WORDS_OF_SCREEN = 512;

/** The maximum number of words of a query that count. */
export const WORDS_OF_QUERY = 16;

/** The maximum number of characters to read for words; no query, title or URL is longer. */
const LONGEST_TEXT = 8000;

const HANGUL = /^[가-힣]+$/;

/** Runs of Hangul syllables, and runs of other letters and digits. */
const RUNS = /[가-힣]+|(?:(?![가-힣])[\p{L}\p{N}])+/gu;

const runsOf = (text: string): string[] =>
  text.slice(0, LONGEST_TEXT).normalize('NFKC').toLowerCase().match(RUNS) ?? [];

/** Splits `결제수단` into 결제, 제수 and 수단. */
const bigrams = (run: string): string[] =>
  Array.from({ length: Math.max(0, run.length - 1) }, (_, n) => run.slice(n, n + 2));

const word = (run: string): string => Array.from(run).slice(0, LONGEST_WORD).join('');

/** Korean often omits spaces, so each pair of syllables and each single syllable is indexed as a word. */
const inText = (run: string): string[] => (HANGUL.test(run) ? [...bigrams(run), ...run] : [word(run)]);

/** A query of one syllable looks it up; a longer one looks up its pairs, without the plural's 들. */
const inQuery = (run: string): string[] => {
  if (!HANGUL.test(run)) return [word(run)];
  return run.length === 1 ? [run] : bigrams(run.replace(/(?<=..)들$/, ''));
};

const upTo = (count: number, words: Iterable<string>): string[] => {
  const found = new Set<string>();
  for (const one of words) {
    if (found.size === count) break;
    found.add(one);
  }
  return [...found];
};

/** The URL without its scheme, percent-decoded if that gives valid text. */
export const plainAddress = (url: string): string => {
  const address = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

/** The distinct words of a query, at most 16. */
export const wordsOfQuery = (query: string): string[] => upTo(WORDS_OF_QUERY, runsOf(query).flatMap(inQuery));

/** The minimum length of a query word for a prefix search. */
const SHORTEST_BEGINNING = 3;

/** The prefix of a word by which the index groups words: as long as the shortest prefix search. */
export const beginningOfWord = (word: string): string => Array.from(word).slice(0, SHORTEST_BEGINNING).join('');

/** The singular of an English word, and the plural if a prefix search doesn't find it. A wrong form does no harm. */
export const inOtherNumber = (word: string): string[] => {
  if (/^[a-z][a-rt-z]$/.test(word)) return [`${word}s`];
  if (!/^[a-z]{3,}$/.test(word)) return [];
  const forms: (readonly [RegExp, string])[] = [
    [/([^aeiou])y$/, '$1ies'],
    [/([^aeiou])ies$/, '$1y'],
    [/(s|x|z|ch|sh)es$/, '$1'],
    [/([^s])s$/, '$1'],
  ];
  return forms.flatMap(([ending, other]) => (ending.test(word) ? [word.replace(ending, other)] : []));
};

/** True if a word of a query matches a word of a text. */
export const findsWord = (query: string, word: string): boolean =>
  word === query ||
  (word.startsWith(query) && Array.from(query).length >= SHORTEST_BEGINNING) ||
  inOtherNumber(query).includes(word);

/** The distinct words by which a screen is found: from the title, host and path, then the text. At most 512. */
export const wordsOfScreen = (screen: {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}): string[] =>
  upTo(WORDS_OF_SCREEN, [screen.title, plainAddress(screen.url), screen.text].flatMap(runsOf).flatMap(inText));
