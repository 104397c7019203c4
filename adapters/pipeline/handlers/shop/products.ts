import {
  describeProduct,
  findProduct,
  type ListedProduct,
  type ListedRelease,
  listProductReleases,
  listShopProducts,
  showUsage,
} from '../../../../application/catalog/shop-products.ts';
import {
  changeRelease,
  type PublishInput,
  publishRelease,
  signReleaseUpload,
  uploadReleaseFile,
} from '../../../../application/delivery/releases.ts';
import { importLicenseKeys } from '../../../../application/licensing/license-keys.ts';
import { withLogoUrls } from '../../../../application/mail/shop-letter.ts';
import { setPolicy, showPolicy } from '../../../../application/policy/set-policy.ts';
import { createPolicyKey } from '../../../../application/signing/signing-keys.ts';
import {
  addProduct,
  changeProduct,
  changeStorefront,
  showStorefront,
} from '../../../../application/store-document/edit-catalog.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { ListOrder, StretchRequest } from '../../../../domain/shared/paging.ts';
import type { BodyOf } from '../../../../ports/inbound/endpoint.ts';
import * as shopProducts from '../../../../ports/inbound/shop/products.ts';
import { productFields } from '../../../../ports/inbound/store-document/products.ts';
import type { StoreFiles } from '../../../../ports/outbound/store-document.ts';
import { handlingWith } from '../handling.ts';
import { BY_ID, page, present, read, shopOutcome, write } from './answers.ts';
import { listing, reading, writing } from './shop-handling.ts';

const PRODUCTS: ListOrder<ListedProduct> = { place: ({ product }) => BY_ID.place(product) };

/** A page of releases, in the order of their versions. */
const releasesPage = (query: StretchRequest, all: readonly ListedRelease[]) => {
  const last = all.findIndex((one) => BY_ID.place(one) === query.after);
  if (query.after !== null && last < 0) return refuse('release_not_found', { message: 'No release has this cursor.' });
  return ok(page<ListedRelease>({ ...query, after: null }, BY_ID)(all.slice(last + 1)));
};

const pathOf = ({ sha256, filename }: { readonly sha256: string; readonly filename: string }) =>
  `${sha256}/${filename}`;

/** A publication. A Sparkle term that the body omits keeps the release's value. */
const publicationOf = (product: string, body: BodyOf<typeof shopProducts.publishRelease>): PublishInput => ({
  ...body,
  product,
  file: pathOf(body),
  sparkle: Object.fromEntries(Object.entries(body.sparkle ?? {}).filter(([, term]) => term !== null)),
  deltas: (body.deltas ?? []).map((delta) => ({ ...delta, file: pathOf(delta) })),
});

/** The changed fields, and the removed ones. */
const changeOf = <T extends object, R>({ remove, ...fields }: T & { readonly remove: R }) => ({
  ...present(fields),
  ...remove,
});

type Ttl<D> = { readonly ttl_days?: D | undefined };

/** The fields of a product. A body says `never` for tokens without end, because null leaves a field out there. */
const termsOf = <T extends Ttl<number | 'never'>>(fields: T) =>
  ({ ...fields, ...(fields.ttl_days === 'never' && { ttl_days: null }) }) as Omit<T, 'ttl_days'> & Ttl<number | null>;

type WithFiles = { readonly uploadedFiles: StoreFiles };

export const shopProductsHandlers = handlingWith<WithFiles>()(
  shopProducts,
  {
    addProduct,
    changeProduct,
    changeStorefront,
    describeProduct,
    listShopProducts,
    findProduct,
    listProductReleases,
    importLicenseKeys,
    setPolicy,
    showPolicy,
    showStorefront,
    showUsage,
    createPolicyKey,
    signReleaseUpload,
    uploadReleaseFile,
    publishRelease,
    changeRelease,
  },
  (use) => ({
    listShopProducts: listing(use.listShopProducts, PRODUCTS),
    describeProduct: reading(use.describeProduct),
    showUsage: reading(use.showUsage),
    changeRelease: writing(use.changeRelease),
    setPolicy: writing(use.setPolicy),
    showPolicy: async () => ok(await use.showPolicy()),
    createPolicyKey: async () => write(async (permit) => ok(await use.createPolicyKey(permit))),
    findProduct: ({ params }) => read(use.findProduct(params.named)),
    addProduct: async ({ body }) =>
      write((permit) => use.addProduct(permit, termsOf(productFields().parse(present(body))))),
    changeProduct: async ({ params, body }) =>
      write((permit) => use.changeProduct(permit, { product: params.named, fields: termsOf(changeOf(body)) })),
    showStorefront: async () => ok(withLogoUrls(await use.showStorefront(), use.links)),
    changeStorefront: async ({ body }) =>
      write(async (permit) => {
        const { storefront, result } = await use.changeStorefront(permit, changeOf(body));
        return ok({ storefront: withLogoUrls(storefront, use.links), result });
      }),
    importLicenseKeys: async ({ params, body: { licenses } }) =>
      write(async (permit) => {
        const product = await use.findProduct(params.named);
        return product.ok ? use.importLicenseKeys(permit, { product_id: product.value.id, licenses }) : product;
      }),
    listProductReleases: async ({ params, query }) => {
      const all = await use.listProductReleases(params.named);
      return shopOutcome(all.ok ? releasesPage(query, all.value) : all);
    },
    signReleaseUpload: async ({ body }) =>
      write(async (permit) => ok({ upload: await use.signReleaseUpload(permit, body) })),
    uploadReleaseFile: async ({ body, files }) =>
      write((permit) => use.uploadReleaseFile(permit, files.file, body.sha256)),
    publishRelease: async ({ params, body }) =>
      write((permit) => use.publishRelease(permit, { ...publicationOf(params.named, body), files: use.uploadedFiles })),
  }),
);
