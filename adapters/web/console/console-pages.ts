import { Router } from 'express';
import { type HostHeaders, prefersJson } from '../../host/request.ts';
import { sendReply } from '../../http/node-requests.ts';
import { ASSETS, addAccentAssets, addLogo } from '../account/assets/assets.ts';
import { Cookies } from '../account/cookies.ts';
import { PageGuard } from '../account/guard.ts';
import { Paths } from '../account/paths.ts';
import { addLinkPages } from '../account/routes/link.ts';
import { addSignInPages } from '../account/routes/sign-in.ts';
import { ShopFace } from '../account/shop.ts';
import { answersOf, fromOtherLoopback, type SitePages } from '../account/site-pages.ts';
import { rootReply } from '../root.ts';
import { addAssets } from '../shared/assets.ts';
import { Methods } from '../shared/methods.ts';
import { CONSOLE_ASSETS } from './assets/assets.ts';
import { addAuditPages } from './pages/audit.ts';
import { addCustomerPages } from './pages/customers.ts';
import { addErrorPages } from './pages/errors.ts';
import { addEventPages } from './pages/events.ts';
import { addKeyPages } from './pages/keys.ts';
import { addLookPages } from './pages/look.ts';
import { addNoticePages } from './pages/notices.ts';
import { addOrderPages } from './pages/orders.ts';
import { addOwnSignInPages } from './pages/own-sign-in.ts';
import { addPeoplePages } from './pages/people.ts';
import { addProductPages } from './pages/products.ts';
import { addReleasePages } from './pages/releases.ts';
import { addSalesPages } from './pages/sales.ts';
import { addSearchPages } from './pages/search.ts';
import { addSetupPages } from './pages/setup.ts';
import { addSubscriptionPages } from './pages/subscriptions.ts';
import { addTicketPages } from './pages/tickets.ts';
import { addTodayPages } from './pages/today.ts';
import { addWebhookPages } from './pages/webhooks.ts';
import type { ConsoleParts, ConsoleSettings } from './parts.ts';
import { ConsolePaths } from './paths.ts';
import { consoleSite } from './site.ts';

type Given = Pick<ConsoleSettings, 'options' | 'uploads'> & {
  /** The public URLs, without a trailing slash. That of the shop host has no path. */
  readonly urls: Readonly<Record<'account' | 'api' | 'shop', string>>;
  readonly parts: ConsoleParts;
};

/**
 * Creates the pages of the console, for `webApp`: the same gate as the buyers' pages, open only to members of the shop.
 * They work without a script and keep nothing in memory.
 */
export const consolePages = ({ urls, parts: all, options, uploads }: Given): SitePages => {
  const site = consoleSite(urls.shop, all.findMember);
  // A password is set, and an identity of the upstream provider linked, on the buyers' pages: neither opens the console.
  const parts: ConsoleParts = Object.create(all, { signInMethods: { value: { password: false, upstream: null } } });
  const settings: ConsoleSettings = { site, parts, options, uploads };
  const cookies = new Cookies(site);
  const shop = new ShopFace(parts.catalogs);
  const guard = new PageGuard(settings, cookies, shop);
  const router = Router({ strict: true, caseSensitive: true });
  const methods = new Methods();
  router.use(fromOtherLoopback(site.url));
  addAssets(router, methods, [...ASSETS, ...CONSOLE_ASSETS]);
  addAccentAssets(router, methods);
  addLogo(router, methods, shop);
  // A program that asks for the root gets links, and a browser the page of the day.
  router.get('/', async (req, res, next) => {
    const headers = req.headers as HostHeaders;
    if (prefersJson(headers['accept'], true)) return sendReply(res, await rootReply('shop', urls, { headers }));
    res.vary('Accept');
    next();
  });
  const gate = new Paths({ router, methods, guard, cookies, settings, shop });
  addSignInPages(gate);
  addLinkPages(gate);
  const paths = new ConsolePaths(gate);
  addSetupPages(gate);
  addTodayPages(paths);
  addProductPages(paths);
  addReleasePages(paths);
  addKeyPages(paths);
  addSearchPages(paths);
  addCustomerPages(paths);
  addSalesPages(paths);
  addOrderPages(paths);
  addSubscriptionPages(paths);
  addTicketPages(paths);
  addEventPages(paths);
  addErrorPages(paths);
  addPeoplePages(paths);
  addWebhookPages(paths);
  addNoticePages(paths);
  addLookPages(paths, new URL(urls.account).origin);
  addAuditPages(paths);
  addOwnSignInPages(paths);
  return { router, methods, answers: answersOf(guard, shop, site) };
};
