import type { TaxonomyTerm } from './taxonomy.ts';

const term = (key: string, en: string, ko: string): TaxonomyTerm => ({ key, name: { en, ko } });

/** The page types that a page is taken for where its collector tells none. */
export const PAGE_TYPES: readonly TaxonomyTerm[] = [
  term('home', 'Home', '홈'),
  term('sign-in', 'Sign-in', '로그인'),
  term('sign-up', 'Sign-up', '회원가입'),
  term('dashboard', 'Dashboard', '대시보드'),
  term('list', 'List', '목록'),
  term('detail', 'Detail', '상세'),
  term('form', 'Form', '입력 폼'),
  term('settings', 'Settings', '설정'),
  term('search', 'Search', '검색'),
  term('checkout', 'Checkout', '결제'),
  term('document', 'Document', '문서'),
  term('error', 'Error', '오류'),
  term('empty', 'Empty state', '빈 화면'),
];
