import { EXAMPLE_SHA256, inGroup } from '../documented.ts';

export const shopProductsTexts = inGroup('Shop', {
  listShopProducts: {
    summary: 'List the products of the shop',
    description: 'All products, hidden ones too, with the newest version of each channel.',
    tool: { description: 'All products with their newest versions.' },
  },
  findProduct: {
    summary: 'Show a product of the shop',
    description: 'A product by its id or slug, as the store document has it.',
    tool: { description: 'A product by its id or slug.' },
  },
  describeProduct: {
    summary: 'Show what a product has and lacks',
    description: 'A product with its newest releases, its bundles, and what it lacks before it sells.',
    tool: { description: 'Tells what to do next before a product can be sold.' },
  },
  addProduct: {
    summary: 'Add a product',
    description:
      'Adds a product with the fields of a store document, an uploaded picture and the text of its page. Its other files come by an import. Other products keep their slugs, bundle ids and prices.',
    tool: { description: 'Leave published false until the person has looked at it.' },
    bodyExample: {
      slug: 'note-pad',
      type: 'app',
      type_label: { en: 'Application' },
      name: { en: 'Note Pad' },
      unit_price_cents: 1900,
      currency: 'USD',
      published: false,
    },
  },
  changeProduct: {
    summary: 'Change a product',
    description:
      'Changes fields of a product. A field that is left out stays, and `remove` names those to remove. A later import of a store document that names the product replaces all of it.',
    tool: { description: 'Buyers see a change at once. Ask the person before you change a price.' },
    bodyExample: { description: { en: 'Sums files.' }, device_limit: 3 },
  },
  showUsage: {
    summary: 'Show the usage that applications report',
    description: 'Launches, accounts, devices and commands of each day, where buyers agree to the report.',
    tool: { description: 'Name a product or an account: otherwise all usage is summed.' },
  },
  showStorefront: {
    summary: 'Show the storefront',
    description: 'The name, logo, colors, links and terms by which buyers know the shop.',
    tool: { description: 'What account pages and mails show of the shop.' },
  },
  changeStorefront: {
    summary: 'Change the storefront',
    description:
      'Changes fields of the storefront. A field that is left out stays, and `remove` names those to remove.',
    tool: { description: 'Account pages and mails change at once. Ask the person first.' },
    bodyExample: { name: 'Example Software', accent: '#2b55c8' },
  },
  showPolicy: {
    summary: 'Show the client policy',
    description: 'How often applications check, how long they run offline, and the devices that are withdrawn.',
    tool: { description: 'The policy in force, with the withdrawn devices.' },
  },
  setPolicy: {
    summary: 'Set the client policy',
    description:
      'Replaces the client policy. Without `revoked` the withdrawn devices stay as they are, and an empty list lets all of them run again.',
    tool: { description: 'Every application follows it. Call it with trial first, and ask the person about `lifted`.' },
    bodyExample: { min_client_version: '1.2.0', ttl_days: 14, recheck_hours: 24 },
  },
  importLicenseKeys: {
    summary: 'Import license keys',
    description:
      'Imports the keys of an earlier system for a product. Each buyer’s account is found by address or created, and gets the product. A key that was imported before changes nothing; put all keys of a buyer into one call.',
    tool: { description: 'The old keys work from then on. Refused keys are named by line.' },
    bodyExample: {
      licenses: [
        {
          line: 1,
          key: '80e15db5-c796-436b-850c-8f9c98a48abe',
          email: 'bob@example.com',
          name: 'Bob',
          quantity: 1,
          device_limit: 2,
          begun_at: '2025-11-01T00:00:00.000Z',
          ends_at: null,
          updates_until: null,
        },
      ],
    },
  },
  listProductReleases: {
    summary: 'List the releases of a product',
    description: 'All releases of a product, newest first: offered, scheduled and withdrawn ones.',
    tool: { description: 'All releases with their states, newest first.' },
  },
  signReleaseUpload: {
    summary: 'Sign the upload of a release’s file',
    description:
      'A request that takes exactly these bytes, within 15 minutes; null where the store has them. Larger files are published with the command `publish` on the machine of the store.',
    tool: { description: 'Send the file with exactly the method, address and headers that it gives, then publish it.' },
    bodyExample: { sha256: EXAMPLE_SHA256, size: 4 },
  },
  publishRelease: {
    summary: 'Publish a release',
    description:
      'Publishes an uploaded file as a version of a product, for one platform or for all. The same again changes nothing, and a published file is never replaced.',
    tool: { description: 'Buyers are offered it at once, unless released_at is later. Ask the person first.' },
    bodyExample: { sha256: EXAMPLE_SHA256, filename: 'hashcheck-9.9.9.zip', version: '9.9.9', channel: 'dev' },
  },
  uploadReleaseFile: {
    summary: 'Upload a file',
    description:
      'Stores a file for a release or a picture, sent as multipart/form-data. A file larger than the host accepts is sent by a signed upload.',
    bodyExample: { sha256: EXAMPLE_SHA256 },
  },
  createPolicyKey: {
    summary: 'Create the key of the client policy',
    description:
      'Creates the first key that signs the client policy. An existing one stays; the command `signing-key` replaces it.',
    tool: { description: 'Applications can then verify that the policy is the shop’s.' },
  },
  changeRelease: {
    summary: 'Withdraw, restore, move or schedule a release',
    description:
      'Changes a published release. Its files never change. A withdrawn release is offered to nobody, and installed copies keep running.',
    tool: { description: 'Call it with trial first: the answer says what buyers would be offered then.' },
    pathExamples: { named: 'library-keeper', version: '1.0.0' },
    bodyExample: { change: { kind: 'withdraw', reason: 'It deletes what it should keep.' }, trial: true },
  },
});
