import type { TaxonomyTerm } from './taxonomy.ts';

const term = (key: string, en: string, ko: string): TaxonomyTerm => ({ key, name: { en, ko } });

/** The patterns that a page's elements show by themselves. */
export const PATTERNS: readonly TaxonomyTerm[] = [
  term('sign-in-form', 'Sign-in form', '로그인 폼'),
  term('search', 'Search', '검색'),
  term('filter', 'Filters', '필터'),
  term('form', 'Form', '입력 폼'),
  term('file-upload', 'File upload', '파일 올리기'),
  term('data-table', 'Data table', '데이터 표'),
  term('card-grid', 'Card grid', '카드 격자'),
  term('image-gallery', 'Image gallery', '이미지 갤러리'),
  term('pagination', 'Pagination', '페이지 나누기'),
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
