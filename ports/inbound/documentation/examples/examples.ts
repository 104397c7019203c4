import { billingExamples } from './billing.ts';
import { collectExamples } from './collect.ts';
import { documentExamples } from './documents.ts';
import { galleryExamples } from './gallery.ts';
import { publicExamples } from './lineages.ts';

const ticket = {
  id: 373_283_905_540_002,
  kind: 'app_report',
  status: 'open',
  created_at: '2026-11-21T08:00:00.000Z',
  reports: 1,
  bundle: {
    name: 'diagnostics.zip',
    size: 48_213,
    sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
};

/** Example answers of the support endpoints. */
const supportExamples = {
  errorReceipt: {
    report: {
      id: 373_283_905_536_001,
      group: 'v1:5f0c4ff3d0a1be7c9e1d2f9d3a6b8c70',
      received_at: '2026-11-21T08:00:00.000Z',
    },
  },
  supportTicket: { ticket, deduplicated: false },
  supportTicketJoined: { ticket: { ...ticket, reports: 2, bundle: null }, deduplicated: true },
};

/** Example answers for the OpenAPI document. A test checks each against its schema. */
const delivery = {
  schema_version: 1,
  strategy: 'binary',
  payload: {
    artifact: 'hashcheck',
    root: null,
    skill_manifest: null,
    vsix_path: null,
    extension_id: null,
    app_path: null,
    bundle_id: null,
    binary_path: 'hashcheck',
    executable_name: 'hashcheck',
  },
  targets: [],
  dependencies: [],
  launch: { kind: 'none' },
  requires_confirmation: false,
  compatibility: true,
};

const product = {
  id: 4,
  name: 'Hashcheck',
  description: 'Compares a file with its sha256.',
  list_price_cents: 29000,
  unit_price_cents: 19000,
  currency: 'KRW',
  active: true,
  entitled: true,
  primary_category: { id: 1, parent_id: null, name: 'Tools', active: true, visibility: 'public' },
  categories: [{ id: 1, parent_id: null, name: 'Tools', active: true, visibility: 'public' }],
  tags: [{ id: 2, name: 'Command line', type: 'kind', active: true }],
  content_locale: 'en',
};

const manual = {
  summary: 'One file on your PATH.',
  requirements: ['A POSIX shell'],
  install_steps: ['Put the file on your PATH'],
  verification_steps: ['Run hashcheck --version'],
  troubleshooting: [],
};

const setupProgress = {
  completed_step_indexes: [0, 1],
  completed_count: 2,
  total_count: 3,
  progress_percent: 66,
  completed: false,
  completed_at: null,
  steps: ['Put the file on your PATH', 'Run hashcheck --version', 'Check your first download'],
};

const sha256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';
const manageUrl = 'https://account.example.com/devices?product=4';
const device = {
  device_id: 'macbook-7f3a',
  name: null,
  activated_at: '2026-10-01T09:00:00.000Z',
  last_seen_at: '2026-11-20T08:12:00.000Z',
};
const standing = {
  product: { id: 4, name: 'Hashcheck', bundle_id: null },
  access_source: 'direct',
  access_expires_at: null,
  updates_supported_until: '2027-06-30T00:00:00.000Z',
};
const bundle = { id: 1, name: 'Starter bundle', product_ids: [1, 2, 4] };

export const examples = {
  ...billingExamples,
  ...publicExamples,
  ...supportExamples,
  ...documentExamples,
  ...collectExamples,
  ...galleryExamples,
  library: {
    items: [
      {
        access_source: 'direct',
        thumbnail_html: '<img src="/api/products/4/content-assets/hero.svg" alt="A terminal with a green tick" />',
        hero_path: '/api/products/4/content-assets/hero.svg',
        hero_alt: 'A terminal with a green tick',
        product: {
          id: 4,
          name: 'Hashcheck',
          type_label: 'Tool',
          description: 'Compares a file with its sha256.',
          delivery,
          manual,
          outputs: [],
          install_assets: [],
          runtime: 'sh',
          platforms: ['darwin-arm64', 'linux-amd64'],
        },
        setup_progress: setupProgress,
        mcp_server: null,
        bundle: { available: false, sha256: null, size: null, download_url: null },
      },
    ],
  },
  contentAssets: {
    assets: [
      {
        path: 'hero.svg',
        size: 1834,
        sha256,
        content_type: 'image/svg+xml',
        download_url: 'https://api.example.com/api/products/4/content-assets/hero.svg',
      },
    ],
  },
  products: { products: [product] },
  product: { product },
  productDetail: {
    product,
    delivery,
    detail_html: '<h2>What it does</h2><p>It compares a file with its sha256.</p>',
    manual,
    setup_steps: setupProgress.steps,
    runtime: 'sh',
    platforms: ['darwin-arm64', 'linux-amd64'],
    hero_path: '/api/products/4/content-assets/hero.svg',
    hero_alt: 'A terminal with a green tick',
    gallery: [],
    videos: [],
    usage_path: '/api/products/4/content-assets/usage.md',
    architecture_path: null,
    ai_prompt_path: null,
  },
  releases: {
    releases: [
      {
        id: 43,
        product_id: 4,
        version: '1.2.0',
        notes_ko: null,
        notes_en: 'Faster on large files.',
        notes: 'Faster on large files.',
        released_at: '2026-07-07T01:00:00.000Z',
      },
    ],
    channels: ['stable'],
  },
  update: {
    update: {
      product_id: 4,
      current_version: '1.2.0',
      released_at: '2026-07-07T01:00:00.000Z',
      changelog: 'Faster on large files.',
      source_ref: 'v1.2.0',
      artifact_sha256: sha256,
      artifact_size: 2048,
      update_available: true,
      download_allowed: true,
      download_url: 'https://downloads.example.com/…?expires=1795249200&signature=…',
      download_expires_at: '2026-11-21T09:00:00.000Z',
      plan_url: 'https://api.example.com/api/products/4/install?platform=darwin-arm64&release=43',
      covered: null,
    },
  },
  install: {
    data: {
      product_id: 4,
      kind: 'binary',
      name: 'Hashcheck',
      version: '1.2.0',
      build: null,
      channel: 'stable',
      filename: 'hashcheck-1.2.0-darwin-arm64',
      sha256,
      size: 2048,
      format: 'bin',
      download_url: 'https://downloads.example.com/…?expires=1795249200&signature=…',
      download_expires_at: '2026-11-21T09:00:00.000Z',
      target: 'darwin-arm64',
      slug: 'hashcheck',
      release_id: 43,
    },
  },
  licenseDecision: {
    valid: true,
    code: 'valid',
    message: 'This license is valid.',
    ...standing,
    version_covered: true,
    device,
    devices: { used: 1, limit: 3 },
    checked_at: '2026-11-21T08:45:00.000Z',
    recheck_after: '2026-11-22T08:45:00.000Z',
    token: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImxpY2Vuc2UrandzIn0.…',
  },
  deviceLimit: {
    message: 'The only device of this license is in use; release it, then check again.',
    code: 'device_limit_reached',
    device_limit: 1,
    devices: [device],
    manage_url: manageUrl,
  },
  productLicense: { ...standing, devices: { used: 1, limit: 3 }, device_list: [device], manage_url: manageUrl },
  deviceRevocation: {
    revoked: true,
    product_id: 4,
    key_prefix: 'svc_3kT9aQ2LmX',
    released_device_id: 'macbook-7f3a',
    message: 'This key is revoked, and its device gave back its slot of this product.',
  },
  setupProgress,
  bundles: { bundles: [{ ...bundle, product_id: 8, entitled: true }] },
  bulkActivation: {
    products: [
      { product_id: 4, name: 'Hashcheck', status: 'created', key: 'svc_…', key_prefix: 'svc_3kT9aQ2LmX' },
      { product_id: 5, name: 'Notes', status: 'existing', key: null, key_prefix: 'svc_8Yp0cWn5Rb' },
    ],
    created: 1,
  },
  deviceEntitlements: {
    products: [
      {
        id: 4,
        name: 'Hashcheck',
        type: 'tool',
        access_source: 'direct',
        has_device_key: true,
        license_key_prefix: 'svc_3kT9aQ2LmX',
        access_expires_at: null,
        updates_supported_until: '2027-06-30T00:00:00.000Z',
      },
    ],
    subscriptions: [],
    bundles: [bundle],
    device: { id: 52, name: 'MacBook', activated_at: '2026-10-01T09:00:00.000Z' },
    user: { id: 1, email: 'demo@example.com', name: 'Demo' },
  },
  installRecord: {
    install: {
      id: 372041867264001,
      product_id: 4,
      version: '1.2.0',
      bundle_id: null,
      installed_at: '2026-11-21T08:44:00.000Z',
      release_id: 43,
      artifact_sha256: sha256,
      recorded_at: '2026-11-21T08:45:00.000Z',
    },
  },
  clientConfig: {
    min_client_version: '1.2.0',
    revoked: [{ product_id: 4, device_id: 'lost-laptop' }],
    policy: { ttl_days: 14, recheck_hours: 24 },
    signed_at: '2026-11-21T04:00:00.000Z',
    signature: 'eyJhbGciOiJFZERTQSIsImtpZCI6IuKApiIsInR5cCI6ImNsaWVudC1wb2xpY3krandzIn0.…',
    version: 3,
  },
  usage: { stored: 1, days: [{ product_id: 4, usage_date: '2026-11-20', launches: 12 }] },
} as const;
