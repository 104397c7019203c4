import * as z from 'zod';
import { endpoint } from './endpoint.ts';
import { examples } from './examples.ts';
import { ContentAssetData, LibraryApiData } from './schemas/catalog.ts';

const group = 'Library';

export const getLibrary = endpoint({
  id: 'getLibrary',
  host: 'api',
  method: 'GET',
  path: '/api/library',
  group,
  access: { credential: 'key', ability: 'products.read' },
  output: { kind: 'json', status: 200, schema: LibraryApiData, example: examples.library },
  refusals: [],
  localized: true,
  summary: 'List the products this account may use',
  description:
    'Every product that the account has access to now, with how to install it, how far its setup is, its MCP server and its current bundle file. A key bound to one product sees only that one.',
});

export const getProductContentCss = endpoint({
  id: 'getProductContentCss',
  host: 'api',
  method: 'GET',
  path: '/api/product-content.css',
  group,
  access: { credential: 'key', ability: 'products.read' },
  output: { kind: 'css', status: 200 },
  refusals: [],
  cache: 'revalidate',
  summary: 'Get the stylesheet for product content',
  description: 'Styles for `detail_html` and `thumbnail_html`, in light and dark.',
});

export const downloadBundle = endpoint({
  id: 'downloadBundle',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/bundle',
  pathExamples: { product: 5 },
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'binary', status: 200 },
  refusals: ['install_not_available', 'version_update_window_expired'],
  summary: 'Download the current bundle file',
  description:
    'Streams the file of the newest stable release. Ranges and conditional requests work. A product with a file for each platform has no one bundle: ask for an install plan.',
});

export const listContentAssets = endpoint({
  id: 'listContentAssets',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/content-assets',
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: {
    kind: 'json',
    status: 200,
    schema: z.object({ assets: z.array(ContentAssetData) }).meta({ id: 'ContentAssetListData' }),
    example: examples.contentAssets,
  },
  refusals: [],
  cache: 'revalidate',
  summary: 'List a product’s content assets',
  description: 'Images, guides and prompts that belong to the product, by path.',
});

export const getContentAsset = endpoint({
  id: 'getContentAsset',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/content-assets/{path}',
  group,
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'binary', status: 200 },
  refusals: ['not_found'],
  summary: 'Download one content asset',
  description: 'Streams the file with this path in the product’s list of assets; slashes in the path are part of it.',
});
