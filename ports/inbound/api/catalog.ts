import * as z from 'zod';
import { SORTS } from '../../../domain/catalog/browse.ts';
import { DISCLOSURE_FIELDS } from '../../../domain/catalog/catalog.ts';
import { LINEAGE_ROLES } from '../../../domain/catalog/lineage.ts';
import { DEPENDENCY_KINDS, LAUNCH_KINDS, STRATEGIES, TARGETS } from '../../../domain/catalog/product.ts';
import { LOCALES } from '../../../domain/shared/locale.ts';
import { accessSource, component, dateTime, id, nullableText, once } from '../answers.ts';
import { endpointsOf } from '../endpoint.ts';
import { bodyInteger, orAbsent, pathText, product_id, queryInteger, queryOneOf, queryText } from '../fields.ts';

const api = endpointsOf({ host: 'api' });
const onProduct = endpointsOf({ host: 'api', params: () => z.object({ product: product_id }) });

const productDeliveryPayloadData = once(() =>
  component('ProductDeliveryPayloadData', {
    artifact: nullableText,
    root: nullableText,
    skill_manifest: nullableText,
    vsix_path: nullableText,
    extension_id: nullableText,
    app_path: nullableText,
    bundle_id: nullableText,
    binary_path: nullableText,
    executable_name: nullableText,
  }),
);

const productDeliveryDependencyData = once(() =>
  component('ProductDeliveryDependencyData', {
    kind: z.enum(DEPENDENCY_KINDS),
    name: nullableText,
    version_constraint: nullableText,
    architectures: z.array(z.string()),
    bundle_id: nullableText,
  }),
);

const productDeliveryLaunchData = once(() => component('ProductDeliveryLaunchData', { kind: z.enum(LAUNCH_KINDS) }));

const productDeliveryData = once(() =>
  component('ProductDeliveryData', {
    schema_version: z.int(),
    strategy: z.enum(STRATEGIES),
    payload: productDeliveryPayloadData(),
    targets: z.array(z.enum(TARGETS)),
    dependencies: z.array(productDeliveryDependencyData()),
    launch: productDeliveryLaunchData(),
    requires_confirmation: z.boolean(),
    compatibility: z.boolean(),
  }),
);

const productCategoryData = once(() =>
  component('ProductCategoryData', {
    id,
    parent_id: id.nullable(),
    name: z.string(),
    active: z.boolean(),
    visibility: z.string(),
  }),
);

const productTagData = once(() =>
  component('ProductTagData', { id, name: z.string(), type: nullableText, active: z.boolean() }),
);

const productApiData = once(() =>
  component('ProductApiData', {
    id,
    name: z.string(),
    description: nullableText,
    list_price_cents: z.int().nullable(),
    unit_price_cents: z.int(),
    currency: z.string(),
    active: z.boolean(),
    entitled: z.boolean(),
    primary_category: productCategoryData().nullable(),
    categories: z.array(productCategoryData()),
    tags: z.array(productTagData()),
    content_locale: z.enum(LOCALES).nullable(),
  }),
);

const productManualData = once(() =>
  component('ProductManualData', {
    summary: nullableText,
    requirements: z.array(z.string()),
    install_steps: z.array(z.string()),
    verification_steps: z.array(z.string()),
    troubleshooting: z.array(z.string()),
  }),
);

const productSetupProgressData = once(() =>
  component('ProductSetupProgressData', {
    completed_step_indexes: z.array(z.int()).describe('steps count from 0'),
    completed_count: z.int(),
    total_count: z.int(),
    progress_percent: z.int(),
    completed: z.boolean(),
    completed_at: dateTime.nullable(),
    steps: z.array(z.string()).describe('the text of each step, in the language of the request'),
  }),
);

/** A path on the API host that needs the key. */
const keyedPath = nullableText.describe(
  'a path on the API host: request it with the key, and show the bytes of the answer',
);

const html = nullableText.describe(
  'sanitised HTML. Pictures from the product’s content assets have addresses that load without a key for at least 15 minutes; ask again for new ones',
);

const lineage = once(() => ({
  id,
  slug: z.string(),
  name: z.string(),
  description: nullableText,
  active: z.boolean(),
}));

const disclosureData = once(() =>
  component(
    'DisclosureData',
    Object.fromEntries(DISCLOSURE_FIELDS.map((field) => [field, z.string()])) as Record<
      (typeof DISCLOSURE_FIELDS)[number],
      z.ZodString
    >,
  ),
);

export const getLibrary = api({
  id: 'getLibrary',
  path: '/api/library',
  access: { credential: 'key', ability: 'products.read' },
  answer: () =>
    component('LibraryApiData', {
      items: z.array(
        component('LibraryApiItemData', {
          access_source: accessSource,
          thumbnail_html: html,
          hero_path: keyedPath,
          hero_alt: nullableText,
          product: component('ProductSetupData', {
            id,
            name: z.string(),
            type_label: z.string(),
            description: nullableText,
            delivery: productDeliveryData(),
            manual: productManualData().nullable(),
            outputs: z.array(
              component('ProductSetupOutputData', {
                id,
                title: z.string(),
                category_label: nullableText,
                summary: nullableText,
                prompt: z.string(),
                usage_guide: nullableText,
                action_url: nullableText,
              }),
            ),
            install_assets: z.array(
              component('ProductInstallAssetData', {
                platform: z.string(),
                label: z.string(),
                path: z.string(),
                download_url: z.string(),
              }),
            ),
            runtime: nullableText,
            platforms: z.array(z.string()),
          }),
          setup_progress: productSetupProgressData(),
          mcp_server: component('McpServerData', {
            id,
            user_id: id,
            product_id: id,
            name: z.string(),
            enabled: z.boolean(),
            product_name: z.string(),
            tools: z.array(
              component('McpToolData', {
                id,
                mcp_server_id: id,
                product_id: id,
                name: z.string(),
                enabled: z.boolean(),
              }),
            ),
          }).nullable(),
          bundle: component('BundleRefData', {
            available: z.boolean(),
            sha256: nullableText,
            size: z.int().nullable().describe('bytes'),
            download_url: nullableText,
          }).nullable(),
        }),
      ),
    }),
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
  answer: () =>
    component('ContentAssetListData', {
      assets: z.array(
        component('ContentAssetData', {
          path: z.string(),
          size: z.int().describe('bytes'),
          sha256: z.string(),
          content_type: z.string(),
          download_url: z.string().describe('URL of the asset; send the same key to it'),
        }),
      ),
    }),
  cache: 'revalidate',
  tool: { name: 'list_content_assets', effect: 'reads' },
});

