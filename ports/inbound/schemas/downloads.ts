import * as z from 'zod';
import { CHANNELS, PLATFORMS } from '../../../domain/delivery/channel.ts';
import { SUPPLY_CHECKS } from '../../../domain/delivery/pipeline.ts';
import { dateTime, id } from './fields.ts';

const PipelineProductData = z
  .object({
    id,
    slug: z.string(),
    name: z.string(),
    type: z.string(),
    release: z
      .object({
        id,
        version: z.string(),
        channel: z.enum(CHANNELS),
        released_at: dateTime,
        file_count: z.int(),
      })
      .nullable()
      .meta({ description: 'the newest that the channel offers; null where it offers none' }),
  })
  .meta({ id: 'PipelineProductData' });

const PipelinePlatformData = z
  .object({
    platform: z.enum([...PLATFORMS, 'any']).meta({
      description:
        '`any` counts files that serve every platform, which the others count too where the product runs there',
    }),
    product_count: z.int(),
    products: z.array(z.object({ id, slug: z.string(), version: z.string() })),
  })
  .meta({ id: 'PipelinePlatformData', description: 'What is to be had on a platform, and in which version.' });

const PipelineCheckData = z
  .object({
    key: z.enum(SUPPLY_CHECKS),
    label: z.string(),
    ok: z.boolean(),
    passed: z.int(),
    total: z.int(),
    missing: z.array(z.string()).meta({ description: 'slugs of the products that something is missing of' }),
  })
  .meta({ id: 'PipelineCheckData' });

const PipelineChannelData = z
  .object({
    channel: z.enum(CHANNELS),
    ready: z.boolean().meta({ description: 'every check passes' }),
    catalog: z.object({
      product_count: z.int(),
      released_count: z.int(),
      latest_released_at: dateTime.nullable(),
      products: z.array(PipelineProductData),
    }),
    platforms: z.array(PipelinePlatformData),
    checklist: z.array(PipelineCheckData),
  })
  .meta({ id: 'PipelineChannelData' });

export const DownloadPipelineData = z
  .object({ channels: z.array(PipelineChannelData) })
  .meta({ id: 'DownloadPipelineData' });
