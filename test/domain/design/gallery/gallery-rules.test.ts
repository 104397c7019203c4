import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { APPS } from '../../../../domain/design/collect/run.ts';
import { colorFamilyOf } from '../../../../domain/design/gallery/colors.ts';
import { flowOf, slugOf } from '../../../../domain/design/gallery/draft-of.ts';
import { PAGE_TYPES, pageTypeOf } from '../../../../domain/design/gallery/page-type.ts';
import { PATTERNS, patternsOf } from '../../../../domain/design/gallery/pattern-rules.ts';
import { appId, GALLERY_APPS, type Screen } from '../../../../domain/design/gallery/screen.ts';
import { ELEMENTS } from '../../../../domain/design/gallery/terms-in-force.ts';
import { variantsOf } from '../../../../domain/design/gallery/variants.ts';
import { aScreen } from '../../../support/screen-builders.ts';

const KEYS = { elements: ELEMENTS, 'page types': PAGE_TYPES, patterns: PATTERNS };

describe.each(Object.entries(KEYS))('the %s of the gallery', (_, terms) => {
  test('the keys and the names in both languages are distinct', () => {
    expect(new Set(terms.map(({ key }) => key)).size).toBe(terms.length);
    for (const { key, name } of terms) {
      expect(key).toMatch(/^[a-z0-9-]{1,60}$/);
      expect(name.en && name.ko).toBeTruthy();
    }
  });
});

describe('the type of a page', () => {
  const signs = { path: '/x', status: 200, auth: false, elements: {}, text: '' };

  test.each([
    ['the answer is an error, whatever the address says', { path: '/login', status: 404 }, 'error'],
    ['the address is the root', { path: '/' }, 'home'],
    ['the address is a sign-in', { path: '/ko/login' }, 'sign-in'],
    ['the address makes a new one', { path: '/orders/new' }, 'form'],
    ['there is one password', { elements: { 'password-field': 1, 'text-field': 1 } }, 'sign-in'],
    ['the answer is the first of the errors', { status: 400 }, 'error'],
    ['the answer is the last that is no error', { status: 399 }, 'detail'],
    [
      'a password is among three fields',
      { elements: { 'password-field': 1, 'text-field': 1, select: 1, checkbox: 1 } },
      'sign-in',
    ],
    ['a password is among four fields', { elements: { 'password-field': 1, 'text-field': 4 } }, 'form'],
    ['there are three cards', { elements: { card: 3 } }, 'list'],
    ['there are two cards', { elements: { card: 2 } }, 'detail'],
    ['there are two fields', { elements: { 'text-field': 2 } }, 'detail'],
    ['the text is long and has three headings', { text: 'a'.repeat(2000), elements: { heading: 3 } }, 'detail'],
    ['the text is short and has four headings', { text: 'a'.repeat(1999), elements: { heading: 4 } }, 'detail'],
    ['there are two passwords', { elements: { 'password-field': 2, 'text-field': 1 } }, 'sign-up'],
    ['there are two passwords and no name', { elements: { 'password-field': 2 } }, 'form'],
    ['a signed-in visitor has a password', { auth: true, elements: { 'password-field': 1 } }, 'settings'],
    [
      'a signed-in visitor has two passwords and a name',
      { auth: true, elements: { 'password-field': 2, 'text-field': 1 } },
      'settings',
    ],
    ['a signed-in visitor has an address of signing in', { auth: true, path: '/sign-in/devices/new' }, 'form'],
    ['the address is a password', { path: '/security/password', elements: { 'password-field': 2 } }, 'settings'],
    ['there is a table', { elements: { table: 1 } }, 'list'],
    ['there are many fields', { elements: { 'text-field': 2, select: 1 } }, 'form'],
    ['the text says that there is nothing', { text: '주문 아직 주문이 없습니다.' }, 'empty'],
    ['the text is long', { text: 'a'.repeat(2000), elements: { heading: 4 } }, 'document'],
    ['nothing speaks for another', {}, 'detail'],
  ])('the type of a page follows from its elements where %s', (_, page, kind) => {
    expect(pageTypeOf(null, { ...signs, ...page })).toBe(kind);
    expect(PAGE_TYPES.map(({ key }) => key)).toContain(kind);
  });

  test('the type that a collector reports is used if it can be a key', () => {
    expect(pageTypeOf('pricing', { ...signs, status: 500 })).toBe('pricing');
    expect(pageTypeOf('Not a key', { ...signs, path: '/' })).toBe('home');
  });
});

