import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Mount, OpenMount } from './mount.ts';
import { all, type Choice, onePerKind } from './requests.ts';
import { openShop } from './shop.ts';
import { accountSuite } from './suite/account.ts';
import { addressLimitsSuite } from './suite/address-limits.ts';
import { appcastSuite } from './suite/appcast.ts';
import { appsSubscriptionSuite } from './suite/apps-subscription.ts';
import { bodiesSuite } from './suite/bodies.ts';
import { bundleSuite } from './suite/bundle.ts';
import { cachingSuite } from './suite/caching.ts';
import { clientPolicySuite } from './suite/client-policy.ts';
import { clumsyClientsSuite } from './suite/clumsy-clients.ts';
import { collectSuite } from './suite/collect.ts';
import { collectFilesSuite } from './suite/collect-files.ts';
import { contentAssetsSuite } from './suite/content-assets.ts';
import { credentialsSuite } from './suite/credentials.ts';
import { crossOriginSuite } from './suite/cross-origin.ts';
import { dayOfADeviceSuite } from './suite/day-of-a-device.ts';
import { designMcpSuite } from './suite/design-mcp.ts';
import { deviceEntitlementsSuite } from './suite/device-entitlements.ts';
import { deviceKeysSuite } from './suite/device-keys.ts';
import { documentListsSuite } from './suite/document-lists.ts';
import { documentWritingSuite } from './suite/document-writing.ts';
import { documentsSuite } from './suite/documents.ts';
import { errorReportRateSuite, errorReportsSuite } from './suite/error-reports.ts';
import { everyInputSuite } from './suite/every-input.ts';
import { foreignBytesSuite } from './suite/foreign-bytes.ts';
import { gallerySuite } from './suite/gallery.ts';
import { httpSuite } from './suite/http.ts';
import { idempotencySuite } from './suite/idempotency.ts';
import { installSuite } from './suite/install.ts';
import { installsSuite } from './suite/installs.ts';
import { invoicesSuite } from './suite/invoices.ts';
import { keyLifeSuite } from './suite/key-life.ts';
import { largeCapturesSuite } from './suite/large-captures.ts';
import { legacySuite } from './suite/legacy.ts';
import { librarySuite } from './suite/library.ts';
import { licenseCheckSuite } from './suite/license-check.ts';
import { licenseDevicesSuite } from './suite/license-devices.ts';
import { licenseTokenSuite } from './suite/license-token.ts';
import { logSuite } from './suite/log.ts';
import { mcpSuite } from './suite/mcp.ts';
import { mcpLimitsSuite } from './suite/mcp-limits.ts';
import { mcpToolsSuite } from './suite/mcp-tools.ts';
import { orderOfChecksSuite } from './suite/order-of-checks.ts';
import { ordersSuite } from './suite/orders.ts';
import { ownDownloadsSuite } from './suite/own-downloads.ts';
import { paymentMethodsSuite } from './suite/payment-methods.ts';
import { permissionsSuite } from './suite/permissions.ts';
import { productLicenseSuite } from './suite/product-license.ts';
import { productsSuite } from './suite/products.ts';
import { publicSuite } from './suite/public.ts';
import { rateLimitsSuite } from './suite/rate-limits.ts';
import { referenceSuite } from './suite/reference.ts';
import { releaseDownloadSuite } from './suite/release-download.ts';
import { releasesSuite } from './suite/releases.ts';
import { reportFilesSuite } from './suite/report-files.ts';
import { setupProgressSuite } from './suite/setup-progress.ts';
import { shopHostSuite, shopListsSuite } from './suite/shop-host.ts';
import { streamedBodiesSuite } from './suite/streamed-bodies.ts';
import { subscriptionsSuite } from './suite/subscriptions.ts';
import { supplySuite } from './suite/supply.ts';
import { supportReportsSuite } from './suite/support-reports.ts';
import { trailingSlashSuite } from './suite/trailing-slash.ts';
import { trialsSuite } from './suite/trials.ts';
import { unpublishedSuite } from './suite/unpublished.ts';
import { updateFeedsSuite } from './suite/update-feeds.ts';
import { usageSuite } from './suite/usage.ts';
import { webhooksSuite } from './suite/webhooks.ts';

type Suites = Readonly<Record<string, (mount: () => Mount, choice: Choice) => void>>;

/**
 * The suites about HTTP itself, for every mount: bodies, headers, ranges, caching. They do not depend on the engine.
 */
const HTTP_SUITES: Suites = {
  credentials: credentialsSuite,
  'bytes that are not UTF-8': foreignBytesSuite,
  caching: cachingSuite,
  http: httpSuite,
  'the log': logSuite,
  'a slash at the end': trailingSlashSuite,
  bodies: bodiesSuite,
  'the reference': referenceSuite,
  'the legacy host': legacySuite,
};

/** The suites about HTTP that also depend on the engine: the bytes that it returns, and the answers that it stores. */
const KEPT_SUITES: Suites = {
  'the bundle file': bundleSuite,
  'content assets': contentAssetsSuite,
  'an Idempotency-Key': idempotencySuite,
};

/** The suites about the pipeline between HTTP and the use cases. They depend neither on a mount nor on an engine. */
const PIPELINE_SUITES: Suites = {
  'a clumsy client': clumsyClientsSuite,
  permissions: permissionsSuite,
  'the order of checks': orderOfChecksSuite,
  'every input': everyInputSuite,
};

/** The suites about a shop as it was opened, without a key of the policy. Those of the pipeline change it. */
const FIRST_SUITES: Suites = { 'the client policy': clientPolicySuite, 'lineages and disclosure': publicSuite };

