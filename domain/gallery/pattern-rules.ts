import { isTermKey } from '../collect/capture.ts';
import { type TaxonomyTerm, term } from './taxonomy.ts';

/** The patterns that a page's elements show by themselves. */
export const PATTERNS: readonly TaxonomyTerm[] = [
  term('sign-in-form', 'Sign-in form', '로그인 폼'),
  term('search', 'Search', '검색'),
  term('filter', 'Filters', '필터'),
  term('form', 'Form', '입력 폼'),
  term('file-upload', 'File upload', '파일 올리기'),
  term('data-table', 'Data table', '데이터 표'),
  term('card-grid', 'Card grid', '카드 그리드'),
  term('image-gallery', 'Image gallery', '이미지 갤러리'),
  term('pagination', 'Pagination', '페이지네이션'),
  term('breadcrumb', 'Breadcrumb', '이동 경로'),
  term('navigation-bar', 'Navigation bar', '내비게이션 바'),
  term('sidebar', 'Sidebar', '사이드바'),
  term('tabs', 'Tabs', '탭'),
  term('accordion', 'Accordion', '아코디언'),
  term('dialog', 'Dialog', '대화 상자'),
  term('notice', 'Notice', '알림'),
  term('progress', 'Progress', '진행 표시'),
  term('media', 'Media', '미디어'),
];

type Rule = (count: (key: string) => number) => boolean;

const has =
  (key: string, least = 1): Rule =>
  (count) =>
    count(key) >= least;

const FIELDS = ['text-field', 'textarea', 'select', 'radio', 'date-field', 'file-field'];
const CHOICES = ['checkbox', 'radio', 'select'];

const sum = (count: (key: string) => number, keys: readonly string[]) =>
  keys.reduce((total, key) => total + count(key), 0);

/** The rules by which the elements of a page show a pattern. */
const RULES: Readonly<Record<string, Rule>> = {
  'sign-in-form': (count) => count('password-field') === 1 && sum(count, FIELDS) <= 3,
  search: has('search-field'),
  filter: (count) => sum(count, CHOICES) >= 2 && sum(count, ['table', 'card', 'pagination']) >= 1,
  form: (count) => sum(count, FIELDS) >= 2 && count('button') >= 1,
  'file-upload': has('file-field'),
  'data-table': has('table'),
  'card-grid': has('card', 3),
  'image-gallery': has('image', 6),
  pagination: has('pagination'),
  breadcrumb: has('breadcrumb'),
  'navigation-bar': (count) => count('navigation') >= 1 && count('link') >= 3,
  sidebar: has('sidebar'),
  tabs: has('tabs'),
  accordion: has('disclosure', 2),
  dialog: has('dialog'),
  notice: has('alert'),
  progress: has('progress'),
  media: has('video'),
};

/** The keys of the patterns of a page, sorted: those that its elements show, and those that its collector tells. */
export const patternsOf = (elements: Readonly<Record<string, number>>, told: readonly string[]): readonly string[] => {
  const count = (key: string) => elements[key] ?? 0;
  const shown = PATTERNS.filter(({ key }) => RULES[key]?.(count)).map(({ key }) => key);
  return [...new Set([...shown, ...told.filter((key) => isTermKey(key))])].sort();
};
