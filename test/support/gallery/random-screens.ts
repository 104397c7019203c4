import fc from 'fast-check';
import { MODES, PLATFORMS_SHOWN } from '../../../domain/design/collect/capture.ts';
import { APPS, LANGS, VIEWPORTS } from '../../../domain/design/collect/run.ts';
import type { ScreenDraft, ScreenFilter } from '../../../domain/design/gallery/screen.ts';
import { aDraft, keyOfCapture } from '../screen-builders.ts';

/* Random drafts and filters that often match: there are few values, so that screens share them. */

const WORDS = [
  ...['sign', 'order', 'orders', 'v2', 'categories', 'category', 'Order', 'été', 'étés', '１２'],
  ...['결제', '결제들', '결제수단', '제수', '수', '로그인'],
];
const KINDS = ['list', 'detail', 'form'];
const PATTERNS = ['search', 'tabs', 'dialog'];
const COMPONENTS = ['button', 'link', 'table'];
const FLOWS = ['buy', 'sign-in', '결제'];
const COLORS = ['#000000', '#2563eb', '#1d4ed8', '#f97316'];
const FONTS = ['Inter', 'Noto Sans KR', '나눔#고딕'];

const text = (maxLength: number) => fc.array(fc.constantFrom(...WORDS), { maxLength }).map((words) => words.join(' '));
const some = (values: readonly string[]) => fc.subarray([...values]).map((list) => list.toSorted());

/** A draft with one of `keys` different keys, from one of two runs. */
export const randomDraft = (keys: number): fc.Arbitrary<ScreenDraft> =>
  fc
    .record({
      key: fc.nat({ max: keys - 1 }).map(keyOfCapture),
      run_id: fc.integer({ min: 1, max: 2 }),
      title: text(3),
      url: fc.constantFrom(
        'https://example.com/orders/1',
        'https://app.example.com/sign/%EA%B2%B0%EC%A0%9C',
        'about:blank',
      ),
      app: fc.constantFrom(...APPS.slice(0, 2)),
      flow: fc.constantFrom(...FLOWS).map((slug) => ({ slug, name: `Flow ${slug}` })),
      step: fc.option(fc.integer({ min: 1, max: 12 })),
      platform: fc.constantFrom(...PLATFORMS_SHOWN.slice(0, 2)),
      viewport: fc.constantFrom(...VIEWPORTS),
      lang: fc.constantFrom(...LANGS),
      mode: fc.constantFrom(...MODES),
      kind: fc.constantFrom(...KINDS),
      patterns: some(PATTERNS),
      components: some(COMPONENTS),
      colors: some(COLORS).map((list) => list.map((hex) => ({ hex, share: 0.5 }))),
      fonts: some(FONTS),
      text: text(8),
    })
    .map(aDraft);

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 1 });

export const randomFilter: fc.Arbitrary<ScreenFilter> = fc.record({
  q: maybe(
    fc.oneof(
      text(2),
      fc.constantFrom('결', '제수단', 'example.com', 'orders 1', '!!', 'nothing', 'ORDER', 'ord', 'ét', 'blank'),
    ),
  ),
  platform: maybe(fc.constantFrom(...PLATFORMS_SHOWN.slice(0, 3))),
  viewport: maybe(fc.constantFrom(...VIEWPORTS)),
  lang: maybe(fc.constantFrom(...LANGS)),
  mode: maybe(fc.constantFrom(...MODES)),
  kind: maybe(fc.constantFrom(...KINDS, 'unknown', '\ud800', 'a#b')),
  patterns: fc.oneof(fc.constant([]), some(PATTERNS), fc.constant(['unknown'])),
  components: fc.oneof(fc.constant([]), some(COMPONENTS)),
  color: maybe(fc.constantFrom(...COLORS, 'unknown')),
  app: maybe(fc.constantFrom(...APPS.slice(0, 3))),
  flow: maybe(fc.constantFrom(...FLOWS, 'unknown')),
});