/** The suites about the service on its engines, with the same answers on every mount. */
const SERVICE_SUITES: Suites = {
  'an unpublished product': unpublishedSuite,
  'the life of a key': keyLifeSuite,
  'the library': librarySuite,
  products: productsSuite,
  releases: releasesSuite,
  'an install plan': installSuite,
  'a license check': licenseCheckSuite,
  'devices of a license': licenseDevicesSuite,
  'a license token': licenseTokenSuite,
  'the license of a product': productLicenseSuite,
  'a trial': trialsSuite,
  'the client policy': clientPolicySuite,
  'the supply of downloads': supplySuite,
  'lineages and disclosure': publicSuite,
  'setup progress': setupProgressSuite,
  'keys of a device': deviceKeysSuite,
  'entitlements of a device': deviceEntitlementsSuite,
  installs: installsSuite,
  usage: usageSuite,
  orders: ordersSuite,
  invoices: invoicesSuite,
  'payment methods': paymentMethodsSuite,
  subscriptions: subscriptionsSuite,
  'an apps subscription': appsSubscriptionSuite,
  'an error report': errorReportsSuite,
  'a support report': supportReportsSuite,
  'a large capture': largeCapturesSuite,
  'the shop host': shopHostSuite,
  'a list on the shop host': shopListsSuite,
  'a collect run': collectSuite,
  'the gallery': gallerySuite,
  'the account MCP': mcpSuite,
  'the tools of the account MCP': mcpToolsSuite,
  'the design MCP': designMcpSuite,
  'the account host': accountSuite,
  'design documents': documentsSuite,
  'the text of a document': documentWritingSuite,
  'lists of documents': documentListsSuite,
};

type Options = {
  /** The suite of signed URLs, which differs if the object store serves them. */
  readonly downloads?: (mount: () => Mount) => void;
  /** False for a runtime that receives each request whole. */
  readonly streams?: boolean;
  /** The endpoints that the suites about HTTP call; all by default. */
  readonly choice?: Choice;
};

const runSuites = (suites: Suites, open: OpenMount, options: Options) => {
  const { downloads = ownDownloadsSuite, streams = true, choice = all } = options;
  let shared: Mount;
  const mount = (): Mount => shared;

  beforeAll(async () => {
    shared = await open();
    await openShop(shared.service);
  });
  afterAll(async () => {
    await shared.close();
    expect(shared.faults).toEqual([]);
  });

  for (const [area, suite] of Object.entries(suites)) describe(area, () => suite(mount, choice));
  describe('a signed URL', () => downloads(mount));
  describe('a day of a device', () => dayOfADeviceSuite(open));
  describe('files of reports', () => reportFilesSuite(mount));
  describe('webhooks of payment providers', () => webhooksSuite(open));
  if (streams) describe('large files of collectors', () => collectFilesSuite(mount));
  if (streams) describe('a streamed body', () => streamedBodiesSuite(mount, open));
};

/** Runs the suites about files and streams, on an object store whose other suites run elsewhere. */
export const everyStreamSuite = (open: OpenMount, options: Options = {}): void => runSuites({}, open, options);

/** Runs the suites about HTTP with an endpoint of each kind, on a mount whose service another run tests completely. */
export const everyHttpSuite = (open: OpenMount, options: Options = {}): void => {
  runSuites({ ...HTTP_SUITES, ...KEPT_SUITES }, open, { choice: onePerKind, ...options });
  describe('pages of other origins', () => crossOriginSuite(open));
};

/** The suites about feeds and their files, which open their own mounts. */
const runFeedSuites = (open: OpenMount): void => {
  describe('an appcast', () => appcastSuite(open));
  describe('a feed for other updaters', () => updateFeedsSuite(open));
  describe('the download of a release', () => releaseDownloadSuite(open));
};

/**
 * Runs the suites that use records which no walk through all endpoints uses, on a mount that tests what its functions
 * may do.
 */
export const everyRightSuite = (open: OpenMount, options: Options = {}): void => {
  const suites = {
    ...KEPT_SUITES,
    'the life of a key': keyLifeSuite,
    'keys of a device': deviceKeysSuite,
    'the account host': accountSuite,
    'the tools of the account MCP': mcpToolsSuite,
    usage: usageSuite,
    orders: ordersSuite,
    'the shop host': shopHostSuite,
    'a collect run': collectSuite,
    'the text of a document': documentWritingSuite,
  };
  runSuites(suites, open, options);
  runFeedSuites(open);
};

/** The suites about the service that open their own mounts, mostly for reaching limits. */
const runSuitesApart = (open: OpenMount): void => {
  runFeedSuites(open);
  describe('rate limits', () => {
    rateLimitsSuite(open);
    errorReportRateSuite(open);
  });
  describe('the limit of MCP messages', () => mcpLimitsSuite(open));
};

/** Runs the suites about the service, on engines whose mount and pipeline another run tests completely. */
export const everyEngineSuite = (open: OpenMount, options: Options = {}): void => {
  runSuites({ ...KEPT_SUITES, ...SERVICE_SUITES }, open, options);
  runSuitesApart(open);
};

/** Runs all suites. The cases share one mount, except that suites about limits open their own. */
export const everySuite = (open: OpenMount): void => {
  runSuites({ ...FIRST_SUITES, ...HTTP_SUITES, ...KEPT_SUITES, ...PIPELINE_SUITES, ...SERVICE_SUITES }, open, {});
  runSuitesApart(open);
  describe('pages of other origins', () => crossOriginSuite(open));
  describe('the rate limits of an IP address', () => addressLimitsSuite(open));
};
