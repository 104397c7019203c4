import type { Permit } from '../../domain/access/permit.ts';
import { type Catalog, type Disclosure, productNamed, type Storefront } from '../../domain/catalog/catalog.ts';
import type { ContentAsset, Product, ProductContent } from '../../domain/catalog/product.ts';
import { MAX_PICTURE_BYTES, pictureAsset, withPicture } from '../../domain/catalog/product-picture.ts';
import { objectKeyOf } from '../../domain/delivery/object-key.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import type { Localized } from '../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { documentFaults, knownAfter } from '../../domain/store-document/document-faults.ts';
import { NO_CONTENT, productEntry } from '../../domain/store-document/export-entries.ts';
import { newAppcastFaults, schemeFaults } from '../../domain/store-document/release-faults.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productMissing } from '../catalog/shop-products.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { tooLarge } from './document-files.ts';

/** The parts of a product that lie in files beside a store document, which only an import reads. */
type OfFiles = 'hero' | 'install_assets' | 'thumbnail_html' | 'pictures';

export type ProductFields = Omit<Product, 'id' | 'created_at' | 'managed_by' | OfFiles> & {
  /** An uploaded file, by its SHA-256. */
  readonly picture: { readonly sha256: string; readonly alt: Localized } | null;
  readonly detail_html: Localized | null;
};

type Ports = Needs<'catalogEditor' | 'catalogs' | 'clock' | 'ids' | 'objects' | 'pauses' | 'releases' | 'versions'>;

const NOTHING = { categories: [], tags: [], releases: [], bundles: [], lineages: [], key_batches: [], accounts: [] };

/** Refuses a product that a store document could not have beside the stored records. */
const checkProduct = async (
  { releases, versions }: Ports,
  { product, content }: Edited,
  catalog: Catalog,
): Promise<Outcome<null, 'invalid_product'>> => {
  const document = { ...NOTHING, products: [productEntry(product, content)] };
  const { products } = knownAfter(document, catalog);
  const stored = await releases.of([product.id]);
  const faults = [
    ...documentFaults(document, catalog),
    ...schemeFaults(document.products, catalog.products, stored),
    ...newAppcastFaults(document, catalog.products, { products, stored, order: (scheme) => versions.order(scheme) }),
    ...tooLarge('products.0', product),
    ...(content ? tooLarge('products.0.detail_html', content) : []),
  ].map(({ path, message }) => ({ path: path.replace(/^products\.0\.?/, '') || 'the product', message }));
  if (faults.length === 0) return ok(null);
  const [first] = faults;
  const message = `The product has ${countOf(faults.length, 'fault')}; nothing was changed. First: ${first?.path} ${first?.message}.`;
  return refuse('invalid_product', { message, data: { faults } });
};

/** A product and the content of its page, which are two records. */
type Edited = { readonly product: Product; readonly content: ProductContent | undefined };

/** The asset of an uploaded picture. Its size is known before it is read. */
const uploadedPicture = async ({ objects }: Ports, sha256: string): Promise<Outcome<ContentAsset, 'unfit_picture'>> => {
  const found = await objects.open(objectKeyOf(sha256));
  if (!found) return refuse('unfit_picture', { message: 'The picture was not uploaded; upload it first.' });
  const { info, stream } = found;
  if (info.size <= MAX_PICTURE_BYTES) return pictureAsset(Buffer.concat(await Array.fromAsync(stream)), sha256);
  stream.destroy();
  return pictureAsset(new Uint8Array(MAX_PICTURE_BYTES + 1), sha256);
};

/** A product with changed fields. Undefined keeps a picture and a text of the page, and null removes them. */
const edited = async (
  ports: Ports,
  before: Edited,
  { picture, detail_html, ...fields }: Partial<ProductFields>,
): Promise<Outcome<Edited, 'unfit_picture'>> => {
  const product = { ...before.product, ...fields };
  let content = before.content ?? { ...NO_CONTENT, product_id: product.id };
  if (detail_html !== undefined) content = { ...content, detail_html };
  if (picture === null) return ok({ product: { ...product, hero: null }, content });
  if (picture === undefined) return ok({ product, content });
  const asset = await uploadedPicture(ports, picture.sha256);
  if (!asset.ok) return asset;
  const { path } = asset.value;
  return ok({
    product: { ...product, hero: { path, alt: picture.alt } },
    content: { ...content, assets: withPicture(content.assets, before.product, asset.value) },
  });
};

/**
 * Saves a checked product with its content, which is written first, so that a stored product has its picture. False if
 * the catalog has changed since, so that no two products get one slug.
 */
const saved = async (
  { catalogEditor }: Ports,
  permit: Permit,
  { product, content }: Edited,
  before: Partial<Edited>,
  catalog: Catalog,
): Promise<boolean> => {
  const { content: stored = null } = before;
  const isNew = content && !isSameJson(stored ?? { ...NO_CONTENT, product_id: product.id }, content);
  if (isNew && !(await catalogEditor.revise(permit, { kind: 'content', value: content }, stored))) return false;
  if (before.product && isSameJson(before.product, product)) return true;
  return catalogEditor.revise(permit, { kind: 'product', value: product }, before.product ?? null, catalog);
};

