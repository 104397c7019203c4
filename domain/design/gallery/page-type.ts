import { isTermKey } from '../collect/capture.ts';
import { type TaxonomyTerm, term } from './taxonomy.ts';

/** The page types that can be guessed if the collector names none. */
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

/** The facts of a page by which its type is guessed: its URL, status, visitor, and elements by key. */
export type PageSigns = {
  readonly path: string;
  readonly status: number | null;
  /** Whether the visitor was signed in. Signed-in visitors don't see sign-in or sign-up pages. */
  readonly auth: boolean;
  readonly elements: Readonly<Record<string, number>>;
  readonly text: string;
};

const FIELDS = ['text-field', 'textarea', 'select', 'radio', 'checkbox', 'date-field', 'file-field'];

/** The page types by words of the URL. The first match counts. */
const BY_PATH: readonly (readonly [RegExp, string])[] = [
  [/^(?:sign-?up|register|join)$/, 'sign-up'],
  [/^(?:log-?in|sign-?in)$/, 'sign-in'],
  [/^(?:settings?|preferences|profile|account|security|(?:change-)?password)$/, 'settings'],
  [/^(?:checkout|payment|cart)$/, 'checkout'],
  [/^search$/, 'search'],
  [/^dashboard$/, 'dashboard'],
  [/^(?:docs?|guides?|terms|privacy|help|legal)$/, 'document'],
  [/^(?:new|create|edit)$/, 'form'],
];

/** The page types through which visitors enter. */
const ENTRANCES: ReadonlySet<string> = new Set(['sign-in', 'sign-up']);

const EMPTY =
  /^.{0,200}(?:아직 .{0,30}없|내역이 없|결과가 없|비어 있|nothing (?:here|yet)|no .{1,30} (?:yet|found)|is empty)/isu;

const byPath = ({ path, auth }: PageSigns): string | undefined => {
  const words = path.toLowerCase().split('/');
  return BY_PATH.find(([word, kind]) => !(auth && ENTRANCES.has(kind)) && words.some((part) => word.test(part)))?.[1];
};

const byElements = ({ elements, text, auth }: PageSigns): string | undefined => {
  const has = (key: string) => elements[key] ?? 0;
  const fields = FIELDS.reduce((sum, key) => sum + has(key), 0);
  if (auth && has('password-field') > 0) return 'settings';
  if (has('password-field') === 1 && fields <= 3) return 'sign-in';
  if (has('table') > 0 || has('pagination') > 0 || has('card') >= 3) return 'list';
  if (has('password-field') > 1) return has('text-field') > 0 ? 'sign-up' : 'form';
  if (fields >= 3) return 'form';
  if (EMPTY.test(text)) return 'empty';
  return text.length >= 2000 && has('heading') >= 4 ? 'document' : undefined;
};

/** The key of a page's type: the collector's, else one guessed from the page's status, URL or elements. */
export const pageTypeOf = (sent: string | null, signs: PageSigns): string => {
  if (sent !== null && isTermKey(sent)) return sent;
  if (signs.status !== null && signs.status >= 400) return 'error';
  if (/^\/*$/.test(signs.path)) return 'home';
  return byPath(signs) ?? byElements(signs) ?? 'detail';
};
