import * as z from 'zod';
import { DEPENDENCY_KINDS, LAUNCH_KINDS, STRATEGIES, TARGETS } from '../../../../domain/catalog/delivery-manifest.ts';
import { dateTime, id, nullableText } from './fields.ts';

export const ProductDeliveryPayloadData = z
  .object({
    artifact: nullableText,
    root: nullableText,
    skill_manifest: nullableText,
    vsix_path: nullableText,
    extension_id: nullableText,
    app_path: nullableText,
    bundle_id: nullableText,
    binary_path: nullableText,
    executable_name: nullableText,
  })
  .meta({ id: 'ProductDeliveryPayloadData' });

export const ProductDeliveryDependencyData = z
  .object({
    kind: z.enum(DEPENDENCY_KINDS),
    name: nullableText,
    version_constraint: nullableText,
    architectures: z.array(z.string()),
    bundle_id: nullableText,
  })
  .meta({ id: 'ProductDeliveryDependencyData' });

export const ProductDeliveryLaunchData = z
  .object({ kind: z.enum(LAUNCH_KINDS) })
  .meta({ id: 'ProductDeliveryLaunchData' });

export const ProductDeliveryData = z
  .object({
    schema_version: z.int(),
    strategy: z.enum(STRATEGIES),
    payload: ProductDeliveryPayloadData,
    targets: z.array(z.enum(TARGETS)),
    dependencies: z.array(ProductDeliveryDependencyData),
    launch: ProductDeliveryLaunchData,
    requires_confirmation: z.boolean(),
    compatibility: z.boolean(),
  })
  .meta({ id: 'ProductDeliveryData' });

export const ProductInstallData = z
  .object({
    product_id: id,
    kind: z.string().meta({ description: 'the delivery strategy' }),
    name: z.string(),
    version: z.string(),
    build: nullableText,
    channel: nullableText,
    filename: z.string(),
    sha256: z.string(),
    size: z.int().meta({ description: 'bytes' }),
    format: z.string(),
    download_url: z.string().meta({ description: 'signed URL; send no Authorization header to it' }),
    download_expires_at: dateTime,
    target: z.string().meta({ description: 'the platform that the file is for, or `any`' }),
    slug: nullableText,
    release_id: id.nullable(),
  })
  .meta({ id: 'ProductInstallData' });

export const ProductReleaseData = z
  .object({
    id,
    product_id: id,
    version: z.string(),
    notes_ko: nullableText,
    notes_en: nullableText,
    notes: nullableText.meta({ description: 'the notes in the language asked for, or else in the other one' }),
    released_at: dateTime,
  })
  .meta({ id: 'ProductReleaseData' });

export const ProductUpdateApiData = z
  .object({
    product_id: id,
    current_version: z.string(),
    released_at: dateTime.nullable(),
    changelog: nullableText,
    source_ref: nullableText,
    artifact_sha256: nullableText,
    artifact_size: z.int().nullable(),
    update_available: z.boolean(),
    download_allowed: z.boolean().meta({ description: 'true where `download_url` gives the file' }),
    download_url: z.string().meta({
      description:
        'the file: a signed URL, to which no Authorization header is sent, or one that refuses with the reason',
    }),
    download_expires_at: dateTime.nullable().meta({ description: 'the end of the signed URL' }),
    plan_url: z.string().meta({ description: 'the install plan of the current release' }),
    covered: z
      .object({
        release_id: id,
        version: z.string(),
        released_at: dateTime,
        update_available: z.boolean(),
        plan_url: z.string().meta({ description: 'the install plan of this release' }),
      })
      .nullable()
      .meta({
        description:
          'the newest version that the account may install, where its update window does not cover the current one; otherwise null',
      }),
  })
  .meta({ id: 'ProductUpdateApiData' });
