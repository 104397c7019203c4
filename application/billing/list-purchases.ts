import { type ApiKey, licenseKeys } from '../../domain/access/api-key.ts';
import { type LicenseEnd, licenseEnd } from '../../domain/billing/license-end.ts';
import { shopPage } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { NO_PROGRESS, type SetupProgress } from '../../domain/catalog/setup-progress.ts';
import type { Channel } from '../../domain/delivery/channel.ts';
import { type InstallChoice, ownRelease, releaseLine } from '../../domain/delivery/offered-release.ts';
import type { Artifact, Release } from '../../domain/delivery/release.ts';
import { NO_SLOTS, slotsTaken } from '../../domain/devices/seat.ts';
import { type Access, type AccessSource, productsBrought } from '../../domain/licensing/access.ts';
import { type PurchasedProduct, purchasedProducts } from '../../domain/licensing/account-products.ts';
import type { Instant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { type SetupView, setupView } from '../catalog/product-views.ts';
import { notesIn } from '../delivery/offers.ts';
import { type NewestInstall, newestInstalls } from '../devices/usage.ts';

/** A file that the owner of a product may install. */
export type PurchasedFile = Pick<Artifact, 'platform' | 'filename' | 'size' | 'sha256'> & {
  readonly release_id: number;
  readonly version: string;
  readonly channel: Channel;
  /** The notes of the release in the language. */
  readonly notes: string | null;
};

/** A release to which the owner of a product may go back. */
export type OlderRelease = Pick<Release, 'version' | 'channel' | 'released_at'> & {
  readonly release_id: number;
  readonly files: readonly Pick<Artifact, 'platform' | 'size'>[];
};

/** A product that an account has or had, as shown to its owner. */
export type Purchase = {
  readonly id: number;
  readonly name: string;
  readonly type_label: string;
  readonly description: string | null;
  readonly license:
    | {
        readonly state: 'active';
        readonly source: AccessSource;
        readonly access_expires_at: Instant | null;
        readonly updates_supported_until: Instant | null;
        readonly edition: string | null;
        readonly features: readonly string[];
      }
    | {
        readonly state: 'ended' | 'revoked';
        /** Why it ended. `renewal_url` renews it, or leads to the product in the shop. */
        readonly end: LicenseEnd;
      };
  /** Null for a product whose access has ended, and for a bundle product. A null limit means no limit. */
  readonly devices: { readonly used: number; readonly limit: number | null } | null;
  /** The live license keys; null for a product without license keys, and for one whose access has ended. */
  readonly license_keys: readonly Pick<ApiKey, 'prefix'>[] | null;
  /** True if the buyer may see the values of the license keys again. */
  readonly shows_license_keys?: boolean;
  /** True if its license has seats for a team. */
  readonly has_seats?: boolean;
  /** The newest release that the license covers. */
  readonly release: { readonly version: string; readonly channel: Channel; readonly released_at: Instant } | null;
  /** The newest file for each platform that the license covers. */
  readonly files: readonly PurchasedFile[];
  /** The older releases that the license covers too, newest first. */
  readonly older: readonly OlderRelease[];
  /** The products of the bundle that this product represents. */
  readonly bundled: readonly { readonly id: number; readonly name: string }[];
  /** True if the product has a picture that every account may see. */
  readonly has_picture: boolean;
  /** The tools of the product's own MCP server. */
  readonly agent_tools: readonly string[];
  /** The newest install that a device reported; null if none is known. */
  readonly installed: NewestInstall | null;
  /** Null for a product without setup steps, and for one whose access has ended. */
  readonly setup: SetupView | null;
  /** A newer stable version that the license does not cover. */
  readonly uncovered_version: string | null;
};

/** The products that an account has or had, those in force first, each with its license, newest release and devices. */
export const listPurchases = ({
  apiKeys,
  catalogs,
  licenses,
  devices,
  installs,
  orders,
  releases,
  setupProgresses,
  clock,
  versions,
}: Needs<
  | 'apiKeys'
  | 'catalogs'
  | 'clock'
  | 'devices'
  | 'installs'
  | 'licenses'
  | 'orders'
  | 'releases'
  | 'setupProgresses'
  | 'versions'
>) => {
  const license = (
    { product, access, isBundle }: PurchasedProduct,
    endOf: (access: Extract<Access, { granted: false }>) => LicenseEnd,
    releases: readonly Release[],
    used: number,
    now: Instant,
    locale: Locale,
  ) => {
    if (!access.granted) {
      const end = endOf(access);
      const state = end.because === 'expired' ? ('ended' as const) : ('revoked' as const);
      return { license: { state, end }, devices: null, release: null, files: [], older: [], uncovered_version: null };
    }
    const { access_source: source, access_expires_at, updates_supported_until, device_limit: limit } = access;
    const { edition, features } = access;
    const order = versions.order(product.version_scheme);
    const line = releaseLine(product, releases, now, order);
    const { release, files, older, uncovered } = ownRelease(line, updates_supported_until);
    return {
      license: { state: 'active' as const, source, access_expires_at, updates_supported_until, edition, features },
      devices: isBundle ? null : { used, limit },
      release: release && { version: release.version, channel: release.channel, released_at: release.released_at },
      files: files.map((file) => fileView(file, locale)),
      older: older.map(olderView),
      uncovered_version: uncovered?.version ?? null,
    };
  };

  return async function listPurchases({
    account_id,
    locale,
  }: {
    account_id: number;
    locale: Locale;
  }): Promise<Purchase[]> {
    const [catalog, holdings, held, installed, progresses, scopes] = await Promise.all([
      catalogs.current(),
      licenses.held(account_id),
      devices.used(account_id),
      newestInstalls(installs, account_id),
      setupProgresses.ofAccount(account_id),
      apiKeys.scopes(account_id),
    ]);
    const now = clock.now();
    const purchased = purchasedProducts(catalog, holdings, now);
    const usable = purchased.filter(({ access }) => access.granted);
    const bundled = (bundle: number) =>
      purchased
        .filter(({ product: { id } }) => id !== bundle && productsBrought(bundle, catalog.bundles).includes(id))
        .map(({ product: { id, name } }) => ({ id, name: inLocale(name, locale) ?? '' }));
    const [released, bought] = await Promise.all([
      releases.of(usable.map(({ product }) => product.id)),
      usable.length === purchased.length ? [] : orders.ofAccount(account_id),
    ]);
    const known = { holdings, orders: bought, bundles: catalog.bundles };
    /** The shop's page of a product that is still on sale, where the buyer can buy it again. */
    const inShop = ({ id, published }: Product): string | null =>
      published ? shopPage(catalog.storefront, 'product_url', id) : null;
    return purchased.map((one) => ({
      ...license(
        one,
        (access) => {
          const end = licenseEnd(one.product.id, access, known);
          const isBarred = end.because === 'revoked' || end.because === 'disputed';
          return { ...end, renewal_url: isBarred ? null : (end.renewal_url ?? inShop(one.product)) };
        },
        released.get(one.product.id) ?? [],
        slotsTaken(held.get(one.product.id) ?? NO_SLOTS, now),
        now,
        locale,
      ),
      installed: installed.get(one.product.id) ?? null,
      license_keys:
        one.access.granted && one.product.license_keys
          ? scopes.filter(({ product_id }) => product_id === one.product.id).flatMap((scope) => licenseKeys(scope, now))
          : null,
      shows_license_keys: typeof one.product.license_keys === 'object',
      has_seats: one.access.granted && one.product.slots === 'persons',
      bundled: bundled(one.product.id),
      has_picture: one.product.published && one.product.hero !== null,
      agent_tools: one.access.granted ? toolsOf(one.product) : [],
      setup: setupOf(one, progresses.get(one.product.id) ?? NO_PROGRESS, locale),
      id: one.product.id,
      name: inLocale(one.product.name, locale) ?? '',
      type_label: inLocale(one.product.type_label, locale) ?? '',
      description: one.product.description && (inLocale(one.product.description, locale) ?? null),
    }));
  };
};

const setupOf = ({ product, access }: PurchasedProduct, progress: SetupProgress, locale: Locale): SetupView | null =>
  access.granted && product.setup_steps.length > 0 ? setupView(product, progress, locale) : null;

const toolsOf = ({ mcp_server }: PurchasedProduct['product']): string[] =>
  mcp_server?.enabled ? mcp_server.tools.filter(({ enabled }) => enabled).map(({ name }) => name) : [];

const olderView = ({ id, version, channel, released_at, artifacts }: Release): OlderRelease => ({
  release_id: id,
  version,
  channel,
  released_at,
  files: artifacts.map(({ platform, size }) => ({ platform, size })),
});

const fileView = ({ release, artifact }: InstallChoice, locale: Locale): PurchasedFile => ({
  release_id: release.id,
  version: release.version,
  channel: release.channel,
  notes: notesIn(release, locale),
  platform: artifact.platform,
  filename: artifact.filename,
  size: artifact.size,
  sha256: artifact.sha256,
});
