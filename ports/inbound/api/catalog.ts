import * as z from 'zod';
import { SORTS } from '../../../domain/catalog/browse.ts';
import { endpoint } from '../endpoint.ts';
import { bodyInteger, orAbsent, pathText, productId, queryInteger, queryOneOf, queryText } from '../fields.ts';

export const getLibrary = endpoint({
  id: 'getLibrary',
  host: 'api',
  method: 'GET',
  path: '/api/library',
  access: { credential: 'key', ability: 'products.read' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  localized: true,
  tool: { name: 'list_library', effect: 'reads' },
});

export const getProductContentCss = endpoint({
  id: 'getProductContentCss',
  host: 'api',
  method: 'GET',
  path: '/api/product-content.css',
  access: { credential: 'key', ability: 'products.read' },
  output: { kind: 'css', status: 200 },
  refusals: [],
  cache: 'revalidate',
});

export const listContentAssets = endpoint({
  id: 'listContentAssets',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/content-assets',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: 'revalidate',
  tool: { name: 'list_content_assets', effect: 'reads' },
});

export const getContentAsset = endpoint({
  id: 'getContentAsset',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/content-assets/{path}',
  params: z.object({ product: productId, path: pathText('path of the asset, which may contain slashes') }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'binary', status: 200 },
  refusals: ['not_found'],
  tool: { name: 'download_content_asset', effect: 'reads' },
});

export const listProducts = endpoint({
  id: 'listProducts',
  host: 'api',
  method: 'GET',
  path: '/api/products',
  access: { credential: 'key', ability: 'products.read' },
  query: z.object({
    category_id: queryInteger('Only products in this category or one below it.'),
    tag_id: queryInteger('Only products with this tag.'),
    q: queryText(200, 'Only products whose name, description or slug contains all of these words.'),
    platform: queryText(
      50,
      'Only products for this platform, such as `darwin-arm64`, or for this system, such as `macos`, which is every Mac, or `windows`; products that name no platform run everywhere and are included, but macOS applications run on Macs alone.',
    ),
    sort: queryOneOf(
      SORTS,
      'Sort order: `id` (the default), `name` or `price`, each reversed by a leading `-`; or `newest` or `oldest`.',
      { otherwise: 'id' },
    ),
  }),
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'list_products', effect: 'reads' },
});

export const getProduct = endpoint({
  id: 'getProduct',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'products.read' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'show_product', effect: 'reads' },
});

export const getProductDetail = endpoint({
  id: 'getProductDetail',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/detail',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'show_product_detail', effect: 'reads' },
});

export const getSetupProgress = endpoint({
  id: 'getSetupProgress',
  host: 'api',
  method: 'GET',
  path: '/api/products/{product}/setup-progress',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'json', status: 200 },
  refusals: [],
  localized: true,
  tool: { name: 'show_setup_progress', effect: 'reads' },
});

export const saveSetupProgress = endpoint({
  id: 'saveSetupProgress',
  host: 'api',
  method: 'PUT',
  path: '/api/products/{product}/setup-progress',
  params: z.object({ product: productId }),
  access: { credential: 'key', ability: 'setup-progress.write', requires: ['entitlement'] },
  body: z
    .object({
      completed_step_indexes: orAbsent(z.array(bodyInteger({ minimum: 0 })).max(200)).meta({
        description: 'all completed steps, counted from 0; if left out, nothing changes',
      }),
    })
    .meta({ id: 'SetupProgressBody' }),
  output: { kind: 'json', status: 200 },
  refusals: ['validation_failed'],
  localized: true,
  tool: { name: 'save_setup_progress', effect: 'replaces' },
});

export const listLineages = endpoint({
  id: 'listLineages',
  host: 'api',
  method: 'GET',
  path: '/api/lineages',
  access: { credential: 'none' },
  output: { kind: 'json', status: 200 },
  refusals: [],
  cache: { publicSeconds: 300 },
  localized: true,
  tool: { name: 'list_lineages', effect: 'reads' },
});

export const getLineage = endpoint({
  id: 'getLineage',
  host: 'api',
  method: 'GET',
  path: '/api/lineages/{slug}',
  params: z.object({ slug: pathText('short name of the lineage') }),
  access: { credential: 'none' },
  output: { kind: 'json', status: 200 },
  refusals: ['not_found'],
  cache: { publicSeconds: 300 },
  localized: true,
  tool: { name: 'show_lineage', effect: 'reads' },
});

export const getDisclosure = endpoint({
  id: 'getDisclosure',
  host: 'api',
  method: 'GET',
  path: '/api/public/disclosure',
  access: { credential: 'none' },
  output: { kind: 'json', status: 200 },
  refusals: ['not_found'],
  cache: { publicSeconds: 300 },
  tool: { name: 'show_disclosure', effect: 'reads' },
});
