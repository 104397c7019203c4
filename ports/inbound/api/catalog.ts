import * as z from 'zod';
import { SORTS } from '../../../domain/catalog/browse.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, orAbsent, pathText, product_id, queryInteger, queryOneOf, queryText } from '../fields.ts';

const api = endpointsOf({ host: 'api' });
const onProduct = endpointsOf({ host: 'api', params: z.object({ product: product_id }) });

export const getLibrary = api({
  id: 'getLibrary',
  path: '/api/library',
  access: { credential: 'key', ability: 'products.read' },
  localized: true,
  tool: { name: 'list_library', effect: 'reads' },
});

export const getProductContentCss = api({
  id: 'getProductContentCss',
  path: '/api/product-content.css',
  access: { credential: 'key', ability: 'products.read' },
  output: { kind: 'css', status: 200 },
  cache: 'revalidate',
});

export const listContentAssets = onProduct({
  id: 'listContentAssets',
  path: '/api/products/{product}/content-assets',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  cache: 'revalidate',
  tool: { name: 'list_content_assets', effect: 'reads' },
});

export const getContentAsset = api({
  id: 'getContentAsset',
  path: '/api/products/{product}/content-assets/{path}',
  params: z.object({ product: product_id, path: pathText('path of the asset, which may contain slashes') }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'binary', status: 200 },
  refusals: ['not_found'],
  tool: { name: 'download_content_asset', effect: 'reads' },
});

export const listProducts = api({
  id: 'listProducts',
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
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'list_products', effect: 'reads' },
});

export const getProduct = onProduct({
  id: 'getProduct',
  path: '/api/products/{product}',
  access: { credential: 'key', ability: 'products.read' },
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'show_product', effect: 'reads' },
});

export const getProductDetail = onProduct({
  id: 'getProductDetail',
  path: '/api/products/{product}/detail',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'show_product_detail', effect: 'reads' },
});

export const getSetupProgress = onProduct({
  id: 'getSetupProgress',
  path: '/api/products/{product}/setup-progress',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  localized: true,
  tool: { name: 'show_setup_progress', effect: 'reads' },
});

export const saveSetupProgress = onProduct({
  id: 'saveSetupProgress',
  method: 'PUT',
  path: '/api/products/{product}/setup-progress',
  access: { credential: 'key', ability: 'setup-progress.write', requires: ['entitlement'] },
  body: z
    .object({
      completed_step_indexes: orAbsent(z.array(bodyInteger({ minimum: 0 })).max(200)).meta({
        description: 'all completed steps, counted from 0; if left out, nothing changes',
      }),
    })
    .meta({ id: 'SetupProgressBody' }),
  refusals: ['validation_failed'],
  localized: true,
  tool: { name: 'save_setup_progress', effect: 'replaces' },
});

export const listLineages = api({
  id: 'listLineages',
  path: '/api/lineages',
  access: { credential: 'none' },
  cache: { publicSeconds: 300 },
  localized: true,
  tool: { name: 'list_lineages', effect: 'reads' },
});

export const getLineage = api({
  id: 'getLineage',
  path: '/api/lineages/{slug}',
  params: z.object({ slug: pathText('short name of the lineage') }),
  access: { credential: 'none' },
  refusals: ['not_found'],
  cache: { publicSeconds: 300 },
  localized: true,
  tool: { name: 'show_lineage', effect: 'reads' },
});

export const getDisclosure = api({
  id: 'getDisclosure',
  path: '/api/public/disclosure',
  access: { credential: 'none' },
  refusals: ['not_found'],
  cache: { publicSeconds: 300 },
  tool: { name: 'show_disclosure', effect: 'reads' },
});
