import type { ToolId } from '../endpoints.ts';
import type { RefusalCode } from '../refusals.ts';
import { DESIGN_TOOLS } from './design-tools.ts';
import type { ToolDocumentation } from './endpoint-documentation.ts';

/** The texts of the gallery's tools, in the order of the design MCP's list. */
const GALLERY_TOOLS = {
  listScreens: {
    title: 'Search the screens',
    description:
      'Finds collected screens by words, app, flow, page type, patterns, elements, viewport, language and color mode; a screen has to fit all that is given. The keys are in show_taxonomy. Leave out everything to see the newest screens; go on with `page` until `links.next` is null. Look here before you design a screen that may exist already.',
  },
  getScreen: {
    title: 'Show a screen',
    description:
      'Shows one screen with its image, its saved page, visible text, counted elements, colours and fonts. Take the id from search_screens.',
  },
  getApp: {
    title: 'Show an app and its flows',
    description:
      'Shows one app of the gallery (ids 1 to 7) with its flows and the first 12 screens of each. For all screens of a flow, call search_screens with `app` and `flow`.',
  },
  listPatterns: {
    title: 'List the UX patterns',
    description:
      'Lists the UX patterns by key with the number of their screens. A key fits `patterns` of search_screens.',
  },
  getTaxonomy: {
    title: 'Show the words of the gallery',
    description:
      'Shows the keys of page types, patterns and elements for search_screens, and the colours and fonts in use, each with the number of its screens.',
  },
} as const;

/** The texts of every tool by the id of its endpoint. A tool without them does not compile. */
export const TOOLS = {
  getLibrary: {
    title: 'List my products',
    description:
      'Lists every product that this account may use now, with its id, delivery, setup steps done and current file. Start here: most other tools take the `product.id` of an item.',
  },
  listContentAssets: {
    title: 'List a product’s guides and images',
    description:
      'Lists the guides, prompts and images of a product that the account owns, by path. Pass a path to download_content_asset.',
  },
  getContentAsset: {
    title: 'Download a guide or image',
    description: 'Gives a link to one content asset, valid for 15 minutes without a credential, with its sha256.',
  },
  listProducts: {
    title: 'Browse the products on sale',
    description:
      'Searches the catalog. `entitled` tells whether this account may use a product already. For owned products alone, list_library is shorter.',
  },
  getProduct: {
    title: 'Show a product',
    description: 'Shows name, price, categories and tags of one product. show_product_detail has the manual.',
  },
  getProductDetail: {
    title: 'Show a product’s manual',
    description:
      'Shows the long description, requirements, install steps, verification steps and troubleshooting of an owned product. Read it before you install the product or explain it to somebody.',
  },
  getSetupProgress: {
    title: 'Show the setup progress',
    description: 'Shows the setup steps of an owned product and which of them are done. Steps are counted from 0.',
  },
  saveSetupProgress: {
    title: 'Save the setup progress',
    description:
      'Replaces the list of completed setup steps, so send all completed ones and not only the new one. Read show_setup_progress first.',
  },
  listLineages: {
    title: 'List product lineages',
    description: 'Lists the series of products in which each one replaced the one before.',
  },
  getLineage: {
    title: 'Show a lineage',
    description:
      'Shows the products of one lineage, oldest first; `role` is `current` for the recommended one. Use it to find the successor of a product.',
  },
  getDisclosure: {
    title: 'Show the business disclosure',
    description: 'Shows the legal name, registration numbers and contact of the company that runs the store.',
  },
  downloadBundle: {
    title: 'Link to the bundle file',
    description:
      'Gives a link to the newest stable file of a product that has one file for all platforms, with its sha256. For a product with a file for each platform, use plan_install.',
  },
  listReleases: {
    title: 'List a product’s releases',
    description:
      'Lists the stable releases of a product, or those of `channel`, newest first, with their notes. `channels` names every channel that has releases. An id fits `release` of plan_install.',
  },
  getUpdate: {
    title: 'Check for an update',
    description:
      'Compares an installed version with the newest release of a channel, and tells whether this account may download it. Name the `platform`; without it, a product with a file for each platform has nothing to download. If `update_available` is true, go on with plan_install. `covered` names an older version that the account may install instead.',
  },
  planInstall: {
    title: 'Plan an install',
    description:
      'Gives the right file of an owned product: a URL that is valid for 15 minutes, its size and its sha256. Download the file without any credential, compare the sha256 before you open or run it, and discard it if they differ. Then install it as `kind` and show_product_detail say, and call record_install. Planning records nothing and costs nothing, so call it again when the URL has expired.',
  },
  getDownloadPipeline: {
    title: 'List the available downloads',
    description: 'Lists, for each channel, the products that come as a file, with their newest release and platforms.',
  },
  checkLicense: {
    title: 'Check a license',
    description:
      'Decides whether a device may run a product, named by `product_id` or `bundle_id`. A `device_id` that is new to the product takes one of its device slots, so ask the user first and always send the same `device_id` for the same device. `valid: false` is an answer, not an error; `code` says why. Without any device the decision comes without a token. If all slots are in use, the error lists the devices and the address where the user releases one.',
  },
  getProductLicense: {
    title: 'Show a product’s license',
    description:
      'Shows the account’s access to a product, its end, and the devices that hold a slot. It takes no slot, so use it to look before check_license.',
  },
  revokeLicenseDevice: {
    title: 'Sign this device out of a product',
    description:
      'Revokes the API key of this connection, which must be bound to the product, and frees the slot of its device. The connection stops working afterwards. Ask the user first.',
  },
  listBundles: {
    title: 'List the product bundles',
    description: 'Lists the bundles on sale with their products; `entitled` tells whether the account owns one.',
  },
  logoutDevice: {
    title: 'Sign this device out',
    description:
      'Revokes the API key of this connection and the product keys made from it, and frees the device slots of its device. The connection stops working afterwards; this can’t be undone. Ask the user first.',
  },
  bulkActivate: {
    title: 'Make a key for every product',
    description:
      'Makes one API key for each product of the account, for the device of this key. The answer has the values of new keys, which are secrets and are shown only once: store them where the user asked for, and never repeat them in a conversation. A product that has a key from this device keeps it. If the answer was lost, call again with the same `idempotency_key`: unused keys get new values.',
  },
  getDeviceEntitlements: {
    title: 'Show what this device may use',
    description: 'Shows the products, subscriptions and bundles of the account together with this device and its user.',
  },
  recordInstall: {
    title: 'Record an install',
    description:
      'Tells the store which version of a product was just installed. Call it once after an install succeeded, with `version`, `release_id` and `sha256` of the plan.',
  },
  uploadUsage: {
    title: 'Upload daily usage',
    description:
      'Stores how often products were used, one row for each product and day; a row replaces the earlier one. Send `consent: true` only if the user agreed; without consent nothing is stored.',
  },
  listInvoices: {
    title: 'List the invoices',
    description:
      'Lists invoices, newest first, page by page: call it again with `after` set to `next_after` until that is null.',
  },
  listOrders: {
    title: 'List the orders',
    description: 'Lists every order of the account, newest first, with its items and what they entitle to.',
  },
  getOrder: {
    title: 'Show an order',
    description: 'Shows one order of the account, by an `id` from list_orders.',
  },
  listPaymentMethods: {
    title: 'List the payment methods',
    description: 'Lists the payment methods of the account; only the last four digits are known.',
  },
  listSubscriptions: {
    title: 'List the subscriptions',
    description:
      'Lists the subscriptions of the account with their next charge. `action` is what the buyer can do on the website; no tool changes a subscription.',
  },
  checkAppsSubscription: {
    title: 'Check the apps subscription',
    description:
      'Tells which apps and features the account’s apps subscription allows, and whether a failed renewal is in its grace period.',
  },
  getClientConfig: {
    title: 'Show the client policy',
    description:
      'Shows the signed policy for client applications: the lowest version they should have, how long they may run offline, and the revoked devices.',
  },
  reportError: {
    title: 'Report an error of an application',
    description:
      'Reports a crash, an exception or a warning to the developer, five times a minute at most. Personal data is removed before it is kept. If the user wants an answer, use report_problem.',
  },
  reportProblem: {
    title: 'Report a problem to support',
    description:
      'Opens a support ticket in the name of the user, which a person reads. Ask the user before you send it, and leave out passwords and keys. The same report within 24 hours joins its ticket.',
  },
  ...DESIGN_TOOLS,
  ...GALLERY_TOOLS,
} as const satisfies { readonly [Id in ToolId]: ToolDocumentation };

