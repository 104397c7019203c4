/** The most characters of a word. A longer one counts by its beginning, in texts and in queries. */
const LONGEST_WORD = 40;

/** The most words of a screen that a search finds it by. */
export const WORDS_OF_SCREEN = 512;

/** The most words of a query that count. */
export const WORDS_OF_QUERY = 16;

/** The longest text that is read for words; no query, title or address is longer. */
const LONGEST_TEXT = 8000;

const HANGUL = /^[가-힣]+$/;

/** Runs of Hangul syllables, and runs of other letters and digits. */
const RUNS = /[가-힣]+|(?:(?![가-힣])[\p{L}\p{N}])+/gu;

const runsOf = (text: string): string[] =>
  text.slice(0, LONGEST_TEXT).normalize('NFKC').toLowerCase().match(RUNS) ?? [];

/** `결제수단` is 결제, 제수 and 수단. */
const bigrams = (run: string): string[] =>
  Array.from({ length: Math.max(0, run.length - 1) }, (_, n) => run.slice(n, n + 2));

const word = (run: string): string => Array.from(run).slice(0, LONGEST_WORD).join('');

/** Korean writes words together, so that each pair of syllables and each single syllable is a word of a text. */
const inText = (run: string): string[] => (HANGUL.test(run) ? [...bigrams(run), ...run] : [word(run)]);

/** A query of one syllable looks for the syllable; a longer one for its pairs. */
const inQuery = (run: string): string[] => (HANGUL.test(run) ? (run.length === 1 ? [run] : bigrams(run)) : [word(run)]);

const upTo = (count: number, words: Iterable<string>): string[] => {
  const found = new Set<string>();
  for (const one of words) {
    if (found.size === count) break;
    found.add(one);
  }
  return [...found];
};

/** The address without its scheme, percent-decoded where that makes text. */
const plainAddress = (url: string): string => {
  const address = url.replace(/^[a-z][a-z0-9+.-]*:\/\//i, '').replace(/[?#].*$/s, '');
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
};

/** The different words of a query, at most 16. */
export const wordsOfQuery = (query: string): string[] => upTo(WORDS_OF_QUERY, runsOf(query).flatMap(inQuery));

/** The different words by which a search finds a screen: of the title, of host and path, then of the text. At most 512. */
export const wordsOfScreen = (screen: {
  readonly title: string;
  readonly url: string;
  readonly text: string;
}): string[] =>
  upTo(WORDS_OF_SCREEN, [screen.title, plainAddress(screen.url), screen.text].flatMap(runsOf).flatMap(inText));
