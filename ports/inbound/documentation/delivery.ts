import * as z from 'zod';
import { CHANNELS } from '../../../domain/delivery/channel.ts';
import { ProductInstallData, ProductReleaseData, ProductUpdateApiData } from './answers/delivery.ts';
import { DownloadPipelineData } from './answers/supply.ts';
import { examples } from './examples/examples.ts';

export const deliveryDocumentation = {
  downloadBundle: {
    group: 'Library',
    summary: 'Download the current bundle file',
    description:
      'Streams the file of the newest stable release. Ranges and conditional requests work. A product with a file for each platform has no single bundle; ask for an install plan instead.',
    pathExamples: { product: 5 },
  },
  listReleases: {
    group: 'Products',
    summary: 'List a product’s releases',
    description:
      'Stable releases, or the releases that `channel` includes, newest first. `channels` names every channel that has a release: a product with pre-releases alone has an empty list, and the channel to ask for.',
    pathExamples: { product: 4 },
    answer: {
      schema: z
        .object({ releases: z.array(ProductReleaseData), channels: z.array(z.enum(CHANNELS)) })
        .meta({ id: 'ProductReleaseListData' }),
      example: examples.releases,
    },
  },
  getUpdate: {
    group: 'Products',
    summary: 'Check for an update',
    description:
      'Compares the client’s version with the newest release of `channel` (stable if left out), and tells whether this account may download it. With `platform`, only releases with a file for that platform count. Name it for a product with a file for each platform: without it, `download_allowed` is false, because there is no single file. `download_url` is the file, under a signed URL as of an install plan; where the download is not allowed, it refuses with the reason. `plan_url` is the install plan of the release. If the update window does not cover the release, `covered` names the newest version that the account may install.',
    pathExamples: { product: 4 },
    answer: {
      schema: z.object({ update: ProductUpdateApiData }).meta({ id: 'ProductUpdateShowData' }),
      example: examples.update,
    },
  },
  planInstall: {
    group: 'Install',
    summary: 'Plan an install',
    description:
      'The newest release within the update window that has a file for the platform, with a signed URL (valid for 15 minutes, no credential needed) and the sha256 to compare. The call records nothing, so it can be repeated freely.',
    pathExamples: { product: 4 },
    answer: {
      schema: z.object({ data: ProductInstallData }).meta({ id: 'ProductInstallShowData' }),
      example: examples.install,
    },
  },
  getDownloadPipeline: {
    group: 'Downloads',
    summary: 'List the available downloads',
    description:
      'For each channel: the products on sale that come as a file, with the newest release of each; the products and versions for each platform; and a checklist. A product counts for the platforms that it names, or for every platform if it names none; a macOS application counts for Macs alone. A channel includes every more stable one: `beta` counts stable releases too. The answer is computed from the published releases, and unpublished products are left out.',
    answer: { schema: DownloadPipelineData, example: examples.downloadPipeline },
  },
  getAppcast: {
    group: 'App distribution',
    summary: 'Get an application’s appcast',
    description:
      'The update feed of an application for Sparkle 2, newest release first. Withdrawn releases and releases whose moment is to come are left out. A public feed needs no key. With the key of an account that may use the product, the feed leaves out the releases beyond the update window. A key that brings no access gets the public feed as without a key; an invalid or revoked key is refused. If the feed is not public, its links carry a ticket in place of the key, and work without a header for a day while the key is live. A product that is off sale keeps its feed. Other parameters are ignored.',
    pathExamples: { id: 3 },
  },
  downloadRelease: {
    group: 'App distribution',
    summary: 'Download a release',
    description:
      'Redirects to a signed URL that is valid for 15 minutes, needs no credential and supports ranges. A product with a public feed needs no key; a product that is not an application always needs one. If a request has a key, the key decides and the ticket is ignored. A ticket ends with the key that its feed was read with. A withdrawn release is refused with the reason.',
    pathExamples: { release: 34 },
  },
} as const;
