import * as z from 'zod';
import { DISCLOSURE_FIELDS } from '../../../domain/catalog/catalog.ts';
import { LINEAGE_ROLES } from '../../../domain/catalog/lineage.ts';
import { LOCALES } from '../../../domain/shared/locale.ts';
import { ProductDeliveryData } from './delivery.ts';
import { accessSource, component, dateTime, id, nullableText } from './fields.ts';

const ProductCategoryData = component('ProductCategoryData', {
  id,
  parent_id: id.nullable(),
  name: z.string(),
  active: z.boolean(),
  visibility: z.string(),
});

const ProductTagData = component('ProductTagData', { id, name: z.string(), type: nullableText, active: z.boolean() });

const ProductApiData = component('ProductApiData', {
  id,
  name: z.string(),
  description: nullableText,
  list_price_cents: z.int().nullable(),
  unit_price_cents: z.int(),
  currency: z.string(),
  active: z.boolean(),
  entitled: z.boolean(),
  primary_category: ProductCategoryData.nullable(),
  categories: z.array(ProductCategoryData),
  tags: z.array(ProductTagData),
  content_locale: z.enum(LOCALES).nullable(),
});

const ProductManualData = component('ProductManualData', {
  summary: nullableText,
  requirements: z.array(z.string()),
  install_steps: z.array(z.string()),
  verification_steps: z.array(z.string()),
  troubleshooting: z.array(z.string()),
});

const ProductSetupProgressData = component('ProductSetupProgressData', {
  completed_step_indexes: z.array(z.int()).describe('steps count from 0'),
  completed_count: z.int(),
  total_count: z.int(),
  progress_percent: z.int(),
  completed: z.boolean(),
  completed_at: dateTime.nullable(),
  steps: z.array(z.string()).describe('the text of each step, in the language of the request'),
});

/** A path of the API host that only the key opens. */
const keyedPath = nullableText.describe(
  'a path on the API host: request it with the key, and show the bytes of the answer',
);

const html = nullableText.describe(
  'sanitised HTML. Pictures from the product’s content assets have addresses that load without a key for at least 15 minutes; ask again for new ones',
);

const lineage = { id, slug: z.string(), name: z.string(), description: nullableText, active: z.boolean() };

const DisclosureData = component(
  'DisclosureData',
  Object.fromEntries(DISCLOSURE_FIELDS.map((field) => [field, z.string()])) as Record<
    (typeof DISCLOSURE_FIELDS)[number],
    z.ZodString
  >,
);

