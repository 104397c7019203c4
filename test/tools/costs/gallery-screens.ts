import { APPS, LANGS, VIEWPORTS } from '../../../domain/design/collect/run.ts';
import { PAGE_TYPES } from '../../../domain/design/gallery/page-type.ts';
import { PATTERNS } from '../../../domain/design/gallery/pattern-rules.ts';
import type { ScreenDraft } from '../../../domain/design/gallery/screen.ts';
import { ELEMENTS } from '../../../domain/design/gallery/terms-in-force.ts';
import { aDraft, keyOfCapture } from '../../support/screen-builders.ts';

/** Numbers without a pattern, the same on every machine (mulberry32). */
const numbers = (seed: number) => {
  let state = seed;
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * below);
  };
};

/** Words whose first ones are frequent, as in real texts. */
const VOCABULARY = 20_000;
const WORDS_OF_TEXT = 120;

/** A screen of a large gallery: its properties and words depend only on its number. */
export const screenNumber = (n: number): ScreenDraft => {
  const below = numbers(n);
  const one = <T>(values: readonly T[]): T => values[below(values.length)] as T;
  const some = (values: readonly { key: string }[], share: number): string[] =>
    values.flatMap(({ key }) => (below(100) < share ? [key] : [])).sort();
  const word = (): string => `w${Math.floor(VOCABULARY ** (below(1_000_000) / 1_000_000))}`;
  const flow = below(40);
  return aDraft({
    key: keyOfCapture(n),
    title: `${word()} ${word()} 화면 ${n % 500}`,
    url: `https://example.com/${word()}/${n}`,
    app: one(APPS),
    flow: { slug: `flow-${flow}`, name: `Flow ${flow}` },
    step: 1 + below(12),
    viewport: one(VIEWPORTS),
    lang: one(LANGS),
    mode: below(10) === 0 ? 'dark' : 'light',
    kind: one(PAGE_TYPES).key,
    patterns: some(PATTERNS, 20),
    components: some(ELEMENTS, 35),
    colors: Array.from({ length: 6 }, () => ({
      hex: `#${below(4096).toString(16).padStart(3, '0')}000`,
      share: 0.1,
    })),
    text: Array.from({ length: WORDS_OF_TEXT }, word).join(' '),
  });
};
