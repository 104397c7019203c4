import * as z from 'zod';
import { DISCLOSURE_FIELDS } from '../../../../domain/catalog/disclosure.ts';
import { LINEAGE_ROLES } from '../../../../domain/catalog/lineage.ts';
import { id, nullableText } from './fields.ts';

const lineage = { id, slug: z.string(), name: z.string(), description: nullableText, active: z.boolean() };

const LineageSummaryData = z
  .object({
    ...lineage,
    product_count: z.int(),
    current_product: z
      .object({ id, slug: z.string(), name: z.string() })
      .nullable()
      .meta({ description: 'the recommended product' }),
  })
  .meta({ id: 'LineageSummaryData' });

export const LineageListData = z.object({ lineages: z.array(LineageSummaryData) }).meta({ id: 'LineageListData' });

const LineageProductData = z
  .object({
    position: z.int().meta({ description: 'place in the lineage, counted from 1' }),
    role: z.enum(LINEAGE_ROLES),
    id,
    slug: z.string(),
    name: z.string(),
    type: z.string(),
    type_label: z.string(),
    description: nullableText,
    active: z.boolean().meta({ description: 'true while the product is sold' }),
  })
  .meta({ id: 'LineageProductData' });

const LineageData = z.object({ ...lineage, products: z.array(LineageProductData) }).meta({ id: 'LineageData' });

export const LineageShowData = z.object({ lineage: LineageData }).meta({ id: 'LineageShowData' });

const DisclosureData = z
  .object(
    Object.fromEntries(DISCLOSURE_FIELDS.map((field) => [field, z.string()])) as Record<
      (typeof DISCLOSURE_FIELDS)[number],
      z.ZodString
    >,
  )
  .meta({ id: 'DisclosureData' });

export const PublicDisclosureData = z
  .object({ ko: DisclosureData, en: DisclosureData })
  .meta({ id: 'PublicDisclosureData' });
