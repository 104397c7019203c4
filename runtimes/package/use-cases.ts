/* A use case takes its ports as one object: `ConstructorParameters<typeof CheckLicense>[0]` is its type. */

export { type AnsweredOnce, type AnswerOnce, answerOnce, type Request } from '../../application/access/answer-once.ts';
export { type Authenticate, authenticate } from '../../application/access/authenticate.ts';
export { type AuthenticateAgent, authenticateAgent } from '../../application/access/authenticate-agent.ts';
export {
  type AgentTokenWish,
  type CreateAgentToken,
  type CreatedAgentToken,
  createAgentToken,
} from '../../application/access/create-agent-token.ts';
export { type CreateApiKey, type CreatedKey, createApiKey } from '../../application/access/create-api-key.ts';
export { type EndApiKey, endApiKey } from '../../application/access/end-api-key.ts';
export {
  type AddressCounter,
  FILES_PER_MINUTE,
  type LimitAddress,
  limitAddress,
} from '../../application/access/limit-address.ts';
export {
  type LimitRate,
  limitRate,
  type OwnLimit,
  type RateLimitSettings,
} from '../../application/access/limit-rate.ts';
export { type EndStream, type LimitStreams, limitStreams } from '../../application/access/limit-streams.ts';
export * from '../../application/access/list-agent-tokens.ts';
export { type ListApiKeys, listApiKeys } from '../../application/access/list-api-keys.ts';
export {
  type LicenseKeyWish,
  type MadeLicenseKey,
  type MakeLicenseKey,
  makeLicenseKey,
} from '../../application/access/make-license-key.ts';
export { type RecordKeyUse, recordKeyUse } from '../../application/access/record-key-use.ts';
export * from '../../application/access/revoke-agent-token.ts';
export { type RevokeApiKey, revokeApiKey } from '../../application/access/revoke-api-key.ts';
export { type AuditWish, type ListAudit, listAudit } from '../../application/audit/list-audit.ts';
export {
  type CheckAppsSubscription,
  checkAppsSubscription,
} from '../../application/billing/check-apps-subscription.ts';
export { type InvoiceWish, type ListInvoices, listInvoices } from '../../application/billing/list-invoices.ts';
export { type ListOrders, listOrders } from '../../application/billing/list-orders.ts';
export { type ListPaymentMethods, listPaymentMethods } from '../../application/billing/list-payment-methods.ts';
export { type ListSubscriptions, listSubscriptions } from '../../application/billing/list-subscriptions.ts';
export * from '../../application/billing/order-view.ts';
export { type ReadOrders, readOrders } from '../../application/billing/read-orders.ts';
export { type ShowOrder, showOrder } from '../../application/billing/show-order.ts';
export * from '../../application/catalog/lineage-views.ts';
export { type ListContentAssets, listContentAssets } from '../../application/catalog/list-content-assets.ts';
export { type ListLibrary, listLibrary } from '../../application/catalog/list-library.ts';
export { type ListLineages, listLineages } from '../../application/catalog/list-lineages.ts';
export { type ListProducts, listProducts } from '../../application/catalog/list-products.ts';
export { type OpenContentAsset, openContentAsset } from '../../application/catalog/open-content-asset.ts';
export { type PictureLinks, pictureLinks } from '../../application/catalog/picture-links.ts';
export {
  manualIn,
  type ProductViews,
  productName,
  productView,
  productViews,
} from '../../application/catalog/product-views.ts';
export { type SaveSetupProgress, saveSetupProgress } from '../../application/catalog/save-setup-progress.ts';
export { type ShowDisclosure, showDisclosure } from '../../application/catalog/show-disclosure.ts';
export { type ShowLineage, showLineage } from '../../application/catalog/show-lineage.ts';
export { type ShowProduct, showProduct } from '../../application/catalog/show-product.ts';
export { type ShowProductDetail, showProductDetail } from '../../application/catalog/show-product-detail.ts';
export { type ShowSetupProgress, showSetupProgress } from '../../application/catalog/show-setup-progress.ts';
export { type AddAsset, type AddedAsset, addAsset } from '../../application/collect/add-asset.ts';
export {
  type AddCapture,
  type AddedCapture,
  addCapture,
  type CaptureFields,
} from '../../application/collect/add-capture.ts';
export * from '../../application/collect/collect-settings.ts';
export { type FailRun, failRun } from '../../application/collect/fail-run.ts';
export { type ListedRun, type ListRuns, listRuns } from '../../application/collect/list-runs.ts';
export { type OpenRun, openRun } from '../../application/collect/open-run.ts';
export * from '../../application/collect/own-run.ts';
export * from '../../application/collect/read-capture.ts';
export * from '../../application/collect/read-head.ts';
export * from '../../application/collect/renew-lease.ts';
export * from '../../application/collect/replay-run.ts';
export { type RequeueRun, requeueRun } from '../../application/collect/requeue-run.ts';
export * from '../../application/collect/run-view.ts';
export { type ShowRun, showRun } from '../../application/collect/show-run.ts';
export * from '../../application/collect/sign-uploads.ts';
export * from '../../application/collect/style-sheets.ts';
export { type SubmitRun, submitRun } from '../../application/collect/submit-run.ts';
export { type CheckUpdate, checkUpdate } from '../../application/delivery/check-update.ts';
export { type DownloadRelease, downloadRelease } from '../../application/delivery/download-release.ts';
export { type ListReleases, listReleases, notesIn } from '../../application/delivery/list-releases.ts';
export { type OpenBundle, openBundle } from '../../application/delivery/open-bundle.ts';
export { type OpenUpdateFile, openUpdateFile, type UpdateFile } from '../../application/delivery/open-update-file.ts';
export { type InstallPlan, type PlanInstall, planInstall } from '../../application/delivery/plan-install.ts';
export { type FeedSource, readFeed } from '../../application/delivery/read-feed.ts';
export { type ReleaseTickets, releaseTickets, type TicketHolder } from '../../application/delivery/release-tickets.ts';
export { type ShowAppcast, showAppcast } from '../../application/delivery/show-appcast.ts';
export { channelView, type ShowSupply, showSupply } from '../../application/delivery/show-supply.ts';
export { type ShowTauriUpdate, showTauriUpdate } from '../../application/delivery/show-tauri-update.ts';
export * from '../../application/delivery/sign-file.ts';
export { type BulkActivate, bulkActivate } from '../../application/devices/bulk-activate.ts';
export { bundleView, type ListBundles, listBundles, ownsBundle } from '../../application/devices/list-bundles.ts';
export { type NewestInstall, newestInstalls } from '../../application/devices/newest-installs.ts';
export { type RecordInstall, recordInstall } from '../../application/devices/record-install.ts';
export { type ReleaseSlots, releaseSlots } from '../../application/devices/release-slots.ts';
export {
  type ShowDeviceEntitlements,
  showDeviceEntitlements,
} from '../../application/devices/show-device-entitlements.ts';
export { type SignOutDevice, signOutDevice } from '../../application/devices/sign-out-device.ts';
export { type UploadUsage, uploadUsage } from '../../application/devices/upload-usage.ts';
export * from '../../application/documents/browse-documents.ts';
export * from '../../application/documents/browse-versions.ts';
export {
  type CreateDocumentVersion,
  createDocumentVersion,
} from '../../application/documents/create-document-version.ts';
export * from '../../application/documents/list-document-versions.ts';
export * from '../../application/documents/list-pending-reviews.ts';
export {
  type ReviewDocumentVersion,
  reviewDocumentVersion,
} from '../../application/documents/review-document-version.ts';
export * from '../../application/documents/show-document.ts';
export { type ShowManifest, showManifest } from '../../application/documents/show-manifest.ts';
export {
  type SubmitDocumentVersion,
  submitDocumentVersion,
} from '../../application/documents/submit-document-version.ts';
export { type CountedApp, type ListApps, listApps } from '../../application/gallery/list-apps.ts';
export { type ListPatterns, listPatterns } from '../../application/gallery/list-patterns.ts';
export * from '../../application/gallery/screen-filter.ts';
export {
  type FoundScreens,
  type ScreenSearch,
  type SearchScreens,
  searchScreens,
} from '../../application/gallery/search-screens.ts';
export { type ShowApp, type ShownApp, showApp } from '../../application/gallery/show-app.ts';
export { type ShowScreen, showScreen } from '../../application/gallery/show-screen.ts';
export { type ShowTaxonomy, showTaxonomy } from '../../application/gallery/show-taxonomy.ts';
export * from '../../application/gallery/views.ts';
export { type CheckLicense, checkLicense } from '../../application/licensing/check-license.ts';
export {
  type GrantEntitlement,
  type GrantWish,
  grantEntitlement,
} from '../../application/licensing/grant-entitlement.ts';
export {
  type ImportedKeys,
  type ImportLicenseKeys,
  importLicenseKeys,
} from '../../application/licensing/import-license-keys.ts';
export { type ReadAccess, readAccess } from '../../application/licensing/read-access.ts';
export { type RevokeLicenseDevice, revokeLicenseDevice } from '../../application/licensing/revoke-license-device.ts';
export { type SeatDevice, type SeatReads, seatDevice } from '../../application/licensing/seat-device.ts';
export { type ShowLicense, showLicense } from '../../application/licensing/show-license.ts';
export { messageFacts, recipientOf } from '../../application/mail/message-facts.ts';
export { type SendNextMessage, type Sent, sendNextMessage } from '../../application/mail/send-next-message.ts';
export * from '../../application/operations/accounts.ts';
export * from '../../application/operations/change-release.ts';
export * from '../../application/operations/check-store.ts';
export * from '../../application/operations/devices.ts';
export * from '../../application/operations/document-files.ts';
export * from '../../application/operations/export-store.ts';
export * from '../../application/operations/grants.ts';
export * from '../../application/operations/import-store.ts';
export * from '../../application/operations/mend-records.ts';
export * from '../../application/operations/orders.ts';
export * from '../../application/operations/products.ts';
export * from '../../application/operations/progress.ts';
export * from '../../application/operations/publish-release.ts';
export * from '../../application/operations/record-writer.ts';
export * from '../../application/operations/set-policy.ts';
export * from '../../application/operations/show-account.ts';
export * from '../../application/operations/stored-files.ts';
export * from '../../application/operations/subscriptions.ts';
export {
  type ShowClientConfig,
  type SignedPolicy,
  showClientConfig,
} from '../../application/policy/show-client-config.ts';
export { findBuyer } from '../../application/sales/find-buyer.ts';
export {
  type ListEvents,
  type ListedEvent,
  listEvents,
  type ReplayEvents,
  replayEvents,
} from '../../application/sales/payment-events.ts';
export {
  type Received as ReceivedEvent,
  type ReceiveEvent,
  receiveEvent,
} from '../../application/sales/receive-event.ts';
export { type RecordedSale, type RecordSale, recordSale } from '../../application/sales/record-sale.ts';
export { type SettleEvent, settleEvent } from '../../application/sales/settle-event.ts';
export * from '../../application/shared/download.ts';
export * from '../../application/shared/received-file.ts';
export { bothSteps, type Clearance, type Step, type TwoSteps } from '../../application/shared/steps.ts';
export * from '../../application/sign-in/authenticate-token.ts';
export * from '../../application/sign-in/connected-apps.ts';
export * from '../../application/sign-in/count-attempts.ts';
export * from '../../application/sign-in/device-sign-in.ts';
export * from '../../application/sign-in/list-purchases.ts';
export * from '../../application/sign-in/own-devices.ts';
export * from '../../application/sign-in/own-keys.ts';
export * from '../../application/sign-in/passwords.ts';
export * from '../../application/sign-in/sessions.ts';
export * from '../../application/sign-in/sign-in-links.ts';
export * from '../../application/sign-in/upstream-sign-in.ts';
export {
  type ActivateSigningKey,
  type Activation,
  activateSigningKey,
} from '../../application/signing/activate-signing-key.ts';
export { type CreateSigningKey, createSigningKey } from '../../application/signing/create-signing-key.ts';
export { type ListVerificationKeys, listVerificationKeys } from '../../application/signing/list-verification-keys.ts';
export { type RevokeSigningKey, revokeSigningKey } from '../../application/signing/revoke-signing-key.ts';
export { type AnsweredTicket, type AnswerTicket, answerTicket } from '../../application/support/answer-ticket.ts';
export { type ClosedTicket, type CloseTicket, closeTicket } from '../../application/support/close-ticket.ts';
export * from '../../application/support/kept-files.ts';
export {
  type ListOwnTickets,
  listOwnTickets,
  OWN_TICKETS,
  type OwnTicket,
} from '../../application/support/list-own-tickets.ts';
export {
  type ListedReport,
  type ListReports,
  listReports,
  type ReportWish,
} from '../../application/support/list-reports.ts';
export { type OpenedFile, type OpenReportFile, openReportFile } from '../../application/support/open-report-file.ts';
export { type ReceiveErrorReport, receiveErrorReport } from '../../application/support/receive-error-report.ts';
export { type ReceiveSupportReport, receiveSupportReport } from '../../application/support/receive-support-report.ts';
export * from '../../application/support/recent-reports.ts';
export { type ReopenedTicket, type ReopenTicket, reopenTicket } from '../../application/support/reopen-ticket.ts';
export { type ShownReport, type ShowReport, showReport } from '../../application/support/show-report.ts';
