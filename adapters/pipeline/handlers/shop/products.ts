import {
  findProduct,
  type ListedProduct,
  type ListedRelease,
  listProductReleases,
  listShopProducts,
} from '../../../../application/catalog/shop-products.ts';
import { changeRelease, publishRelease, signReleaseUpload } from '../../../../application/delivery/releases.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import type { ListOrder, StretchRequest } from '../../../../domain/shared/paging.ts';
import * as shopProducts from '../../../../ports/inbound/shop/products.ts';
import type { StoreFiles } from '../../../../ports/outbound/store-document.ts';
import { handlingWith } from '../handling.ts';
import { BY_ID, page, read, told, write } from './answers.ts';

const PRODUCTS: ListOrder<ListedProduct> = { place: ({ product }) => BY_ID.place(product) };

/** A page of releases, whose order is that of their versions. */
const releasesPage = (asked: StretchRequest, all: readonly ListedRelease[]) => {
  const last = all.findIndex((one) => BY_ID.place(one) === asked.after);
  if (asked.after !== null && last < 0) return refuse('release_not_found', { message: 'No release has this cursor.' });
  return ok(page<ListedRelease>({ ...asked, after: null }, BY_ID)(all.slice(last + 1)));
};

/** The parts of a publication that this host leaves to the command: patches, terms for Sparkle and other keys. */
const OF_THE_COMMAND = { sparkle: {}, deltas: [], sign_with: null, installation_type: null };

type WithFiles = { readonly uploadedFiles: StoreFiles };

/** Products, and the publication of their releases. */
export const shopProductsHandlers = handlingWith<WithFiles>()(
  shopProducts,
  { listShopProducts, findProduct, listProductReleases, signReleaseUpload, publishRelease, changeRelease },
  (use) => ({
    listShopProducts: async ({ query }) =>
      ok(page(query, PRODUCTS)(await use.listShopProducts({ sold: query.sold ?? false }))),
    findProduct: ({ params }) => read(use.findProduct(params.named)),
    listProductReleases: async ({ params, query }) => {
      const all = await use.listProductReleases(params.named);
      return told(all.ok ? releasesPage(query, all.value) : all);
    },
    signReleaseUpload: async ({ body }) =>
      write(async (permit) => ok({ upload: await use.signReleaseUpload(permit, body) })),
    publishRelease: async ({ params, body: { sha256, ...body } }) =>
      write((permit) =>
        use.publishRelease(permit, {
          ...OF_THE_COMMAND,
          ...body,
          product: params.named,
          file: `${sha256}/${body.filename}`,
          files: use.uploadedFiles,
        }),
      ),
    changeRelease: async ({ params: { named, version }, body }) =>
      write((permit) =>
        use.changeRelease(permit, { product: named, version, change: body.change, trial: body.trial ?? false }),
      ),
  }),
);
