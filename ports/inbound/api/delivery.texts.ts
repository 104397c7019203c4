export const apiDeliveryTexts = {
  downloadBundle: {
    group: 'Library',
    summary: 'Download the current bundle file',
    description:
      'Streams the file of the newest stable release. Ranges and conditional requests work. A product with a file for each platform needs `platform`: without it the answer is 422 and lists the platforms.',
    tool: {
      title: 'Link to the bundle file',
      description:
        'Gives a link to the newest stable file of a product, with its sha256. Name the `platform` where each has its own file.',
    },
    pathExamples: { product: 5 },
  },
  listReleases: {
    group: 'Products',
    summary: 'List a product’s releases',
    description:
      'Stable releases, or the releases that `channel` includes, newest first. `channels` names every channel that has a release: a product with pre-releases alone has an empty list, and the channel to ask for.',
    tool: {
      description:
        'Lists the stable releases of a product, or those of `channel`, newest first, with their notes. An id fits `release` of plan_install.',
    },
  },
  getUpdate: {
    group: 'Products',
    summary: 'Check for an update',
    description:
      'Compares the client’s version with the newest release of `channel` (stable if left out), and tells whether this account may download it. With `platform`, only releases with a file for that platform count. `download_allowed` is the update window, with or without a platform. A product with a file for each platform has no sha256, size or signed URL until the platform is named. `download_url` is the file, under a signed URL as of an install plan where it is known; otherwise it asks for the platform and lists them (422), and past the update window it refuses. A `version` that the product’s scheme can’t read is 422. `plan_url` is the install plan of the release. If the update window does not cover the release, `covered` names the newest version that the account may install.',
    tool: {
      description:
        'Compares an installed version with the newest release of a channel for the `platform`, and tells whether this account may download it. If `update_available` is true, go on with plan_install; `covered` names an older version that the account may install instead.',
    },
  },
  planInstall: {
    group: 'Install',
    summary: 'Plan an install',
    description:
      'The newest release within the update window that has a file for the platform, with a signed URL (valid for 15 minutes, no credential needed) and the sha256 to compare. Without `platform`, a product with a file for each platform is 422 with the list of platforms. A `release` may be of any channel, unless `channel` is named too and does not include it (404). The call records nothing, so it can be repeated freely.',
    tool: {
      description:
        'Gives the right file of an owned product: a URL for 15 minutes, its size and sha256, and how to install it (`kind`). Planning records nothing, so call it again when the URL has expired.',
    },
  },
  getDownloadPipeline: {
    group: 'Downloads',
    summary: 'List the available downloads',
    description:
      'For each channel: the products on sale that come as a file, with the newest release of each; the products and versions for each platform; and a checklist. A product counts for the platforms that it names, or for every platform if it names none; a macOS application counts for Macs alone. A channel includes every more stable one: `beta` counts stable releases too. The answer is computed from the published releases, and unpublished products are left out.',
    tool: {
      description:
        'Lists, for each channel, the products that come as a file, with their newest release and platforms.',
    },
  },
} as const;
