import type { Request } from 'express';
import { html } from 'hono/html';
import type { OlderRelease, Purchase, PurchasedFile } from '../../../../application/billing/list-purchases.ts';
import type { ListSubscriptions } from '../../../../application/billing/subscriptions.ts';
import { principalOfSession } from '../../../../domain/access/principal.ts';
import type { LicenseEnd } from '../../../../domain/billing/license-end.ts';
import { firstDue } from '../../../../domain/billing/renewal.ts';
import type { GuideKind } from '../../../../domain/catalog/guide.ts';
import type { Platform } from '../../../../domain/catalog/platform.ts';
import type { Channel } from '../../../../domain/delivery/channel.ts';
import { productsBrought } from '../../../../domain/licensing/access.ts';
import { compareText } from '../../../../domain/shared/compare-text.ts';
import type { Instant } from '../../../../domain/shared/instant.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { dayText, sizeText } from '../../../../domain/shared/wording.ts';
import { ticketNumber } from '../../../../domain/support/ticket.ts';
import { day, dayIn } from '../../shared/dates.ts';
import {
  attribute,
  checkbox,
  emptyBox,
  facts,
  field,
  flag,
  type Html,
  type Notice,
  noticeBox,
  unseen,
} from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { SCRIPT_PATH } from '../assets/assets.ts';
import { computerSystem, isForSystem, isMobile, ownPlatformsFirst, platformRank } from '../browser-name.ts';
import { type Form, idIn } from '../form.ts';
import type { OwnFormVisit, OwnVisit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { agentWays } from '../views/agent.ts';
import { copied } from '../views/copied.ts';
import { dueBanner, type NamedDue } from '../views/due.ts';
import { notFoundView } from '../views/messages.ts';
import { csrfField, layout, type Page } from '../views/page.ts';
import { newKeyView } from './keys.ts';
import { nameIn, type Order, withdrawableNote } from './orders.ts';
import { picturePath } from './pictures.ts';

/** A product of the account. Its files are ordered for the visitor's computer. */
export type Shown = Purchase & {
  /** The file that the visitor most likely wants; undefined if that depends on a processor that the browser hides. */
  readonly own: PurchasedFile | undefined;
  /** The visitor's system, such as `Windows`, if no file is for it. */
  readonly lacking?: string | undefined;
};

export type LibraryModel = {
  readonly purchases: readonly Shown[];
  /** The search words; the list contains only matching products. */
  readonly sought: string;
  readonly sort: Sort;
  /** True if there are enough products for a search and a sort order to help. */
  readonly isLong: boolean;
  /** The current page of the list, from 1, and the number of products on all pages. */
  readonly turn: number;
  readonly total: number;
  readonly notice: Notice | null;
  /** The subscription whose failed payment ends access first. */
  readonly due: NamedDue | undefined;
};

export type ProductModel = {
  readonly purchase: Shown;
  readonly now: Instant;
  readonly isSaved: boolean;
  readonly mcp: string;
  /** The account’s orders that brought the product. */
  readonly orders: readonly Order[];
  readonly guides: readonly GuideKind[];
  /** The subscription that gives the product, if its last payment failed. */
  readonly due: NamedDue | undefined;
  /** The URL of a download that starts automatically; null for none. */
  readonly begins: string | null;
  readonly notice: Notice | null;
};

/** The maximum length of a search, the list length from which it is offered, and the number of products on a page. */
const LONGEST_SEARCH = 100;
const LONG_LIST = 5;
const PAGE_SIZE = 20;

/**
 * Ranks names by the words: first names with a word that begins with them, then other names that contain them, then the
 * rest.
 */
const nameRank =
  (words: string) =>
  ({ name }: Pick<Purchase, 'name'>): number => {
    const at = ` ${name.toLowerCase()}`;
    return at.includes(` ${words}`) ? 0 : at.includes(words) ? 1 : 2;
  };

/** The sort orders of the list; the first is the default. */
const SORTS = ['released', 'name'] as const;
type Sort = (typeof SORTS)[number];

const endText = (page: Page, { because, at }: LicenseEnd): string =>
  at === null ? page.m.library.endedAs[because] : page.m.library.endedOn[because](dayIn(page, at));

const renewal = ({ m: { library: m } }: Page, { name, license }: Purchase): Html | '' =>
  license.state === 'active' || license.end.renewal_url === null
    ? ''
    : html`<a class="button main" href="${license.end.renewal_url}" rel="noreferrer">${license.state === 'ended' ? m.renew : m.buyAgain}${unseen(name)}</a>`;

const licenseText = (page: Page, license: Purchase['license']): string => {
  const { library: m } = page.m;
  if (license.state !== 'active') return endText(page, license.end);
  const end = license.access_expires_at;
  if (end === null) return license.source === 'subscription' ? m.whileSubscribed : m.forever;
  return m.until(dayIn(page, end));
};

const updatesText = (page: Page, license: Purchase['license'], now: Instant): string | null => {
  const { library: m } = page.m;
  if (license.state !== 'active') return null;
  const end = license.updates_supported_until;
  // For a subscription without an end of updates, the license says everything.
  if (end === null) return license.source === 'subscription' ? null : m.updatesForever;
  const text = dayIn(page, end);
  return end > now ? m.updatesUntil(text) : m.updatesEnded(text);
};

const versionText = (page: Page, { release, devices, uncovered_version: newer }: Purchase): Html | string | null => {
  const { library: m } = page.m;
  // A product that has ended, or is only a bundle, has no devices and no files.
  if (release === null && newer === null) return devices === null ? null : m.noFile;
  const note = newer === null ? '' : html`<small>${m.newerExists(newer)}</small>`;
  if (release === null) return html`${note}`;
  const released = dayIn(page, release.released_at);
  return html`${m.versionText(release.version, released)}${prerelease(page.m, release.channel)}${note}`;
};

const prerelease = ({ library: m }: Page['m'], channel: Channel): Html | '' =>
  channel === 'stable' ? '' : html` <span class="tag">${m.prerelease(channel)}</span>`;

const platformText = ({ library: m, platforms }: Page['m'], platform: Platform | null): string =>
  platform === null ? m.everyPlatform : platforms[platform];

const downloadLabel = ({ library: m, platforms }: Page['m'], platform: Platform | null, isOnly: boolean): string => {
  if (platform !== null) return m.downloadFor(platforms[platform]);
  return isOnly ? m.download : m.downloadForOthers;
};

type OfRelease = { readonly release_id: number; readonly platform: Platform | null };

const downloadPath = (product: number, { release_id, platform }: OfRelease): string =>
  `/library/download?product=${product}&release=${release_id}${platform === null ? '' : `&platform=${platform}`}`;

const picture = ({ id, name, has_picture }: Purchase): Html =>
  has_picture
    ? html`<img class="picture" src="${picturePath(id)}" alt="" width="88" height="66" loading="lazy">`
    : html`<span class="picture" aria-hidden="true">${[...name][0] ?? ''}</span>`;

/** The main action on a product's card. In a long list it is less prominent. */
const primary = (page: Page, { id, name, own, files, release, lacking }: Shown, isLong: boolean): Html => {
  const { library: m } = page.m;
  if (own === undefined) {
    const text = files.length === 0 || lacking !== undefined ? m.open : m.choose;
    return html`<a class="button" href="/library/${id}">${text}${unseen(name)}</a>${files.length === 0 || lacking === undefined ? '' : html`<small>${m.lacking(lacking)}</small>`}`;
  }
  const platform = own.platform === null ? [] : [page.m.platforms[own.platform]];
  const version = own.version === release?.version ? [] : [own.version];
  return html`<a class="button${isLong ? '' : ' main'}" href="${downloadPath(id, own)}">${m.download}${unseen(name)}</a>
<small>${[...version, ...platform, sizeText(page.language, own.size)].join(' · ')}</small>`;
};

const purchaseCard = (page: Page, purchase: Shown, isLong: boolean): Html => {
  const { library: m } = page.m;
  const { id, name, type_label, license, release } = purchase;
  const source = license.state === 'active' && license.source !== 'direct' ? ` · ${m.source[license.source]}` : '';
  return html`<li class="card product">
${picture(purchase)}<div><div class="head"><h2><a href="/library/${id}">${name}</a></h2>${license.state === 'active' ? '' : html`<span class="badge past">${m.endedAs[license.end.because]}</span>`}</div>
<p class="kind">${type_label}${source} · ${licenseText(page, license)}</p>
${release === null ? '' : html`<p class="kind">${release.version} · ${day(page, release.released_at)}${prerelease(page.m, release.channel)}</p>`}</div>
<div class="do">${primary(page, purchase, isLong)}</div></li>`;
};

const listPath = ({ sort, sought }: Pick<LibraryModel, 'sort' | 'sought'>, turn = 1): string => {
  const query = new URLSearchParams({
    sort,
    ...(sought !== '' && { q: sought }),
    ...(turn > 1 && { page: `${turn}` }),
  });
  return `/library?${query}`;
};

/** The links to the previous and next page of a list. */
const pager = (page: Page, model: LibraryModel): Html | '' => {
  const { library: m } = page.m;
  const { turn, total, purchases } = model;
  const first = (turn - 1) * PAGE_SIZE;
  if (total === purchases.length) return '';
  const way = (to: number, rel: 'prev' | 'next'): Html | '' =>
    to < 1 || to > Math.ceil(total / PAGE_SIZE)
      ? ''
      : html`<a class="button" rel="${rel}" href="${listPath(model, to)}">${m.turn[rel]}</a>`;
  return html`<nav class="pages" aria-label="${m.pages}">${way(turn - 1, 'prev')}<span class="count">${m.range(first + 1, first + purchases.length, total)}</span>${way(turn + 1, 'next')}</nav>`;
};

const searchForm = (page: Page, sought: string, sort: Sort): Html => {
  const { library: m } = page.m;
  return html`<div class="search"><form class="inlineform" role="search" method="get" action="/library"><label for="q" class="unseen">${m.search}</label>
<input id="q" name="q" type="search" value="${sought}" placeholder="${m.search}" maxlength="${String(LONGEST_SEARCH)}" autocomplete="off">${sort === SORTS[0] ? '' : html`<input type="hidden" name="sort" value="${sort}">`}<button>${m.searchButton}</button></form>
<nav class="tabs" aria-label="${m.sort}">${SORTS.map((one) => html`<a href="${listPath({ sort: one, sought })}"${attribute('aria-current', one === sort ? 'true' : undefined)}>${m.sorts[one]}</a>`)}</nav></div>`;
};

/** The products of an account, latest release first, each with its license and the file for the visitor's computer. */
export const libraryView = (page: Page, model: LibraryModel): Html => {
  const { purchases, sought, sort, isLong, due, notice } = model;
  const { library: m } = page.m;
  const site = inLocale(page.shop.storefront?.links?.site ?? {}, page.locale);
  const way =
    site === undefined ? { href: '/orders', text: page.m.orders.title } : { href: site, text: page.m.shop.site };
  const none =
    sought === ''
      ? emptyBox(m.empty, m.emptyText, way)
      : emptyBox(m.notFound(sought), m.notFoundText, { href: '/library', text: m.all });
  return layout(page, {
    title: m.title,
    section: 'library',
    body: html`<h1>${m.title}</h1>
${dueBanner(page, due)}${noticeBox(notice)}
${isLong || sought !== '' ? searchForm(page, sought, sort) : ''}
${
  purchases.length === 0
    ? none
    : html`<ul class="cards">${purchases.map((one) => purchaseCard(page, one, isLong))}</ul>${pager(page, model)}
<p class="more"><a href="/transfers">${page.m.transfers.title}</a></p>`
}${redeemForm(page, notice?.kind === 'fault')}`,
  });
};

/** The form for a license key that came from elsewhere, such as a giveaway. */
const redeemForm = (page: Page, isOpen: boolean): Html => {
  const { library: m } = page.m;
  return html`<details class="more"${flag('open', isOpen)}><summary>${m.redeem}</summary><form method="post" action="/library/redeem" class="stack">${csrfField(page)}<p>${m.redeemText}</p>
${field({ name: 'key', label: m.licenseKey, maxlength: 1100, autocomplete: 'off', required: true })}<button>${m.redeemGo}</button></form></details>`;
};

const section = (id: string, title: string, body: Html | ''): Html =>
  html`<section class="card" aria-labelledby="${id}-title" id="${id}"><h2 id="${id}-title">${title}</h2>${body}</section>`;

const aboutFile = (page: Page, { version, size, channel }: PurchasedFile): Html =>
  html`${version} · ${sizeText(page.language, size)}${prerelease(page.m, channel)}`;

const fileRow = (page: Page, link: string, platform: Platform | null, of: string, about: string | Html): Html =>
  html`<li class="head"><a href="${link}"><span class="unseen">${page.m.library.download} </span>${platformText(page.m, platform)}${unseen(of)}</a> <small>${about}</small></li>`;

/** The file for the visitor's computer as the main action, and the others in a list below. */
const fileList = (page: Page, { id, name, own, files, lacking }: Shown): Html => {
  const { library: m } = page.m;
  const others = files.filter((file) => file !== own);
  const main =
    own === undefined
      ? ''
      : html`<p class="files"><a class="button main" href="${downloadPath(id, own)}">${downloadLabel(page.m, own.platform, files.length === 1)}${unseen(name)}</a> <small>${aboutFile(page, own)}</small></p>`;
  return html`${main}${lacking === undefined ? '' : html`<p class="note">${m.lacking(lacking)}</p>`}
${others.length === 0 ? '' : html`<ul class="plainlist">${others.map((file) => fileRow(page, downloadPath(id, file), file.platform, name, aboutFile(page, file)))}</ul>`}
<details class="more"><summary>${m.sum}</summary>${files.map(({ filename, sha256 }, n) => html`<p class="hint">${filename}</p>${copied(page, `sum-${n}`, m.sumOf(filename), sha256)}`)}</details>`;
};

const olderRow = (page: Page, id: number, { version, channel, released_at, release_id, files }: OlderRelease): Html =>
  html`<h3>${version}${prerelease(page.m, channel)} <small>${day(page, released_at)}</small></h3>
<ul class="plainlist">${files.map(({ platform, size }) => fileRow(page, downloadPath(id, { release_id, platform }), platform, version, sizeText(page.language, size)))}</ul>`;

const downloads = (page: Page, purchase: Shown): Html | '' => {
  const { library: m } = page.m;
  const { id, files, older } = purchase;
  if (files.length === 0) return '';
  const notes = new Map(files.flatMap((file) => (file.notes === null ? [] : [[file.version, file.notes] as const])));
  return section(
    'downloads',
    m.downloads,
    html`${fileList(page, purchase)}
${[...notes].map(([version, text], n) => html`<details class="more"${flag('open', n === 0)}><summary>${m.notes(version)}</summary><p class="answer">${text.replaceAll(/^- /gm, '• ')}</p></details>`)}
${older.length === 0 ? '' : html`<details class="more"><summary>${m.older(older.length)}</summary><p class="hint">${m.olderText}</p>${older.map((one) => olderRow(page, id, one))}</details>`}`,
  );
};

const guidePath = (product: number, kind: GuideKind): string => `/library/${product}/guides/${kind}`;

const guideList = ({ m: { guides: m } }: Page, { id, name }: Purchase, guides: readonly GuideKind[]): Html | '' =>
  guides.length === 0
    ? ''
    : section(
        'guides',
        m.title,
        html`<ul class="plainlist">${guides.map((kind) => html`<li class="head"><a href="${guidePath(id, kind)}">${m.kinds[kind]}${unseen(name)}</a></li>`)}</ul>`,
      );

const setupForm = (page: Page, { id, name, setup }: Purchase, isSaved: boolean): Html | '' => {
  const { library: m } = page.m;
  if (setup === null) return '';
  const done = new Set(setup.completed_step_indexes);
  const steps = setup.steps.map((label, index) =>
    checkbox({ name: 'step', value: String(index), label, checked: done.has(index) }),
  );
  return section(
    'setup',
    m.setup(setup.completed_count, setup.total_count),
    html`${noticeBox(isSaved ? { kind: 'done', text: m.setupSaved } : null)}
<progress max="${String(setup.total_count)}" value="${String(setup.completed_count)}" aria-hidden="true"></progress>
<form method="post" action="/library/setup" class="stack">${csrfField(page)}<input type="hidden" name="product" value="${id}">
<fieldset><legend class="unseen">${m.setupSteps(name)}</legend>${steps}</fieldset>
<button>${m.setupSave}</button></form>`,
  );
};

const licenseKeyForm = (page: Page, { id, name, license_keys }: Purchase): Html | '' => {
  const { library: m } = page.m;
  if (license_keys === null) return '';
  const [kind, label, text, button, verb] =
    license_keys.length > 0
      ? ['confirm', m.renewLicenseKey, m.renewLicenseKeyText, 'danger', m.renewLicenseKeyButton]
      : ['more', m.makeLicenseKey, m.makeLicenseKeyText, 'main', m.licenseKeyButton];
  return html`<details class="${kind}"><summary>${label}${unseen(name)}</summary>
<form method="post" action="/library/license-key" class="stack">${csrfField(page)}<input type="hidden" name="product" value="${id}"><p>${text}</p><button class="${button}">${verb}</button></form></details>`;
};

const showKeysForm = (page: Page, { id, name, license_keys, shows_license_keys }: Purchase): Html | '' => {
  const { library: m } = page.m;
  if (!license_keys?.length || !shows_license_keys) return '';
  return html`<details class="more"><summary>${m.showLicenseKey}${unseen(name)}</summary>
<form method="post" action="/library/license-key/show" class="stack">${csrfField(page)}<input type="hidden" name="product" value="${id}"><p>${m.showLicenseKeyText}</p><button>${m.showLicenseKeyButton}</button></form></details>`;
};

/** The license keys of a product again. */
const licenseKeysView = (page: Page, values: readonly string[], back: string): Html => {
  const { keys, library: m } = page.m;
  return layout(page, {
    title: m.licenseKey,
    section: 'library',
    script: SCRIPT_PATH,
    body: html`<h1>${m.licenseKey}</h1>${values.length === 0 ? html`<p class="lead">${m.noLicenseKeyToShow}</p>` : ''}
${values.map((value, n) => copied(page, `value-${n}`, keys.value, value))}<p><a class="button" href="${back}">${m.license}</a></p>`,
  });
};

/** True for a product that people install. One without files, keys and devices is something to read or to look at. */
const isSoftware = ({ release, uncovered_version, license_keys, installed, devices }: Purchase): boolean =>
  [release, uncovered_version, license_keys, installed].some((one) => one !== null) || (devices?.used ?? 0) > 0;

const licenseSection = (page: Page, purchase: Purchase, now: Instant): Html | '' => {
  const { library: m } = page.m;
  const { id, license, devices, installed, license_keys } = purchase;
  const isRun = devices !== null && isSoftware(purchase);
  // The badge beside the title says that it ended.
  if (license.state !== 'active' && license.end.at === null && license.end.order === null) return '';
  const used = !isRun
    ? null
    : html`${m.devicesUsed(devices.used, devices.limit)} <a class="inline" href="/devices?product=${id}">${m.manageDevices}</a>`;
  return section(
    'license',
    m.license,
    html`${facts([
      [m.license, licenseText(page, license)],
      [m.edition, (license.state === 'active' && license.edition) || null],
      [m.features, (license.state === 'active' && license.features.join(', ')) || null],
      [
        page.m.orders.order,
        license.state === 'active' || license.end.order === null
          ? null
          : html`<a href="/orders/${String(license.end.order.id)}">${license.end.order.number}</a>`,
      ],
      [
        page.m.teams.title,
        purchase.has_seats ? html`<a href="/teams">${page.m.teams.titleOf(purchase.name)}</a>` : null,
      ],
      [m.updates, updatesText(page, license, now)],
      [m.version, isRun ? versionText(page, purchase) : null],
      [m.installed, installed && m.installedText(installed.version, dayIn(page, installed.installed_at))],
      [m.devices, used],
      [m.licenseKey, license_keys && (license_keys.map(({ prefix }) => `${prefix}…`).join(', ') || m.noLicenseKey)],
    ])}
${renewal(page, purchase)}${showKeysForm(page, purchase)}${licenseKeyForm(page, purchase)}
${!isRun ? '' : html`<p class="hint">${m.signed} <a href="/devices/offline">${page.m.offline.title}</a></p>`}`,
  );
};

const bundleSection = ({ m: { library: m } }: Page, { bundled }: Purchase): Html | '' =>
  bundled.length === 0
    ? ''
    : section(
        'bundle',
        m.bundled,
        html`<ul class="plainlist">${bundled.map(({ id, name }) => html`<li class="head"><a href="/library/${id}">${name}</a></li>`)}</ul>`,
      );

const agentSection = (page: Page, purchase: Purchase, mcp: string): Html => {
  const { library: m } = page.m;
  const { name, agent_tools } = purchase;
  const tools =
    agent_tools.length === 0
      ? ''
      : html`<p>${m.agentTools} ${agent_tools.map((tool, n) => html`${n === 0 ? '' : ', '}<code>${tool}</code>`)}</p>`;
  return section(
    'agent',
    m.agent,
    html`<p>${isSoftware(purchase) ? m.agentText(name) : m.agentReads(name)}</p>${tools}
${agentWays(page, mcp)}`,
  );
};

/** The withdrawal that waits for the shop, and the right to withdraw, which the first use of the product ends. */
const withdrawalNotes = (page: Page, orders: readonly Order[]): Html => {
  const { library: m, orders: of, support } = page.m;
  const zone = page.shop.storefront?.withdrawal?.time_zone;
  return html`${orders.map((order) => {
    const { status, withdrawal } = order;
    if (withdrawal && status === 'paid')
      return html`<p class="note">${of.withdrawalSent(dayText(page.language, withdrawal.declared_at, zone))} · <a href="/support/${String(withdrawal.ticket_id)}">${support.number(ticketNumber({ id: withdrawal.ticket_id }))}</a></p>`;
    return withdrawableNote(page, order, m.withdrawable);
  })}`;
};

/** One product of an account: its files, license and setup, and how to connect an agent. */
export const productView = (
  page: Page,
  { purchase, now, isSaved, mcp, orders, guides, due, begins, notice }: ProductModel,
): Html => {
  const { library: m } = page.m;
  const { name, type_label, description, license } = purchase;
  const isActive = license.state === 'active';
  const isWithdrawn = isActive && orders.some(({ status, withdrawal }) => withdrawal && status === 'paid');
  const [mood, state] = isWithdrawn
    ? ['due', m.endedAs.withdrawn]
    : due
      ? ['due', page.m.labels.subscription.past_due]
      : isActive
        ? ['good', m.active]
        : ['past', m.endedAs[license.end.because]];
  return layout(page, {
    title: name,
    section: 'library',
    script: SCRIPT_PATH,
    ...(begins !== null && { goesTo: begins }),
    body: html`<p class="up"><a href="/library">${m.title}</a></p>
<div class="product title">${picture(purchase)}<div><div class="head"><h1>${name}</h1><span class="badge ${mood}">${state}</span></div>
<p class="kind">${type_label}${isActive ? ` · ${m.source[license.source]}` : ''}</p></div></div>
${dueBanner(page, due)}${noticeBox(begins === null ? notice : { kind: 'done', text: m.begins, first: true })}
${description === null ? '' : html`<p class="lead">${description}</p>`}
${withdrawalNotes(page, orders)}
${downloads(page, purchase)}
${guideList(page, purchase, guides)}
${setupForm(page, purchase, isSaved)}
${bundleSection(page, purchase)}
${licenseSection(page, purchase, now)}
${isActive && purchase.devices !== null ? agentSection(page, purchase, mcp) : ''}`,
  });
};

type Subscribed = Awaited<ReturnType<ListSubscriptions>>['subscriptions'][number];

/** Refusals that mean that the license does not cover the request, rather than that the product does not exist. */
const NOT_COVERED = ['install_not_available', 'version_update_window_expired'];

const releasedAt = ({ release }: Purchase): string => release?.released_at ?? '';
/** The products of the account, and the downloads of their files. */
export const addLibraryPages = (paths: Paths): void => {
  const {
    catalogs,
    listGuides,
    listOrders,
    listPurchases,
    listSubscriptions,
    links,
    makeLicenseKey,
    redeemKey,
    showLicenseKeys,
    askInstallPlan,
    saveSetup,
    clock,
  } = paths.settings.parts;

  const readLibrary = async ({ req, session, locale }: OwnVisit): Promise<Shown[]> => {
    const listed = await listPurchases({ account_id: session.account_id, locale });
    const agent = req.headers['user-agent'];
    const [rank, system] = [platformRank(agent), computerSystem(agent)];
    return listed.map((one) => {
      const files = one.files.toSorted(ownPlatformsFirst(agent));
      const lacking = system !== undefined && files.every((file) => !isForSystem(file, system)) ? system : undefined;
      const only = files.length === 1 && lacking === undefined ? files[0] : undefined;
      return { ...one, files, own: only ?? files.find((file) => rank(file) > 0), lacking };
    });
  };

  /** The subscription whose failed payment ends access first, or first to this product. */
  const dueOf = async (of: Parameters<typeof listOrders>[0], all: readonly Subscribed[], product?: number) => {
    if (firstDue(all) === undefined) return undefined;
    const [{ orders }, { products, bundles }] = await Promise.all([listOrders(of), catalogs.current()]);
    const gives = ({ product_ids }: Subscribed): boolean =>
      product === undefined || product_ids.some((id) => productsBrought(id, bundles).includes(product));
    const due = firstDue(all.filter(gives));
    return due && { ...due, name: nameIn(products, orders, of.locale)(due) };
  };

  paths.own('/library', async (visit) => {
    const of = { account_id: visit.session.account_id, locale: visit.locale };
    const [all, { subscriptions }] = await Promise.all([readLibrary(visit), listSubscriptions(of)]);
    const sought = (visit.query.get('q') ?? '').trim().slice(0, LONGEST_SEARCH);
    const words = sought.toLowerCase();
    const sort = SORTS.find((one) => one === visit.query.get('sort')) ?? SORTS[0];
    const rank = nameRank(words);
    const byName = new Intl.Collator(visit.language).compare;
    const found = all
      .filter(({ name, type_label, description }) =>
        `${name} ${type_label} ${description ?? ''}`.toLowerCase().includes(words),
      )
      // The sort is stable, so the last key counts most: rank by name, then active licenses, then release date or name.
      .toSorted((a, b) => (sort === 'name' ? byName(a.name, b.name) : compareText(releasedAt(b), releasedAt(a))))
      .toSorted((a, b) => Number(b.license.state === 'active') - Number(a.license.state === 'active'))
      .toSorted((a, b) => rank(a) - rank(b));
    const total = found.length;
    const turn = Math.min(idIn(visit.query.get('page')) ?? 1, Math.ceil(total / PAGE_SIZE) || 1);
    const purchases = found.slice((turn - 1) * PAGE_SIZE, turn * PAGE_SIZE);
    const model = { purchases, sought, sort, isLong: all.length >= LONG_LIST, turn, total };
    const notice = noticeIn(visit.query, {
      done: ({ library: { redeemed }, security: { passwordSet } }) => ({ redeemed, passwordSet }),
      faults: ({ library: { unavailable, unredeemed } }) => ({ unavailable, unredeemed }),
    });
    const due = await dueOf(of, subscriptions);
    return show((page) => libraryView(page, { ...model, due, notice: notice(page.m) }));
  });

  paths.own('/library/download', async ({ session, address, rate, query }): Promise<Answer> => {
    const named = (name: string): string | undefined => query.get(name) ?? undefined;
    const plan = await askInstallPlan(
      { principal: principalOfSession(session), address, rate },
      { product: named('product'), platform: named('platform'), release: named('release') },
    );
    if (plan.ok) return goTo(plan.value.download_url);
    if (NOT_COVERED.includes(plan.code)) return goTo('/library?done=unavailable');
    // The product's page offers the file of each platform.
    if (named('platform') === undefined && Object.hasOwn(plan.data?.['errors'] ?? {}, 'platform')) {
      return goTo(`/library/${named('product')}`);
    }
    return show(notFoundView, 404, '/library');
  });

  /** The product's page, which the form names, or its browser's `Referer`. */
  const productPage = ({ headers }: Request, form?: Form): string => {
    const product = form?.id('product') ?? /\/library\/(\d{1,16})(?:\?|$)/.exec(headers.referer ?? '')?.[1];
    return product ? `/library/${product}` : '/library';
  };

  const newLicenseKey = async ({ session, form, permit }: OwnFormVisit): Promise<Answer> => {
    const product_id = form.id('product') ?? 0;
    const made = await makeLicenseKey(permit, { account_id: session.account_id, product_id });
    const value = made.ok ? made.value.value : null;
    if (value === null) return show(notFoundView, 404, '/library');
    const back = `/library/${product_id}`;
    return show((page) => newKeyView(page, { name: page.m.library.licenseKey, value, back }), 201, back);
  };
  paths.boundedForm('/library/license-key', productPage, newLicenseKey, { fresh: true });

  const showKeys = async ({ session, form }: OwnFormVisit): Promise<Answer> => {
    const product_id = form.id('product') ?? 0;
    const values = await showLicenseKeys(session.account_id, product_id);
    return show((page) => licenseKeysView(page, values, `/library/${product_id}`), 200, `/library/${product_id}`);
  };
  paths.boundedForm('/library/license-key/show', productPage, showKeys, { fresh: true });

  const redeem = async ({ session, form, permit }: OwnFormVisit): Promise<Answer> => {
    const redeemed = await redeemKey(permit, session.account_id, form.text('key'));
    return goTo(`/library?done=${redeemed.ok ? 'redeemed' : 'unredeemed'}`);
  };
  paths.boundedForm('/library/redeem', '/library', redeem);

  paths.ownForm('/library/setup', productPage, async ({ session, address, rate, form }) => {
    const product = String(form.id('product'));
    const caller = { principal: principalOfSession(session), address, rate };
    const saved = await saveSetup(caller, product, form.all('step').map(Number));
    if (saved.ok) return goTo(`/library/${product}?done=saved#setup`);
    return saved.code === 'validation_failed'
      ? goTo(`/library/${product}?done=setupChanged`)
      : show(notFoundView, 404, '/library');
  });

  // The static paths above must precede this path with an id.
  paths.own('/library/:product', async (visit) => {
    const id = idIn(String(visit.req.params['product']));
    const of = { account_id: visit.session.account_id, locale: visit.locale };
    const [all, bought, { subscriptions }, guided] = await Promise.all([
      readLibrary(visit),
      listOrders(of),
      listSubscriptions(of),
      listGuides({ ...of, product_id: id ?? 0 }),
    ]);
    const purchase = all.find((one) => one.id === id);
    if (!purchase) return show(notFoundView, 404, '/library');
    const isSaved = visit.query.get('done') === 'saved';
    const notice = noticeIn(visit.query, { faults: ({ library: { setupChanged } }) => ({ setupChanged }) });
    const mcp = `${links.issuer}/api/mcp`;
    // A link in an order's mail requests the download. It starts only if the visitor's computer can use the file.
    const { own } = purchase;
    const agent = visit.req.headers['user-agent'];
    const fits = own !== undefined && (own.platform === null ? !isMobile(agent) : platformRank(agent)(own) > 0);
    const begins = fits && visit.query.get('download') === '1' ? downloadPath(purchase.id, own) : null;
    const orders = bought.orders.filter(({ items }) =>
      items.some(({ product_id, entitlements }) =>
        [product_id, ...entitlements.map((one) => one.product_id)].includes(purchase.id),
      ),
    );
    const { license } = purchase;
    const isPaidFor = license.state === 'active' && license.source === 'subscription';
    const model = {
      purchase,
      due: isPaidFor ? await dueOf(of, subscriptions, purchase.id) : undefined,
      now: clock.now(),
      isSaved,
      mcp,
      orders,
      guides: guided?.guides.map(({ kind }) => kind) ?? [],
      begins,
    };
    return show((page) => productView(page, { ...model, notice: notice(page.m) }));
  });
};
