import { PAGE_TYPES } from './page-type.ts';
import { PATTERNS } from './pattern-rules.ts';
import { type TaxonomyTerm, type TaxonomyTerms, term } from './taxonomy.ts';

/**
 * The elements that are counted in pages, by key. The taxonomy may have more or fewer; elements outside it are counted
 * too.
 */
export const ELEMENTS: readonly TaxonomyTerm[] = [
  term('button', 'Button', '버튼'),
  term('link', 'Link', '링크'),
  term('text-field', 'Text field', '텍스트 입력'),
  term('password-field', 'Password field', '비밀번호 입력'),
  term('search-field', 'Search field', '검색 입력'),
  term('checkbox', 'Checkbox', '체크박스'),
  term('switch', 'Switch', '스위치'),
  term('radio', 'Radio button', '라디오 버튼'),
  term('select', 'Select', '선택 상자'),
  term('textarea', 'Text area', '여러 줄 입력'),
  term('file-field', 'File field', '파일 선택'),
  term('date-field', 'Date field', '날짜 입력'),
  term('slider', 'Slider', '슬라이더'),
  term('form', 'Form', '폼'),
  term('table', 'Table', '표'),
  term('list', 'List', '목록'),
  term('card', 'Card', '카드'),
  term('image', 'Image', '이미지'),
  term('icon', 'Icon', '아이콘'),
  term('video', 'Video', '동영상'),
  term('heading', 'Heading', '제목'),
  term('code', 'Code', '코드'),
  term('badge', 'Badge', '배지'),
  term('avatar', 'Avatar', '아바타'),
  term('header', 'Header', '머리글'),
  term('footer', 'Footer', '바닥글'),
  term('sidebar', 'Sidebar', '사이드바'),
  term('navigation', 'Navigation', '내비게이션'),
  term('menu', 'Menu', '메뉴'),
  term('breadcrumb', 'Breadcrumb', '이동 경로'),
  term('pagination', 'Pagination', '페이지네이션'),
  term('tabs', 'Tabs', '탭'),
  term('disclosure', 'Disclosure', '펼치기'),
  term('dialog', 'Dialog', '대화 상자'),
  term('tooltip', 'Tooltip', '툴팁'),
  term('alert', 'Alert', '알림'),
  term('progress', 'Progress', '진행 표시'),
];

/** The default terms of a gallery: those that the page reader finds. */
export const DEFAULT_TERMS: TaxonomyTerms = { page_types: PAGE_TYPES, patterns: PATTERNS, elements: ELEMENTS };

const over = (defaults: readonly TaxonomyTerm[], own: readonly TaxonomyTerm[]): TaxonomyTerm[] => {
  const byKey = new Map([...defaults, ...own].map((term) => [term.key, term]));
  return [...byKey.values()];
};

/** The defaults, overridden and extended by the operator's terms. */
export const termsInForce = (own: TaxonomyTerms): TaxonomyTerms => ({
  page_types: over(DEFAULT_TERMS.page_types, own.page_types),
  patterns: over(DEFAULT_TERMS.patterns, own.patterns),
  elements: over(DEFAULT_TERMS.elements, own.elements),
});
