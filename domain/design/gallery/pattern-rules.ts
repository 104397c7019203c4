import { isTermKey } from '../collect/capture.ts';
import { type TaxonomyTerm, term } from './taxonomy.ts';

type Rule = (count: (key: string) => number) => boolean;

const has =
  (key: string, least = 1): Rule =>
  (count) =>
    count(key) >= least;

const FIELDS = ['text-field', 'textarea', 'select', 'radio', 'date-field', 'file-field'];
const CHOICES = ['checkbox', 'radio', 'select'];

const sum = (count: (key: string) => number, keys: readonly string[]) =>
  keys.reduce((total, key) => total + count(key), 0);

/** The patterns that a page's elements reveal, each with its rule. */
const SHOWN: readonly (readonly [TaxonomyTerm, Rule])[] = [
  [
    term('sign-in-form', 'Sign-in form', '로그인 폼'),
    (count) => count('password-field') === 1 && sum(count, FIELDS) <= 3,
  ],
  [term('search', 'Search', '검색'), has('search-field')],
  [
    term('filter', 'Filters', '필터'),
    (count) => sum(count, CHOICES) >= 2 && sum(count, ['table', 'card', 'pagination']) >= 1,
  ],
  [term('form', 'Form', '입력 폼'), (count) => sum(count, FIELDS) >= 2 && count('button') >= 1],
  [term('file-upload', 'File upload', '파일 올리기'), has('file-field')],
  [term('data-table', 'Data table', '데이터 표'), has('table')],
  [term('card-grid', 'Card grid', '카드 그리드'), has('card', 3)],
  [term('image-gallery', 'Image gallery', '이미지 갤러리'), has('image', 6)],
  [term('pagination', 'Pagination', '페이지네이션'), has('pagination')],
  [term('breadcrumb', 'Breadcrumb', '이동 경로'), has('breadcrumb')],
  [
    term('navigation-bar', 'Navigation bar', '내비게이션 바'),
    (count) => count('navigation') >= 1 && count('link') >= 3,
  ],
  [term('sidebar', 'Sidebar', '사이드바'), has('sidebar')],
  [term('tabs', 'Tabs', '탭'), has('tabs')],
  [term('accordion', 'Accordion', '아코디언'), has('disclosure', 2)],
  [term('dialog', 'Dialog', '대화 상자'), has('dialog')],
  [term('notice', 'Notice', '알림'), has('alert')],
  [term('progress', 'Progress', '진행 표시'), has('progress')],
  [term('media', 'Media', '미디어'), has('video')],
];

export const PATTERNS: readonly TaxonomyTerm[] = SHOWN.map(([pattern]) => pattern);

/** The sorted keys of a page's patterns: those that its elements reveal, and those from its collector. */
export const patternsOf = (elements: Readonly<Record<string, number>>, sent: readonly string[]): readonly string[] => {
  const count = (key: string) => elements[key] ?? 0;
  const keys = SHOWN.filter(([, rule]) => rule(count)).map(([{ key }]) => key);
  return [...new Set([...keys, ...sent.filter((key) => isTermKey(key))])].sort();
};
