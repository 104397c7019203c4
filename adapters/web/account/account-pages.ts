import { Router } from 'express';
import { type Language, localeFor } from '../../../domain/shared/language.ts';
import { type HostHeaders, prefersJson } from '../../host/request.ts';
import { rootReply } from '../root.ts';
import { addAssets } from '../shared/assets.ts';
import { Methods } from '../shared/methods.ts';
import { goTo } from './answer.ts';
import { ASSETS, addAccentAssets, addLogo } from './assets/assets.ts';
import { Cookies } from './cookies.ts';
import { PageGuard } from './guard.ts';
import { logosOf } from './headers.ts';
import { MESSAGES } from './messages/messages.ts';
import { addDevicePages } from './pages/devices.ts';
import { addEmailPages } from './pages/email.ts';
import { addErasurePages } from './pages/erasure.ts';
import { addGuidePages } from './pages/guides.ts';
import { addImprintPage } from './pages/imprint.ts';
import { addKeyPages } from './pages/keys.ts';
import { addLibraryPages } from './pages/library.ts';
import { addOrderPages } from './pages/orders.ts';
import { addPasskeyPages } from './pages/passkeys.ts';
import { addPictures } from './pages/pictures.ts';
import { addProfilePages } from './pages/profile.ts';
import { addSecurityPages } from './pages/security.ts';
import { addSupportPages } from './pages/support.ts';
import { addTeamPages } from './pages/teams.ts';
import { addTransferPages } from './pages/transfers.ts';
import type { AccountPagesSettings } from './parts.ts';
import { Paths } from './paths.ts';
import { addAppPages } from './routes/apps.ts';
import { addConsentPages } from './routes/consent.ts';
import { addDeviceSignInPages } from './routes/device-sign-in.ts';
import { addLinkPages } from './routes/link.ts';
import { addSignInPages } from './routes/sign-in.ts';
import { addUpstreamPages } from './routes/upstream.ts';
import { ShopFace } from './shop.ts';
import { accountSite } from './site.ts';
import { answersOf, fromOtherLoopback, type SitePages } from './site-pages.ts';
import { type AppError, appErrorView } from './views/messages.ts';

/**
 * Creates the pages of the account host, for `webApp`. They work without a script, keep nothing in memory, and write
 * only through use cases. The router parses the bodies of its own forms, so no middleware before it may.
 */
export const accountPages = ({ urls, ...given }: Given): SitePages => {
  const site = accountSite(urls.account, given.parts.signInMethods.password);
  const settings = { ...given, site };
  const cookies = new Cookies(site);
  const shop = new ShopFace(settings.parts.catalogs);
  const guard = new PageGuard(settings, cookies, shop);
  const router = Router({ strict: true, caseSensitive: true });
  const methods = new Methods();
  router.use(fromOtherLoopback(site.url));
  addAssets(router, methods, ASSETS);
  addAccentAssets(router, methods);
  addLogo(router, methods, shop);
  const paths = new Paths({ router, methods, guard, cookies, settings, shop });
  addRoot(paths);
  addSignInPages(paths);
  addLinkPages(paths);
  addUpstreamPages(paths);
  addLibraryPages(paths);
  addTransferPages(paths);
  addGuidePages(paths);
  addPictures(paths);
  addOrderPages(paths);
  addDevicePages(paths);
  addKeyPages(paths);
  addTeamPages(paths);
  addAppPages(paths);
  addSupportPages(paths);
  addSecurityPages(paths);
  addPasskeyPages(paths);
  addProfilePages(paths);
  addEmailPages(paths);
  addErasurePages(paths);
  addDeviceSignInPages(paths);
  addConsentPages(paths);
  addImprintPage(paths);
  return { router, methods, answers: answersOf(guard, shop, site) };
};

type Given = Omit<AccountPagesSettings, 'site'> & {
  /** The public URL of the account host, without a trailing slash. It has no path. */
  readonly urls: { readonly account: string };
};

/** The root of the host: for a browser the first page, for a program links. */
const addRoot = (paths: Paths): void => {
  const { site, parts } = paths.settings;
  paths.open('/', async (visit) => {
    const headers = visit.req.headers as HostHeaders;
    const urls = { account: site.url, api: parts.links.issuer };
    if (prefersJson(headers['accept'], false)) return { reply: await rootReply('account', urls, { headers }) };
    visit.res.vary('Accept');
    return goTo((await paths.guard.session(visit)) ? site.home : '/sign-in');
  });
};

/**
 * Renders the page that a person sees when the authorization server cannot authorize an application. While the store is
 * unavailable, it shows the shop as last read.
 */
export const appErrorPages = (catalogs: AccountPagesSettings['parts']['catalogs']) => {
  const face = new ShopFace(catalogs);
  return async ({ language, ...error }: AppError & { readonly language: Language }) => {
    const shop = await face.current().catch(() => face.last);
    const page = {
      language,
      locale: localeFor(language),
      m: MESSAGES[language],
      csrf: '',
      here: '/',
      site: accountSite('', false),
      shop,
      email: null,
    };
    return { html: String(appErrorView(page, error)), pictures: logosOf(shop) };
  };
};
