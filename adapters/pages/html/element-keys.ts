import { attribute, HTML, isElement, type PageElement, SVG } from './parse-page.ts';

/* The keys are those of domain/gallery/terms-in-force.ts. */

const BY_ROLE: Readonly<Record<string, string>> = {
  button: 'button',
  link: 'link',
  textbox: 'text-field',
  searchbox: 'search-field',
  checkbox: 'checkbox',
  switch: 'switch',
  radio: 'radio',
  combobox: 'select',
  listbox: 'select',
  slider: 'slider',
  form: 'form',
  table: 'table',
  grid: 'table',
  list: 'list',
  img: 'image',
  heading: 'heading',
  navigation: 'navigation',
  menu: 'menu',
  menubar: 'menu',
  tablist: 'tabs',
  dialog: 'dialog',
  alertdialog: 'dialog',
  tooltip: 'tooltip',
  alert: 'alert',
  status: 'alert',
  progressbar: 'progress',
  banner: 'header',
  contentinfo: 'footer',
  complementary: 'sidebar',
};

const BY_TAG: Readonly<Record<string, string>> = {
  button: 'button',
  select: 'select',
  textarea: 'textarea',
  form: 'form',
  table: 'table',
  ul: 'list',
  ol: 'list',
  dl: 'list',
  img: 'image',
  video: 'video',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  pre: 'code',
  header: 'header',
  footer: 'footer',
  aside: 'sidebar',
  nav: 'navigation',
  menu: 'menu',
  details: 'disclosure',
  dialog: 'dialog',
  progress: 'progress',
  meter: 'progress',
};

const BY_INPUT: Readonly<Record<string, string>> = {
  submit: 'button',
  button: 'button',
  reset: 'button',
  image: 'button',
  password: 'password-field',
  search: 'search-field',
  checkbox: 'checkbox',
  radio: 'radio',
  file: 'file-field',
  date: 'date-field',
  'datetime-local': 'date-field',
  month: 'date-field',
  week: 'date-field',
  time: 'date-field',
  range: 'slider',
};

/** Elements that authors name by a class, whole or with a prefix or a modifier: `card`, `product-card`, `card--wide`. */
const BY_CLASS: Readonly<Record<string, string>> = {
  card: 'card',
  badge: 'badge',
  chip: 'badge',
  avatar: 'avatar',
  breadcrumb: 'breadcrumb',
  breadcrumbs: 'breadcrumb',
  pagination: 'pagination',
  pager: 'pagination',
  tabs: 'tabs',
  modal: 'dialog',
  sidebar: 'sidebar',
  tooltip: 'tooltip',
  toast: 'alert',
  switch: 'switch',
};

const CLASS = /^(?:[a-z0-9]+-)*([a-z]+)(?:--[a-z0-9-]+)?$/;

const owned = (table: Readonly<Record<string, string>>, name: string): string | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

const byClass = (element: PageElement): string | undefined => {
  for (const name of (attribute(element, 'class') ?? '').slice(0, 1000).toLowerCase().split(/\s+/)) {
    const key = owned(BY_CLASS, CLASS.exec(name)?.[1] ?? '');
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
  if (tagName === 'input')
    return owned(BY_INPUT, attribute(element, 'type')?.trim().toLowerCase() ?? '') ?? 'text-field';
  if (tagName === 'code') return isCodeInPre(element) ? undefined : 'code';
  if (tagName === 'nav') return byLabel(element) ?? 'navigation';
  return owned(BY_TAG, tagName);
};

/** Containers that a class or label describes more closely than their element does. */
const VAGUE = new Set(['list', 'navigation', 'sidebar', 'table']);

/** The kinds that an element counts as. */
export const elementKeys = (element: PageElement): readonly string[] => {
  if (element.namespaceURI === SVG) return element.tagName === 'svg' ? ['icon'] : [];
  if (element.namespaceURI !== HTML) return [];
  const role = owned(BY_ROLE, attribute(element, 'role')?.trim().toLowerCase().split(/\s+/)[0] ?? '');
  const kind = role ?? byTag(element);
  const named = byClass(element);
  if (named === undefined || named === kind) return kind === undefined ? [] : [kind];
  return kind === undefined || VAGUE.has(kind) ? [named] : [kind, named];
};