/** Tells an agent what to do about a refusal, where the sentence of the REST API does not. */
export const ACCOUNT_ADVICE: Readonly<Partial<Record<RefusalCode, string>>> = {
  not_found: 'Take ids, paths and names from the tools that list them, such as list_library and list_products.',
  order_not_found: 'list_orders has the ids.',
  product_entitlement_required: 'list_library has the products that this account may use.',
  version_update_window_expired: 'Call plan_install without `release` for the newest version within the update window.',
  install_not_available: 'list_releases shows the releases of a channel, and show_product_detail the platforms.',
  device_limit_reached: 'Ask the user to release one of these devices at the `manage_url`.',
};

/** Tells an agent how the tools of the account MCP go together. */
export const ACCOUNT_INSTRUCTIONS = `This server acts for one account of a software store: what the account owns, how to install it, whether a device may run it.

Products: begin with list_library; its product ids fit every other tool. list_products searches what is on sale. Nothing here buys, cancels or refunds; list_orders, list_invoices and list_subscriptions only show.

Install: plan_install (platform darwin-arm64, darwin-amd64, linux-arm64 or linux-amd64) → download download_url without any credential → compare the file's sha256 with the plan's, and stop if they differ → install as show_product_detail says → record_install. Never send an API key to a download URL.

Devices: device_id is a text that you choose once for a machine and keep, such as "macbook-7f3a". show_product_license shows the slots in use and takes none. check_license takes a slot for a device_id that is new to the product. When no slot is free, give the user the manage_url of the error.

Ask the user before a tool that costs something: check_license with a new device_id (a device slot), bulk_activate (makes keys), report_problem (a person reads it), logout_device and revoke_license_device (end this connection). All other tools only read, or write what you report.

Errors say what to change. Ids are integers, times are ISO 8601 in UTC, amounts ending in _cents are integers in minor units. A long answer is shortened and says so in _shortened. ?tools=library,install in the server's address offers only the tools of these groups.`;
