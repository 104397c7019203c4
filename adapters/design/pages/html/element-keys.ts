import { attribute, HTML, isElement, type PageElement, SVG } from './parse-page.ts';

/* domain/design/gallery/terms-in-force.ts defines the keys. */

/** Maps names in pages to keys. `own` lists names that are keys themselves. */
const keysByName = (own: string, others: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map([
    ...own.split(' ').map((name) => [name, name] as const),
    ...Object.entries(others).flatMap(([key, names]) => names.split(' ').map((name) => [name, key] as const)),
  ]);

const BY_ROLE = keysByName(
  'button link checkbox switch radio slider form table list heading navigation menu dialog tooltip alert',
  {
    'text-field': 'textbox',
    'search-field': 'searchbox',
    select: 'combobox listbox',
    table: 'grid',
    image: 'img',
    menu: 'menubar',
    tabs: 'tablist',
    dialog: 'alertdialog',
    alert: 'status',
    progress: 'progressbar',
    header: 'banner',
    footer: 'contentinfo',
    sidebar: 'complementary',
  },
);

const BY_TAG = keysByName('button select textarea form table video header footer menu dialog progress', {
  list: 'ul ol dl',
  image: 'img',
  heading: 'h1 h2 h3 h4 h5 h6',
  code: 'pre',
  sidebar: 'aside',
  navigation: 'nav',
  disclosure: 'details',
  progress: 'meter',
});

const BY_INPUT = keysByName('button checkbox radio', {
  button: 'submit reset image',
  'password-field': 'password',
  'search-field': 'search',
  'file-field': 'file',
  'date-field': 'date datetime-local month week time',
  slider: 'range',
});

/**
 * Elements that authors identify by a class, alone or with a prefix or a modifier: `card`, `product-card`,
 * `card--wide`.
 */
const BY_CLASS = keysByName('card badge avatar breadcrumb pagination tabs sidebar tooltip switch', {
  badge: 'chip',
  breadcrumb: 'breadcrumbs',
  pagination: 'pager',
  dialog: 'modal',
  alert: 'toast',
});

const CLASS = /^(?:[a-z0-9]+-)*([a-z]+)(?:--[a-z0-9-]+)?$/;

const byClass = (element: PageElement): string | undefined => {
  for (const name of (attribute(element, 'class') ?? '').slice(0, 1000).toLowerCase().split(/\s+/)) {
    const key = BY_CLASS.get(CLASS.exec(name)?.[1] ?? '');
    if (key !== undefined) return key;
  }
  return undefined;
};

const byLabel = (element: PageElement): string | undefined => {
  const label = attribute(element, 'aria-label') ?? '';
  if (/breadcrumb|이동 경로|현재 위치/i.test(label)) return 'breadcrumb';
  return /pagination|페이지/i.test(label) ? 'pagination' : undefined;
};

const isCodeInPre = ({ parentNode }: PageElement): boolean =>
  parentNode !== null && 'tagName' in parentNode && isElement(parentNode) && parentNode.tagName === 'pre';

const byTag = (element: PageElement): string | undefined => {
  const { tagName } = element;
  if (tagName === 'a') return attribute(element, 'href') === undefined ? undefined : 'link';
  if (tagName === 'input') return BY_INPUT.get(attribute(element, 'type')?.trim().toLowerCase() ?? '') ?? 'text-field';
  if (tagName === 'code') return isCodeInPre(element) ? undefined : 'code';
  if (tagName === 'nav') return byLabel(element) ?? 'navigation';
  return BY_TAG.get(tagName);
};

/** Containers that a class or a label describes more precisely than their element does. */
const VAGUE = new Set(['list', 'navigation', 'sidebar', 'table']);

/** The keys that an element counts as. */
export const elementKeys = (element: PageElement): readonly string[] => {
  if (element.namespaceURI === SVG) return element.tagName === 'svg' ? ['icon'] : [];
  if (element.namespaceURI !== HTML) return [];
  const role = BY_ROLE.get(attribute(element, 'role')?.trim().toLowerCase().split(/\s+/)[0] ?? '');
  const kind = role ?? byTag(element);
  const named = byClass(element);
  if (named === undefined || named === kind) return kind === undefined ? [] : [kind];
  return kind === undefined || VAGUE.has(kind) ? [named] : [kind, named];
};
