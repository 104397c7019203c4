import type { Catalog } from '../../domain/catalog/catalog.ts';
import {
  assetShown,
  imageSources,
  pictureSpan,
  picturesAmong,
  withImageSources,
} from '../../domain/catalog/pictures.ts';
import type {
  Category,
  ContentAsset,
  Manual,
  McpServer,
  Product,
  SetupOutput,
  Tag,
} from '../../domain/catalog/product.ts';
import { type SetupProgress, viewProgress } from '../../domain/catalog/setup-progress.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { inLocale, type Locale, type Localized, localeServed } from '../../domain/shared/locale.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

const text = (value: Localized | null, locale: Locale): string | null =>
  value === null ? null : (inLocale(value, locale) ?? null);

const name = (value: Localized, locale: Locale): string => inLocale(value, locale) ?? '';

const categoryView = ({ id, parent_id, name: named, active, visibility }: Category, locale: Locale) => ({
  id,
  parent_id,
  name: name(named, locale),
  active,
  visibility,
});

const tagView = ({ id, name: named, type, active }: Tag, locale: Locale) => ({
  id,
  name: name(named, locale),
  type,
  active,
});

const outputView = (output: SetupOutput, locale: Locale) => ({
  id: output.id,
  title: name(output.title, locale),
  category_label: text(output.category_label, locale),
  summary: text(output.summary, locale),
  prompt: name(output.prompt, locale),
  usage_guide: text(output.usage_guide, locale),
  action_url: output.action_url,
});

const mcpServerView = (server: McpServer, product: Product, locale: Locale) => ({
  id: server.id,
  product_id: product.id,
  name: server.name,
  enabled: server.enabled,
  product_name: name(product.name, locale),
  tools: server.tools.map((tool) => ({ ...tool, mcp_server_id: server.id, product_id: product.id })),
});

const found = <T>(ids: readonly number[], rows: ReadonlyMap<number, T>): T[] => ids.flatMap((id) => rows.get(id) ?? []);

export const productName = (product: Product, locale: Locale): string => name(product.name, locale);

export const manualIn = (product: Product, locale: Locale): Manual | null =>
  product.manual === null ? null : (inLocale(product.manual, locale) ?? null);

/** The texts of the product's setup steps. Clients count the steps from 0. */
export const setupSteps = (product: Product, locale: Locale): string[] =>
  product.setup_steps.map((step) => name(step, locale));

/** `ProductSetupProgressData` of the OpenAPI document, with the texts of the steps. */
export const setupView = (product: Product, progress: SetupProgress, locale: Locale) => ({
  ...viewProgress(progress, product.setup_steps.length),
  steps: setupSteps(product, locale),
});

export type SetupView = ReturnType<typeof setupView>;

/** `ProductApiData` of the OpenAPI document. */
export const productView = (product: Product, catalog: Catalog, locale: Locale, entitled: boolean) => {
  const primary =
    product.primary_category_id === null ? undefined : catalog.categories.get(product.primary_category_id);
  return {
    id: product.id,
    name: name(product.name, locale),
    description: text(product.description, locale),
    list_price_cents: product.list_price_cents,
    unit_price_cents: product.unit_price_cents,
    currency: product.currency,
    active: product.active,
    entitled,
    primary_category: primary ? categoryView(primary, locale) : null,
    categories: found(product.category_ids, catalog.categories).map((category) => categoryView(category, locale)),
    tags: found(product.tag_ids, catalog.tags).map((tag) => tagView(tag, locale)),
    content_locale: localeServed(product.description ?? {}, locale) ?? localeServed(product.name, locale),
  };
};

type Ports = Needs<'htmlSanitizer' | 'links'> & { pictureLinks: PictureLinks };

type ProductView = Awaited<ReturnType<typeof makeView>>;

const makeView = async (product: Product, locale: Locale, { links, htmlSanitizer }: Ports) => ({
  thumbnail_html: product.thumbnail_html && (await htmlSanitizer.sanitize(product.thumbnail_html)),
  hero_path: product.hero && links.contentAssetPath(product.id, product.hero.path),
  hero_alt: product.hero && name(product.hero.alt, locale),
  product: {
    id: product.id,
    name: name(product.name, locale),
    type_label: name(product.type_label, locale),
    description: text(product.description, locale),
    delivery: product.delivery,
    manual: manualIn(product, locale),
    outputs: product.outputs.map((output) => outputView(output, locale)),
    install_assets: product.install_assets.map(({ platform, label, path }) => ({
      platform,
      label: name(label, locale),
      path,
      download_url: links.contentAsset(product.id, path),
    })),
    runtime: product.runtime,
    platforms: product.platforms,
  },
  mcp_server: product.mcp_server && mcpServerView(product.mcp_server, product, locale),
});

