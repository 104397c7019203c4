import type { Permit } from '../../domain/access/permit.ts';
import { type Catalog, productNamed, type Storefront } from '../../domain/catalog/catalog.ts';
import type { Product } from '../../domain/catalog/product.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import { documentFaults, knownAfter } from '../../domain/store-document/document-faults.ts';
import { productEntry } from '../../domain/store-document/export-entries.ts';
import { newAppcastFaults, schemeFaults } from '../../domain/store-document/release-faults.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import { productMissing } from '../catalog/shop-products.ts';
import { CONFLICT, untilWritten } from '../shared/contended.ts';
import { tooLarge } from './document-files.ts';

/** The parts of a product that lie in files beside a store document, which only an import reads. */
type OfFiles = 'hero' | 'install_assets' | 'thumbnail_html' | 'pictures';

export type ProductFields = Omit<Product, 'id' | 'created_at' | OfFiles>;

type Ports = Needs<'catalogEditor' | 'catalogs' | 'clock' | 'ids' | 'pauses' | 'releases' | 'versions'>;

const NOTHING = { categories: [], tags: [], releases: [], bundles: [], lineages: [], accounts: [] };

/** Refuses a product that a store document could not have beside the stored records. */
const checkProduct = async ({ releases, versions }: Ports, product: Product, catalog: Catalog) => {
  const document = { ...NOTHING, products: [productEntry(product, undefined)] };
  const { products } = knownAfter(document, catalog);
  const stored = await releases.of([product.id]);
  const faults = [
    ...documentFaults(document, catalog),
    ...schemeFaults(document.products, catalog.products, stored),
    ...newAppcastFaults(document, catalog.products, { products, stored, order: (scheme) => versions.order(scheme) }),
    ...tooLarge('products.0', product),
  ].map(({ path, message }) => ({ path: path.replace(/^products\.0\.?/, '') || 'the product', message }));
  if (faults.length === 0) return ok(null);
  const [first] = faults;
  const message = `The product has ${countOf(faults.length, 'fault')}; nothing was changed. First: ${first?.path} ${first?.message}.`;
  return refuse('invalid_product', { message, data: { faults } });
};

/** Adds a product, by the rules of a store document. */
export const addProduct = (ports: Ports) =>
  async function addProduct(permit: Permit, fields: ProductFields): Promise<Outcome<Product, 'invalid_product'>> {
    const { catalogEditor, catalogs, clock, ids } = ports;
    const own = { id: ids.next(), created_at: clock.now(), hero: null, install_assets: [], thumbnail_html: null };
    const product: Product = { ...fields, ...own };
    const checked = await checkProduct(ports, product, await catalogs.current());
    if (!checked.ok) return checked;
    await catalogEditor.save(permit, { kind: 'product', value: product });
    return ok(product);
  };

export type AddProduct = ReturnType<typeof addProduct>;

/** The result of a change that may change nothing. */
type Changed<T> = T & { readonly result: 'changed' | 'unchanged' };

/** Changes fields of a product, by the rules of a store document. An undefined field is removed. */
export const changeProduct = (ports: Ports) =>
  async function changeProduct(
    permit: Permit,
    { product: named, fields }: { readonly product: string; readonly fields: Partial<ProductFields> },
  ): Promise<Outcome<Changed<{ readonly product: Product }>, 'product_not_found' | 'invalid_product'>> {
    const { catalogEditor, catalogs, pauses } = ports;
    return untilWritten(pauses, async () => {
      const catalog = await catalogs.current();
      const before = productNamed(catalog, named);
      if (!before) return productMissing(named);
      const product: Product = { ...before, ...fields };
      if (isSameJson(before, product)) return ok({ product: before, result: 'unchanged' });
      const checked = await checkProduct(ports, product, catalog);
      if (!checked.ok) return checked;
      const isSaved = await catalogEditor.revise(permit, { kind: 'product', value: product }, before);
      return isSaved ? ok({ product, result: 'changed' }) : CONFLICT;
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
