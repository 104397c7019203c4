import type { Catalog } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { releaseLine } from '../../domain/delivery/offered-release.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { isSupplied, type Supply, type SupplyCheckKey, supplyOf } from '../../domain/delivery/supply.ts';
import { hasPassed, type Instant } from '../../domain/shared/instant.ts';
import { inLocale, type Locale, type Localized } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

const LABELS: Readonly<Record<SupplyCheckKey, Localized>> = {
  released: { en: 'Every product has a release', ko: '모든 제품에 릴리스가 있음' },
  platforms: { en: 'Every platform that a product names has a file', ko: '제품이 지원하는 모든 플랫폼에 파일이 있음' },
  checksums: { en: 'Every file has its sha256 and size', ko: '모든 파일에 sha256과 크기가 있음' },
  signatures: { en: 'Every file is signed', ko: '모든 파일에 서명이 있음' },
  notes: { en: 'Release notes in Korean and English', ko: '한국어와 영어 릴리스 노트가 있음' },
};

export const channelView = (
  { channel, catalog, latest_released_at, platforms, checklist }: Supply,
  locale: Locale,
) => ({
  channel,
  ready: checklist.every(({ ok }) => ok),
  catalog: {
    product_count: catalog.length,
    released_count: catalog.filter(({ release }) => release !== null).length,
    latest_released_at,
    products: catalog.map(({ product: { id, slug, type, name }, release }) => ({
      id,
      slug,
      name: inLocale(name, locale) ?? '',
      type,
      release: release && {
        id: release.id,
        version: release.version,
        channel: release.channel,
        released_at: release.released_at,
        file_count: release.artifacts.length,
      },
    })),
  },
  platforms: platforms.map(({ platform, offers }) => ({
    platform: platform ?? ('any' as const),
    product_count: offers.length,
    products: offers.map(({ product: { id, slug }, release: { version } }) => ({ id, slug, version })),
  })),
  checklist: checklist.map(({ key, missing, ...counts }) => ({
    key,
    label: inLocale(LABELS[key], locale) ?? '',
    ...counts,
    missing: missing.map(({ slug }: Product) => slug),
  })),
});

export type SupplyView = { readonly channels: readonly ReturnType<typeof channelView>[] };

/** A cached answer, its supplies, and the time until which it is valid. */
type CachedSupply = {
  readonly catalog: Catalog;
  readonly released: ReadonlyMap<number, readonly Release[]>;
  /** The moment at which the next release comes out. */
  readonly until: Instant | null;
  readonly view: SupplyView;
};

type Ports = Needs<'catalogs' | 'clock' | 'supplies' | 'versions'>;

/**
 * The products on sale that are delivered as a file, by channel and platform, with a checklist for each channel. The
 * answer covers every product, so it is cached until something changes or a release comes out.
 */
export const showSupply = ({ catalogs, supplies, clock, versions }: Ports) => {
  const answers = new Map<Locale, CachedSupply>();

  const viewOf = (
    { bundles }: Catalog,
    listed: readonly Product[],
    released: CachedSupply['released'],
    now: Instant,
    locale: Locale,
  ): SupplyView => {
    const lines = listed.map((product) => {
      const order = versions.order(product.version_scheme);
      return { product, ...releaseLine(product, released.get(product.id) ?? [], now, order) };
    });
    const supply = supplyOf(lines.filter((line) => isSupplied(line, bundles)));
    return { channels: supply.map((one) => channelView(one, locale)) };
  };

  return async function showSupply({ locale }: { locale: Locale }): Promise<SupplyView> {
    // The supplies are read in parallel with the catalog, which names the products.
    const [catalog] = await Promise.all([catalogs.current(), supplies.of([])]);
    const listed = [...catalog.products.values()].filter(({ active, published }) => active && published);
    const released = await supplies.of(listed.map(({ id }) => id));
    const now = clock.now();
    const last = answers.get(locale);
    if (last?.catalog === catalog && last.released === released && !hasPassed(last.until, now)) return last.view;
    const view = viewOf(catalog, listed, released, now, locale);
    answers.set(locale, { catalog, released, until: nextRelease(released, now), view });
    return view;
  };
};

/** The moment at which the next release comes out; null if none is scheduled. */
const nextRelease = (released: CachedSupply['released'], now: Instant): Instant | null => {
  let next: Instant | null = null;
  for (const releases of released.values()) {
    for (const { released_at } of releases) {
      if (released_at > now && (next === null || released_at < next)) next = released_at;
    }
  }
  return next;
};