describe('the patterns of a page', () => {
  test.each<[string, Record<string, number>]>([
    ['sign-in-form', { 'password-field': 1 }],
    ['filter', { select: 2, table: 1 }],
    ['form', { 'text-field': 2, button: 1 }],
    ['card-grid', { card: 3 }],
    ['navigation-bar', { navigation: 1, link: 3 }],
    ['accordion', { disclosure: 2 }],
    ['media', { video: 1 }],
    ['sign-in-form', { 'password-field': 1, 'text-field': 3 }],
  ])('the pattern %s follows from its elements', (pattern, elements) =>
    expect(patternsOf(elements, [])).toContain(pattern));

  test.each<[string, Record<string, number>]>([
    ['sign-in-form', { 'password-field': 1, 'text-field': 4 }],
    ['sign-in-form', { 'password-field': 2 }],
    ['filter', { select: 1, table: 1 }],
    ['filter', { select: 2 }],
    ['form', { 'text-field': 1, button: 1 }],
    ['form', { 'text-field': 2 }],
    ['card-grid', { card: 2 }],
    ['image-gallery', { image: 5 }],
    ['navigation-bar', { navigation: 1, link: 2 }],
    ['navigation-bar', { link: 3 }],
    ['accordion', { disclosure: 1 }],
  ])('the pattern %s does not follow from fewer or other elements', (pattern, elements) =>
    expect(patternsOf(elements, [])).not.toContain(pattern));

  test('the patterns of a page are its own and the reported ones, sorted and without duplicates', () => {
    expect(patternsOf({ table: 1, tabs: 1 }, ['wizard', 'tabs', 'No key'])).toEqual(['data-table', 'tabs', 'wizard']);
  });

  test('each pattern has a rule that some page matches', () => {
    const everything = Object.fromEntries(ELEMENTS.map(({ key }) => [key, key === 'password-field' ? 1 : 6]));
    const shown = new Set([...patternsOf(everything, []), ...patternsOf({ 'password-field': 1 }, [])]);
    expect(PATTERNS.filter(({ key }) => !shown.has(key))).toEqual([]);
  });
});

describe('the flow of a page', () => {
  test.each([
    ['Sign up & verify', '/x', { slug: 'sign-up-verify', name: 'Sign up & verify' }],
    [' 주문  취소 ', '/x', { slug: '주문-취소', name: '주문 취소' }],
    ['--', '/orders/12', { slug: 'orders', name: 'Orders' }],
    [null, '/ko/order-history/3', { slug: 'order-history', name: 'Order history' }],
    [null, '/%EC%A3%BC%EB%AC%B8/1', { slug: '주문', name: '주문' }],
    [null, '/12/0123456789abcdef/', { slug: 'home', name: 'Home' }],
    [null, '/%zz.html', { slug: 'zz', name: 'Zz' }],
    [null, '/', { slug: 'home', name: 'Home' }],
  ])('the flow of a page is %j at %s', (told, path, flow) => expect(flowOf(told, path)).toEqual(flow));

  test('the slug of a flow stays unchanged as a slug and fits into a URL', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (name) => {
        const slug = slugOf(name);
        expect(slug).toMatch(/^(?:[\p{L}\p{N}\p{M}]+(?:-[\p{L}\p{N}\p{M}]+)*)?$/u);
        expect([...slug].length).toBeLessThanOrEqual(60);
        expect(slugOf(slug)).toBe(slug);
      }),
    );
  });
});

test('the family of a color follows from its lightness, or else from its hue', () => {
  const families = {
    '#000000': 'black',
    '#1e1e1e': 'black',
    '#1f1f1f': 'gray',
    '#ededed': 'gray',
    '#eeeeee': 'white',
    '#808093': 'gray',
    '#808094': 'blue',
    '#ff0000': 'red',
    '#ff4000': 'orange',
    '#ff9000': 'orange',
    '#c16100': 'brown',
    '#c26200': 'orange',
    '#602000': 'brown',
    '#601000': 'red',
    '#ffff00': 'yellow',
    '#00ff00': 'green',
    '#00ffff': 'teal',
    '#0000ff': 'blue',
    '#8000ff': 'purple',
    '#ff00ff': 'pink',
    '#ff0010': 'red',
  };
  expect(Object.fromEntries(Object.keys(families).map((hex) => [hex, colorFamilyOf(hex)]))).toEqual(families);
});

