/** A page to collect. The order of the list is the order of the captures, and so of the screens. */
export type PageToCollect = {
  /** The name by which `--pages` selects the page. */
  readonly name: string;
  /** The server that has the page: the account host, or the design host with the gallery. */
  readonly host: 'account' | 'design';
  readonly path: string;
  /** Whether the page is visited by a signed-in browser. */
  readonly auth: boolean;
  /** The app of the gallery, and the flow of this app that the page is a step of. */
  readonly app: 'accounts' | 'design';
  readonly flow: string;
  readonly step: number;
  /** The page type, a key of the gallery's taxonomy. Without one the gallery guesses it from the page. */
  readonly kind?: string;
  /** Whether the page is collected in dark colors too. */
  readonly dark?: boolean;
};

const account = { host: 'account', app: 'accounts' } as const;
const gallery = { host: 'design', app: 'design', auth: false, flow: 'Gallery' } as const;

/** The pages of the account host and of the gallery. Replace them by the pages of your own products. */
export const PAGES: readonly PageToCollect[] = [
  { ...account, name: 'sign-in', path: '/sign-in', auth: false, flow: 'Sign in', kind: 'sign-in', step: 1, dark: true },
  { ...account, name: 'library', path: '/library', auth: true, flow: 'Products', kind: 'list', step: 1, dark: true },
  { ...account, name: 'devices', path: '/devices', auth: true, flow: 'Products', kind: 'list', step: 2 },
  { ...account, name: 'keys', path: '/keys', auth: true, flow: 'Developers', kind: 'list', step: 1 },
  { ...account, name: 'apps', path: '/apps', auth: true, flow: 'Developers', kind: 'list', step: 2 },
  { ...account, name: 'device', path: '/device', auth: true, flow: 'Device sign-in', kind: 'form', step: 1 },
  { ...account, name: 'security', path: '/security', auth: true, flow: 'Security', kind: 'settings', step: 1 },
  { ...account, name: 'password', path: '/security/password', auth: true, flow: 'Security', kind: 'form', step: 2 },
  { ...gallery, name: 'explore', path: '/', kind: 'home', step: 1, dark: true },
  { ...gallery, name: 'documents', path: '/documents', kind: 'list', step: 2 },
];
