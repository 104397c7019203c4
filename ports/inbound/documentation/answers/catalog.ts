import * as z from 'zod';
import { LOCALES } from '../../../../domain/shared/locale.ts';
import { ProductDeliveryData } from './delivery.ts';
import { dateTime, id, nullableText } from './fields.ts';

export const ProductCategoryData = z
  .object({ id, parent_id: id.nullable(), name: z.string(), active: z.boolean(), visibility: z.string() })
  .meta({ id: 'ProductCategoryData' });

export const ProductTagData = z
  .object({ id, name: z.string(), type: nullableText, active: z.boolean() })
  .meta({ id: 'ProductTagData' });

export const ProductApiData = z
  .object({
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
  })
  .meta({ id: 'ProductApiData' });

export const ProductManualData = z
  .object({
    summary: nullableText,
    requirements: z.array(z.string()),
    install_steps: z.array(z.string()),
    verification_steps: z.array(z.string()),
    troubleshooting: z.array(z.string()),
  })
  .meta({ id: 'ProductManualData' });

export const ProductSetupOutputData = z
  .object({
    id,
    title: z.string(),
    category_label: nullableText,
    summary: nullableText,
    prompt: z.string(),
    usage_guide: nullableText,
    action_url: nullableText,
  })
  .meta({ id: 'ProductSetupOutputData' });

export const ProductInstallAssetData = z
  .object({ platform: z.string(), label: z.string(), path: z.string(), download_url: z.string() })
  .meta({ id: 'ProductInstallAssetData' });

export const ProductSetupData = z
  .object({
    id,
    name: z.string(),
    type_label: z.string(),
    description: nullableText,
    delivery: ProductDeliveryData,
    manual: ProductManualData.nullable(),
    outputs: z.array(ProductSetupOutputData),
    install_assets: z.array(ProductInstallAssetData),
    runtime: nullableText,
    platforms: z.array(z.string()),
  })
  .meta({ id: 'ProductSetupData' });

export const ProductSetupProgressData = z
  .object({
    completed_step_indexes: z.array(z.int()).meta({ description: 'steps count from 0' }),
    completed_count: z.int(),
    total_count: z.int(),
    progress_percent: z.int(),
    completed: z.boolean(),
    completed_at: dateTime.nullable(),
    steps: z.array(z.string()).meta({ description: 'the text of each step, in the language of the request' }),
  })
  .meta({ id: 'ProductSetupProgressData' });

export const McpToolData = z
  .object({ id, mcp_server_id: id, product_id: id, name: z.string(), enabled: z.boolean() })
  .meta({ id: 'McpToolData' });

export const McpServerData = z
  .object({
    id,
    user_id: id,
    product_id: id,
    name: z.string(),
    enabled: z.boolean(),
    product_name: z.string(),
    tools: z.array(McpToolData),
  })
  .meta({ id: 'McpServerData' });

export const BundleRefData = z
  .object({
    available: z.boolean(),
    sha256: nullableText,
    size: z.int().nullable().meta({ description: 'bytes' }),
    download_url: nullableText,
  })
  .meta({ id: 'BundleRefData' });

/** A path of the API host that only the key opens. */
const keyedPath = nullableText.meta({
  description: 'a path on the API host: request it with the key, and show the bytes of the answer',
});
const html = nullableText.meta({
  description:
    'sanitised HTML. Pictures from the product’s content assets have addresses that load without a key for at least 15 minutes; ask again for new ones',
});

export const LibraryApiItemData = z
  .object({
    access_source: z.string().meta({ description: '`direct`, `bundle` or `subscription`' }),
    thumbnail_html: html,
    hero_path: keyedPath,
    hero_alt: nullableText,
    product: ProductSetupData,
    setup_progress: ProductSetupProgressData,
    mcp_server: McpServerData.nullable(),
    bundle: BundleRefData.nullable(),
  })
  .meta({ id: 'LibraryApiItemData' });

export const LibraryApiData = z.object({ items: z.array(LibraryApiItemData) }).meta({ id: 'LibraryApiData' });

export const ProductDetailApiData = z
  .object({
    product: ProductApiData,
    delivery: ProductDeliveryData,
    detail_html: html,
    manual: ProductManualData.nullable(),
    setup_steps: z.array(z.string()).meta({ description: 'the text of each step; steps count from 0' }),
    runtime: nullableText,
    platforms: z.array(z.string()),
    hero_path: keyedPath,
    hero_alt: nullableText,
    gallery: z.array(z.object({ path: z.string(), alt: nullableText })),
    videos: z.array(z.object({ url: z.string(), title: nullableText })),
    usage_path: nullableText,
    architecture_path: nullableText,
    ai_prompt_path: nullableText,
  })
  .meta({ id: 'ProductDetailApiData' });

export const ContentAssetData = z
  .object({
    path: z.string(),
    size: z.int().meta({ description: 'bytes' }),
    sha256: z.string(),
    content_type: z.string(),
    download_url: z.string().meta({ description: 'URL of the asset; send the same key to it' }),
  })
  .meta({ id: 'ContentAssetData' });
