import * as z from 'zod';
import { SORTS } from '../../domain/catalog/browse.ts';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { ProductApiData, ProductDetailApiData } from './schemas/catalog.ts';
import { ProductReleaseData, ProductUpdateApiData } from './schemas/delivery.ts';
import { queryChannel, queryInteger, queryOneOf, queryText } from './schemas/fields.ts';

const group = 'Products';

export const listProducts = endpoint({
  id: 'listProducts',
  host: 'api',
  method: 'GET',
  path: '/api/products',
  group,
  access: { credential: 'key', ability: 'products.read' },
  query: z.object({
    category_id: queryInteger('Only products in this category or one below it.'),
    tag_id: queryInteger('Only products with this tag.'),
    q: queryText(200, 'Only products with each of these words in their name, description or slug.'),
    platform: queryText(
      50,
      'Only products for this platform, such as `darwin-arm64` or `macos`; products that name none run anywhere and are kept.',
    ),
    sort: queryOneOf(
      SORTS,
      'Order: by `id` (the default), `name` or `price`, turned round by a leading `-`, or `newest` or `oldest`.',
    ),
  }),
  output: {
    kind: 'json',
    status: 200,
    schema: z.object({ products: z.array(ProductApiData) }).meta({ id: 'ProductListData' }),
    example: examples.products,
  },
  refusals: [],
  cache: 'revalidate',
  localized: true,
  summary: 'List the products on sale',
  description:
    'Active products, each with whether this account may use it. A key bound to one product sees only that one.',
});

export const getProduct = endpoint({
  id: 'getProduct',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}',
  group,
  access: { credential: 'key', ability: 'products.read' },
  output: {
    kind: 'json',
    status: 200,
    schema: z.object({ product: ProductApiData }).meta({ id: 'ProductShowData' }),
    example: examples.product,
  },
  refusals: [],
  cache: 'revalidate',
  localized: true,
  summary: 'Get one product',
  description: 'An unpublished product answers 404 to every account that can’t access it.',
});

export const getProductDetail = endpoint({
  id: 'getProductDetail',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/detail',
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'json', status: 200, schema: ProductDetailApiData, example: examples.productDetail },
  refusals: [],
  cache: 'revalidate',
  localized: true,
  summary: 'Get a product’s detail page',
  description: 'The long description as sanitised HTML, with its manual, gallery, videos and guides.',
});

export const listReleases = endpoint({
  id: 'listReleases',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/releases',
  group,
  access: { credential: 'key' },
  query: z.object({ channel: queryChannel }),
  output: {
    kind: 'json',
    status: 200,
    schema: z.object({ releases: z.array(ProductReleaseData) }).meta({ id: 'ProductReleaseListData' }),
    example: examples.releases,
  },
  refusals: [],
  cache: 'revalidate',
  localized: true,
  summary: 'List a product’s releases',
  description: 'Newest first. Stable releases, or with `channel` those that the channel takes in.',
});

export const getUpdate = endpoint({
  id: 'getUpdate',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/updates',
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  query: z.object({
    version: queryText(64, 'The client’s version; a missing one is older than everything.'),
  }),
  output: {
    kind: 'json',
    status: 200,
    schema: z.object({ update: ProductUpdateApiData }).meta({ id: 'ProductUpdateShowData' }),
    example: examples.update,
  },
  refusals: ['install_not_available', 'validation_failed'],
  localized: true,
  summary: 'Check for an update',
  description:
    'Compares the client’s version with the newest stable release and tells whether this account’s update window covers that. Of a product with a file for each platform, `download_url`, which is the bundle, answers `install_not_available`: the way to its file is the install plan.',
});