test('the id of a gallery app is its position in the list', () => {
  expect(GALLERY_APPS.map(({ id, slug }) => [id, appId(slug)])).toEqual(APPS.map((_, n) => [n + 1, n + 1]));
});

describe('the elements that indicate a pattern or a page type', () => {
  const signs = { path: '/x', status: 200, auth: false, elements: {}, text: '' };

  test.each<[string, Record<string, number>]>([
    ['search', { 'search-field': 1 }],
    ['file-upload', { 'file-field': 1 }],
    ['data-table', { table: 1 }],
    ['image-gallery', { image: 6 }],
    ['pagination', { pagination: 1 }],
    ['breadcrumb', { breadcrumb: 1 }],
    ['sidebar', { sidebar: 1 }],
    ['tabs', { tabs: 1 }],
    ['dialog', { dialog: 1 }],
    ['notice', { alert: 1 }],
    ['progress', { progress: 1 }],
    ['media', { video: 1 }],
  ])('the pattern %s follows from its own element alone', (pattern, elements) => {
    expect(patternsOf(elements, [])).toEqual([pattern]);
    expect(patternsOf({}, [])).toEqual([]);
  });

  test.each([
    'text-field',
    'textarea',
    'select',
    'radio',
    'date-field',
    'file-field',
  ])('each %s is a form field', (field) => {
    expect(patternsOf({ [field]: 2, button: 1 }, [])).toContain('form');
    expect(pageTypeOf(null, { ...signs, elements: { [field]: 3 } })).toBe('form');
  });

  test.each(['checkbox', 'radio', 'select'])('each %s is a filter choice', (choice) => {
    for (const rows of ['table', 'card', 'pagination']) {
      expect(patternsOf({ [choice]: 2, [rows]: 1 }, [])).toContain('filter');
    }
  });

  test('a page with a pagination is a list, and one with three checkboxes is a form', () => {
    expect(pageTypeOf(null, { ...signs, elements: { pagination: 1 } })).toBe('list');
    expect(pageTypeOf(null, { ...signs, elements: { checkbox: 3 } })).toBe('form');
  });

  test.each([
    ['/register', 'sign-up'],
    ['/sign-in', 'sign-in'],
    ['/account', 'settings'],
    ['/cart', 'checkout'],
    ['/search', 'search'],
    ['/ko/Dashboard', 'dashboard'],
    ['/help/orders', 'document'],
    ['/orders/edit', 'form'],
  ])('the URL %s indicates the type %s', (path, kind) => {
    expect(pageTypeOf(null, { ...signs, path })).toBe(kind);
  });
});

describe('variants of a page', () => {
  const cards = [
    aScreen({ id: 1, viewport: 'mobile', lang: 'ko' }),
    aScreen({ id: 2, viewport: 'mobile', lang: 'en', mode: 'dark' }),
    aScreen({ id: 3, viewport: 'desktop', lang: 'en' }),
  ];
  const idsOf = (groups: readonly (readonly { id: number }[])[]) => groups.map((group) => group.map(({ id }) => id));

  test('variants of a page form one group, with the reader’s language, light colors and the desktop first', () => {
    expect(idsOf(variantsOf(cards, 'en'))).toEqual([[3, 2, 1]]);
    expect(idsOf(variantsOf(cards, 'ko'))).toEqual([[1, 3, 2]]);
  });

  test.each([
    ['https://example.com/ko/terms', 'https://example.com/en/terms'],
    ['https://example.com/terms?lang=ko', 'https://example.com/terms?lang=en'],
    ['https://example.com/en', 'https://example.com/ko'],
  ])('variants of a page may have the URLs %s and %s', (ko, en) => {
    const pair = [aScreen({ id: 1, lang: 'ko', url: ko }), aScreen({ id: 2, lang: 'en', url: en })];
    expect(variantsOf(pair, 'en')).toHaveLength(1);
  });

  test.each<Partial<Screen>>([
    { url: 'https://account.example.com/english' },
    { app: 'core' },
    { flow: { slug: 'sign-up', name: 'Sign-up' } },
    { step: 2 },
    { platform: 'ios' },
    { viewport: 'desktop' },
  ])('variants of a page differ only in appearance, and each appearance is one screen: %j is another page', (other) => {
    const pair = [aScreen({ id: 1, viewport: 'desktop' }), aScreen({ id: 2, viewport: 'mobile', ...other })];
    expect(idsOf(variantsOf(pair, 'en'))).toEqual([[1], [2]]);
  });
});