export const catalogDocumentation = {
  getLibrary: {
    group: 'Library',
    summary: 'List the products this account may use',
    description:
      'Every product that the account has access to now, with its delivery, setup progress, MCP server and current bundle file. A key bound to one product sees only that product.',
    tool: {
      title: 'List my products',
      description:
        'Lists every product that this account may use now, with its id, delivery, setup steps done and current file. Start here: most other tools take the `product.id` of an item.',
    },
    answer: component('LibraryApiData', {
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
            delivery: ProductDeliveryData,
            manual: ProductManualData.nullable(),
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
          setup_progress: ProductSetupProgressData,
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
  },
  getProductContentCss: {
    group: 'Library',
    summary: 'Get the stylesheet for product content',
    description:
      'Styles for `detail_html` and `thumbnail_html`, in light and dark. Put the HTML into an element of the class `product-content`; its pictures load without a key.',
  },
  listContentAssets: {
    group: 'Library',
    summary: 'List a product’s content assets',
    description: 'Images, guides and prompts of the product, by path.',
    tool: {
      title: 'List a product’s guides and images',
      description:
        'Lists the guides, prompts and images of a product that the account owns, by path. Pass a path to download_content_asset.',
    },
    answer: component('ContentAssetListData', {
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
  },
  getContentAsset: {
    group: 'Library',
    summary: 'Download one content asset',
    description: 'Streams the content asset with this path. The path may contain slashes.',
    tool: {
      title: 'Download a guide or image',
      description: 'Gives a link to one content asset, valid for 15 minutes without a credential, with its sha256.',
    },
    pathExamples: { path: 'hero.svg' },
  },
  listProducts: {
    group: 'Products',
    summary: 'List the products on sale',
    description:
      'The active products. `entitled` tells whether this account may use a product. A key bound to one product sees only that product.',
    tool: {
      title: 'Browse the products on sale',
      description:
        'Searches the catalog; `entitled` tells whether this account may use a product already. For owned products alone, list_library is shorter.',
    },
    answer: component('ProductListData', { products: z.array(ProductApiData) }),
  },
  getProduct: {
    group: 'Products',
    summary: 'Get one product',
    description: 'An unpublished product answers 404 to every account that can’t access it.',
    tool: {
      title: 'Show a product',
      description: 'Shows name, price, categories and tags of one product. show_product_detail has the manual.',
    },
    answer: component('ProductShowData', { product: ProductApiData }),
  },
  getProductDetail: {
    group: 'Products',
    summary: 'Get a product’s detail page',
    description: 'The long description as sanitised HTML, with its manual, gallery, videos and guides.',
    tool: {
      title: 'Show a product’s manual',
      description:
        'Shows the long description, requirements, install steps, verification steps and troubleshooting of an owned product. Read it before you install the product or explain it to somebody.',
    },
    answer: component('ProductDetailApiData', {
      product: ProductApiData,
      delivery: ProductDeliveryData,
      detail_html: html,
      manual: ProductManualData.nullable(),
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
  },
  getSetupProgress: {
    group: 'Setup progress',
    summary: 'Get the setup progress',
    description: 'The setup steps of the product, and which of them this account has completed.',
    tool: {
      title: 'Show the setup progress',
      description: 'Shows the setup steps of an owned product and which of them are done. Steps are counted from 0.',
    },
    answer: ProductSetupProgressData,
  },
  saveSetupProgress: {
    group: 'Setup progress',
    summary: 'Save the setup progress',
    description: 'Replaces the list of completed steps.',
    tool: {
      description:
        'Replaces the list of completed setup steps, so send all completed ones and not only the new one. Read show_setup_progress first.',
    },
    bodyExample: { completed_step_indexes: [0, 1] },
    answer: ProductSetupProgressData,
  },
  listLineages: {
    group: 'Public',
    summary: 'List the product lineages',
    description:
      'The active lineages. A lineage is a series of products in which each one replaced the one before. Unpublished products are not counted.',
    tool: {
      title: 'List product lineages',
      description: 'Lists the series of products in which each one replaced the one before.',
    },
    answer: component('LineageListData', {
      lineages: z.array(
        component('LineageSummaryData', {
          ...lineage,
          product_count: z.int(),
          current_product: z
            .object({ id, slug: z.string(), name: z.string() })
            .nullable()
            .describe('the recommended product'),
        }),
      ),
    }),
  },
  getLineage: {
    group: 'Public',
    summary: 'Get one lineage and its products',
    description:
      'The products of the lineage, oldest first. `role` is `current` for the recommended product, `predecessor` before it, and `successor` after it. The list includes products that are no longer sold, but no unpublished ones. An inactive lineage answers 404.',
    tool: {
      title: 'Show a lineage',
      description:
        'Shows the products of one lineage, oldest first; `role` is `current` for the recommended one. Use it to find the successor of a product.',
    },
    pathExamples: { slug: 'release-notes' },
    answer: component('LineageShowData', {
      lineage: component('LineageData', {
        ...lineage,
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
  },
  getDisclosure: {
    group: 'Public',
    summary: 'Get the business disclosure',
    description:
      'The disclosure of the company that runs the store, in Korean and English. A field that does not apply to the company is an empty text. The answer is 404 until the operator has entered a disclosure.',
    tool: {
      title: 'Show the business disclosure',
      description: 'Shows the legal name, registration numbers and contact of the company that runs the store.',
    },
    answer: component('PublicDisclosureData', { ko: DisclosureData, en: DisclosureData }),
  },
} as const;
