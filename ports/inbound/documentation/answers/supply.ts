import * as z from 'zod';
import { PLATFORMS } from '../../../../domain/catalog/platform.ts';
import { CHANNELS } from '../../../../domain/delivery/channel.ts';
import { SUPPLY_CHECKS } from '../../../../domain/delivery/supply.ts';
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
      .meta({ description: 'the newest release in the channel; null if there is none' }),
  })
  .meta({ id: 'PipelineProductData' });

const PipelinePlatformData = z
  .object({
    platform: z.enum([...PLATFORMS, 'any']).meta({
      description:
        '`any` has the products with a file for every platform. Such a product is also listed for each platform that it runs on.',
    }),
    product_count: z.int(),
    products: z.array(z.object({ id, slug: z.string(), version: z.string() })),
  })
  .meta({
    id: 'PipelinePlatformData',
    description: 'The products that can be downloaded for a platform, with their versions.',
  });

const PipelineCheckData = z
  .object({
    key: z.enum(SUPPLY_CHECKS),
    label: z.string(),
    ok: z.boolean(),
    passed: z.int(),
    total: z.int(),
    missing: z.array(z.string()).meta({ description: 'slugs of the products that fail the check' }),
  })
  .meta({ id: 'PipelineCheckData' });

const PipelineChannelData = z
  .object({
    channel: z.enum(CHANNELS),
    ready: z.boolean().meta({ description: 'true if every check passes' }),
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