export const getContentAsset = api({
  id: 'getContentAsset',
  path: '/api/products/{product}/content-assets/{path}',
  params: () => z.object({ product: product_id, path: pathText('path of the asset, which may contain slashes') }),
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  output: { kind: 'binary', status: 200 },
  refusals: ['not_found'],
  tool: { name: 'download_content_asset', effect: 'reads' },
});

export const listProducts = api({
  id: 'listProducts',
  path: '/api/products',
  access: { credential: 'key', ability: 'products.read' },
  query: () =>
    z.object({
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
  answer: () => component('ProductListData', { products: z.array(productApiData()) }),
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'list_products', effect: 'reads' },
});

export const getProduct = onProduct({
  id: 'getProduct',
  path: '/api/products/{product}',
  access: { credential: 'key', ability: 'products.read' },
  answer: () => component('ProductShowData', { product: productApiData() }),
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'show_product', effect: 'reads' },
});

export const getProductDetail = onProduct({
  id: 'getProductDetail',
  path: '/api/products/{product}/detail',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  answer: () =>
    component('ProductDetailApiData', {
      product: productApiData(),
      delivery: productDeliveryData(),
      detail_html: html,
      manual: productManualData().nullable(),
      setup_steps: z.array(z.string()).describe('the text of each step; steps count from 0'),
      runtime: nullableText,
      platforms: z.array(z.string()),
      hero_path: keyedPath,
      hero_alt: nullableText,
      gallery: z.array(z.object({ path: z.string(), alt: nullableText })),
      videos: z.array(z.object({ url: z.string(), title: nullableText })),
      usage_path: nullableText,
      architecture_path: nullableText,
      ai_prompt_path: nullableText,
    }),
  cache: 'revalidate',
  localized: 'described',
  tool: { name: 'show_product_detail', effect: 'reads' },
});

export const getSetupProgress = onProduct({
  id: 'getSetupProgress',
  path: '/api/products/{product}/setup-progress',
  access: { credential: 'key', ability: 'products.read', requires: ['entitlement'] },
  answer: productSetupProgressData,
  localized: true,
  tool: { name: 'show_setup_progress', effect: 'reads' },
});

export const saveSetupProgress = onProduct({
  id: 'saveSetupProgress',
  method: 'PUT',
  path: '/api/products/{product}/setup-progress',
  access: { credential: 'key', ability: 'setup-progress.write', requires: ['entitlement'] },
  body: () =>
    component('SetupProgressBody', {
      completed_step_indexes: orAbsent(z.array(bodyInteger({ minimum: 0 })).max(200)).meta({
        description: 'all completed steps, counted from 0; if left out, nothing changes',
      }),
    }),
  answer: productSetupProgressData,
  refusals: ['validation_failed'],
  localized: true,
  tool: { name: 'save_setup_progress', effect: 'replaces' },
});

export const listLineages = api({
  id: 'listLineages',
  path: '/api/lineages',
  access: { credential: 'none' },
  answer: () =>
    component('LineageListData', {
      lineages: z.array(
        component('LineageSummaryData', {
          ...lineage(),
          product_count: z.int(),
          current_product: z
            .object({ id, slug: z.string(), name: z.string() })
            .nullable()
            .describe('the recommended product'),
        }),
      ),
    }),
  cache: { publicSeconds: 300 },
  localized: true,
  tool: { name: 'list_lineages', effect: 'reads' },
});

export const getLineage = api({
  id: 'getLineage',
  path: '/api/lineages/{slug}',
  params: () => z.object({ slug: pathText('short name of the lineage') }),
  access: { credential: 'none' },
  answer: () =>
    component('LineageShowData', {
      lineage: component('LineageData', {
        ...lineage(),
        products: z.array(
          component('LineageProductData', {
            position: z.int().describe('place in the lineage, counted from 1'),
            role: z.enum(LINEAGE_ROLES),
            id,
            slug: z.string(),
            name: z.string(),
            type: z.string(),
            type_label: z.string(),
            description: nullableText,
            active: z.boolean().describe('true while the product is sold'),
          }),
        ),
      }),
    }),
  refusals: ['not_found'],
  cache: { publicSeconds: 300 },
  localized: true,
  tool: { name: 'show_lineage', effect: 'reads' },
});

export const getDisclosure = api({
  id: 'getDisclosure',
  path: '/api/public/disclosure',
  access: { credential: 'none' },
  answer: () => component('PublicDisclosureData', { ko: disclosureData(), en: disclosureData() }),
  refusals: ['not_found'],
  cache: { publicSeconds: 300 },
  tool: { name: 'show_disclosure', effect: 'reads' },
});