/**
 * The views that depend only on a product and a language. Each is created once per (immutable) product object, and
 * freed with it.
 */
export const productViews = (ports: Ports) => {
  const { pictureLinks } = ports;
  const made = new WeakMap<Product, Map<Locale, ProductView>>();

  const thumbnail = ({ id, pictures = [] }: Product, html: string | null): Promise<string> | null =>
    html === null ? null : pictureLinks.sign(html, id, pictures);

  const of = (product: Product, locale: Locale): ProductView | Promise<ProductView> =>
    made.get(product)?.get(locale) ?? make(product, locale);

  const make = async (product: Product, locale: Locale): Promise<ProductView> => {
    const view = await makeView(product, locale, ports);
    const views = made.get(product) ?? new Map<Locale, ProductView>();
    made.set(product, views.set(locale, view));
    return view;
  };

  /**
   * The parts of library items that describe their products, in the same order: thumbnail with pictures that load
   * without a key, hero image, `ProductSetupData` of the OpenAPI document, and MCP server.
   */
  const inLibrary = async (products: readonly Product[], account_id: number, locale: Locale) => {
    const views = await Promise.all(products.map((product) => of(product, locale)));
    const thumbnails = products.map((product, n) => thumbnail(product, views[n]?.thumbnail_html ?? null));
    const signed = thumbnails.some((html) => html instanceof Promise) ? await Promise.all(thumbnails) : thumbnails;
    return views.map(({ hero_path, hero_alt, product, mcp_server }, n) => ({
      thumbnail_html: signed[n] as string | null,
      hero_path,
      hero_alt,
      product,
      mcp_server: mcp_server && { ...mcp_server, user_id: account_id },
    }));
  };

  /** The hero image's path on the API host, and its alternative text. */
  const hero = async (product: Product, locale: Locale) => {
    const { hero_path, hero_alt } = await of(product, locale);
    return { hero_path, hero_alt };
  };

  return { inLibrary, hero };
};

export type ProductViews = ReturnType<typeof productViews>;

/** The maximum number of cached signed URLs in a process. */
const REMEMBERED = 5000;

/**
 * Puts signed URLs of the pictures into a product's HTML, because a web view sends no key. The caller must be allowed
 * to see the product's assets. All calls in one period (`pictureSpan`) return the same URLs.
 */
export const pictureLinks = ({ links, objects, clock }: Needs<'clock' | 'links' | 'objects'>) => {
  let signedUntil = '';
  const signed = new Map<string, Promise<string>>();

  const addressOf = async ({ path, sha256, content_type }: ContentAsset): Promise<string> => {
    const { from, until } = pictureSpan(clock.now());
    if (until !== signedUntil || signed.size >= REMEMBERED) signed.clear();
    signedUntil = until;
    const filename = path.slice(path.lastIndexOf('/') + 1);
    const name = JSON.stringify([sha256, filename, content_type]);
    const known = signed.get(name);
    if (known) return known;
    const terms = { filename, contentType: content_type, signedAt: from, expiresAt: until };
    const address = objects.signDownload(objectKeyOf(sha256), terms).then(({ url }) => url);
    signed.set(name, address);
    address.catch(() => signed.delete(name));
    return address;
  };

  /** Sanitized HTML with a signed URL for each picture among `assets`. */
  const sign = async (html: string, product_id: number, assets: readonly ContentAsset[]): Promise<string> => {
    const pictures = new Map(picturesAmong(assets).map((asset) => [asset.path, asset]));
    if (pictures.size === 0) return html;
    const base = links.contentAsset(product_id, '');
    const found = imageSources(html).flatMap((src) => {
      const picture = pictures.get(assetShown(src, base) ?? '');
      return picture ? [{ src, picture }] : [];
    });
    const signed = found.map(async ({ src, picture }) => [src, await addressOf(picture)] as const);
    return found.length === 0 ? html : withImageSources(html, new Map(await Promise.all(signed)));
  };

  return { sign };
};

export type PictureLinks = ReturnType<typeof pictureLinks>;