/** Adds a product, by the rules of a store document. */
export const addProduct = (ports: Ports) =>
  async function addProduct(
    permit: Permit,
    { picture, detail_html, ...fields }: Omit<ProductFields, 'picture' | 'detail_html'> & Partial<ProductFields>,
  ): Promise<Outcome<Product, 'invalid_product' | 'unfit_picture'>> {
    const { catalogs, clock, ids, pauses } = ports;
    const own = { id: ids.next(), created_at: clock.now(), hero: null, install_assets: [], thumbnail_html: null };
    return untilWritten(pauses, async () => {
      const catalog = await catalogs.current();
      const bare = { product: { ...fields, ...own }, content: undefined };
      const after = await edited(ports, bare, { picture, detail_html });
      if (!after.ok) return after;
      const checked = await checkProduct(ports, after.value, catalog);
      if (!checked.ok) return checked;
      const before = { content: await catalogs.content(own.id) };
      return (await saved(ports, permit, after.value, before, catalog)) ? ok(after.value.product) : CONFLICT;
    });
  };

export type AddProduct = ReturnType<typeof addProduct>;

/** The result of a change that may change nothing. */
type Changed<T> = T & { readonly result: 'changed' | 'unchanged' };

/** Changes fields of a product, by the rules of a store document. An undefined field is removed. */
export const changeProduct = (ports: Ports) =>
  async function changeProduct(
    permit: Permit,
    { product: named, fields }: { readonly product: string; readonly fields: Partial<ProductFields> },
  ): Promise<
    Outcome<Changed<{ readonly product: Product }>, 'product_not_found' | 'invalid_product' | 'unfit_picture'>
  > {
    const { catalogs, pauses } = ports;
    return untilWritten(pauses, async () => {
      const catalog = await catalogs.current();
      const product = productNamed(catalog, named);
      if (!product) return productMissing(named);
      const before: Edited = { product, content: await catalogs.content(product.id) };
      const after = await edited(ports, before, fields);
      if (!after.ok) return after;
      const whole = { ...before, content: before.content ?? { ...NO_CONTENT, product_id: product.id } };
      if (isSameJson(whole, after.value)) return ok({ product, result: 'unchanged' });
      const checked = await checkProduct(ports, after.value, catalog);
      if (!checked.ok) return checked;
      const isSaved = await saved(ports, permit, after.value, before, catalog);
      return isSaved ? ok({ product: after.value.product, result: 'changed' }) : CONFLICT;
    });
  };

export type ChangeProduct = ReturnType<typeof changeProduct>;

const NO_STOREFRONT: Storefront = { product_url: null, product_detail_url: null };

/** The name, logo, colors, links and terms by which buyers know the shop. */
export const showStorefront = ({ catalogs }: Needs<'catalogs'>) =>
  async function showStorefront(): Promise<Storefront> {
    return (await catalogs.current()).storefront ?? NO_STOREFRONT;
  };

export type ShowStorefront = ReturnType<typeof showStorefront>;

/** Changes fields of the storefront. An undefined field is removed. */
export const changeStorefront = ({ catalogEditor, catalogs, pauses }: Ports) =>
  function changeStorefront(
    permit: Permit,
    fields: Partial<Storefront>,
  ): Promise<Changed<{ readonly storefront: Storefront }>> {
    return untilWritten(pauses, async () => {
      const { storefront: before } = await catalogs.current();
      const storefront: Storefront = { ...(before ?? NO_STOREFRONT), ...fields };
      if (isSameJson(before, storefront)) return { storefront, result: 'unchanged' };
      const isSaved = await catalogEditor.revise(permit, { kind: 'storefront', value: storefront }, before);
      return isSaved ? { storefront, result: 'changed' } : CONFLICT;
    });
  };

export type ChangeStorefront = ReturnType<typeof changeStorefront>;

/** The facts about the seller that the shop discloses; null before they are set. */
export const showShopDisclosure = ({ catalogs }: Needs<'catalogs'>) =>
  async function showShopDisclosure(): Promise<{ readonly disclosure: Disclosure | null }> {
    return { disclosure: (await catalogs.current()).disclosure };
  };

export type ShowShopDisclosure = ReturnType<typeof showShopDisclosure>;

/** Replaces the facts about the seller. */
export const setDisclosure = ({ catalogEditor }: Needs<'catalogEditor'>) =>
  async function setDisclosure(permit: Permit, disclosure: Disclosure) {
    return { disclosure, result: await catalogEditor.save(permit, { kind: 'disclosure', value: disclosure }) };
  };

export type SetDisclosure = ReturnType<typeof setDisclosure>;
