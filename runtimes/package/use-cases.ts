/* A use case takes its ports as one object: `ConstructorParameters<typeof CheckLicense>[0]` is its type. */

export { type AnsweredOnce, AnswerOnce, type Request } from '../../application/access/answer-once.ts';
export { Authenticate } from '../../application/access/authenticate.ts';
export { AuthenticateAgent } from '../../application/access/authenticate-agent.ts';
export {
  type AgentTokenWish,
  CreateAgentToken,
  type CreatedAgentToken,
} from '../../application/access/create-agent-token.ts';
export { CreateApiKey, type CreatedKey } from '../../application/access/create-api-key.ts';
export { EndApiKey } from '../../application/access/end-api-key.ts';
export { type AddressCounter, FILES_PER_MINUTE, LimitAddress } from '../../application/access/limit-address.ts';
export { LimitRate, type OwnLimit, type RateLimitSettings } from '../../application/access/limit-rate.ts';
export { type EndStream, LimitStreams } from '../../application/access/limit-streams.ts';
export * from '../../application/access/list-agent-tokens.ts';
export { ListApiKeys } from '../../application/access/list-api-keys.ts';
export { RecordKeyUse } from '../../application/access/record-key-use.ts';
export * from '../../application/access/revoke-agent-token.ts';
export { RevokeApiKey } from '../../application/access/revoke-api-key.ts';
export * from '../../application/access/seen-requests.ts';
export { type AuditWish, ListAudit } from '../../application/audit/list-audit.ts';
export { CheckAppsSubscription } from '../../application/billing/check-apps-subscription.ts';
export { type InvoiceWish, ListInvoices } from '../../application/billing/list-invoices.ts';
export { ListOrders } from '../../application/billing/list-orders.ts';
export { ListPaymentMethods } from '../../application/billing/list-payment-methods.ts';
export { ListSubscriptions } from '../../application/billing/list-subscriptions.ts';
export * from '../../application/billing/order-view.ts';
export { ReadOrders } from '../../application/billing/read-orders.ts';
export { ShowOrder } from '../../application/billing/show-order.ts';
export * from '../../application/catalog/lineage-views.ts';
export { ListContentAssets } from '../../application/catalog/list-content-assets.ts';
export { ListLibrary } from '../../application/catalog/list-library.ts';
export { ListLineages } from '../../application/catalog/list-lineages.ts';
export { ListProducts } from '../../application/catalog/list-products.ts';
export { OpenContentAsset } from '../../application/catalog/open-content-asset.ts';
export { PictureLinks } from '../../application/catalog/picture-links.ts';
export { manualIn, ProductViews, productName, productView } from '../../application/catalog/product-views.ts';
export { SaveSetupProgress } from '../../application/catalog/save-setup-progress.ts';
export { ShowDisclosure } from '../../application/catalog/show-disclosure.ts';
export { ShowLineage } from '../../application/catalog/show-lineage.ts';
export { ShowProduct } from '../../application/catalog/show-product.ts';
export { ShowProductDetail } from '../../application/catalog/show-product-detail.ts';
export { ShowSetupProgress } from '../../application/catalog/show-setup-progress.ts';
export { AddAsset, type AddedAsset } from '../../application/collect/add-asset.ts';
export { AddCapture, type AddedCapture, type CaptureFields } from '../../application/collect/add-capture.ts';
export * from '../../application/collect/collect-settings.ts';
export { FailRun } from '../../application/collect/fail-run.ts';
export { type ListedRun, ListRuns } from '../../application/collect/list-runs.ts';
export { OpenRun } from '../../application/collect/open-run.ts';
export * from '../../application/collect/own-run.ts';
export * from '../../application/collect/read-capture.ts';
export * from '../../application/collect/read-head.ts';
export * from '../../application/collect/renew-lease.ts';
export * from '../../application/collect/replay-run.ts';
export { RequeueRun } from '../../application/collect/requeue-run.ts';
export * from '../../application/collect/run-view.ts';
export { ShowRun } from '../../application/collect/show-run.ts';
export * from '../../application/collect/sign-uploads.ts';
export * from '../../application/collect/style-sheets.ts';
export { SubmitRun } from '../../application/collect/submit-run.ts';
export { CheckUpdate } from '../../application/delivery/check-update.ts';
export { DownloadRelease } from '../../application/delivery/download-release.ts';
export { ListReleases, notesIn } from '../../application/delivery/list-releases.ts';
export { OpenBundle } from '../../application/delivery/open-bundle.ts';
export { type InstallPlan, PlanInstall } from '../../application/delivery/plan-install.ts';
export { ReleaseTickets, type TicketHolder } from '../../application/delivery/release-tickets.ts';
export { ShowAppcast } from '../../application/delivery/show-appcast.ts';
export { channelView, ShowSupply } from '../../application/delivery/show-supply.ts';
export * from '../../application/delivery/sign-file.ts';
export { BulkActivate } from '../../application/devices/bulk-activate.ts';
export { bundleView, ListBundles, ownsBundle } from '../../application/devices/list-bundles.ts';
export { RecordInstall } from '../../application/devices/record-install.ts';
export { ReleaseSlots } from '../../application/devices/release-slots.ts';
export { ShowDeviceEntitlements } from '../../application/devices/show-device-entitlements.ts';
export { SignOutDevice } from '../../application/devices/sign-out-device.ts';
export { UploadUsage } from '../../application/devices/upload-usage.ts';
export * from '../../application/documents/browse-documents.ts';
export * from '../../application/documents/browse-versions.ts';
export { CreateDocumentVersion } from '../../application/documents/create-document-version.ts';
export * from '../../application/documents/list-document-versions.ts';
export * from '../../application/documents/list-pending-reviews.ts';
export { ReviewDocumentVersion } from '../../application/documents/review-document-version.ts';
export * from '../../application/documents/show-document.ts';
export { ShowManifest } from '../../application/documents/show-manifest.ts';
export { SubmitDocumentVersion } from '../../application/documents/submit-document-version.ts';
export { type CountedApp, ListApps } from '../../application/gallery/list-apps.ts';
export { ListPatterns } from '../../application/gallery/list-patterns.ts';
export * from '../../application/gallery/screen-filter.ts';
export { type FoundScreens, type ScreenSearch, SearchScreens } from '../../application/gallery/search-screens.ts';
export { ShowApp, type ShownApp } from '../../application/gallery/show-app.ts';
export { ShowScreen } from '../../application/gallery/show-screen.ts';
export { ShowTaxonomy } from '../../application/gallery/show-taxonomy.ts';
export * from '../../application/gallery/views.ts';
export { CheckLicense } from '../../application/licensing/check-license.ts';
export { GrantEntitlement, type GrantWish } from '../../application/licensing/grant-entitlement.ts';
export { type Decided, LicenseTokens } from '../../application/licensing/license-tokens.ts';
export { ReadAccess } from '../../application/licensing/read-access.ts';
export { RevokeLicenseDevice } from '../../application/licensing/revoke-license-device.ts';
export { type Found, SeatDevice } from '../../application/licensing/seat-device.ts';
export { ShowLicense } from '../../application/licensing/show-license.ts';
export { AddAccount } from '../../application/operations/add-account.ts';
export { type ChangedRelease, ChangeRelease } from '../../application/operations/change-release.ts';
export * from '../../application/operations/changed-meanwhile.ts';
export {
  type CheckedFiles,
  CheckFiles,
  type FaultyFile,
  type FilesCheck,
} from '../../application/operations/check-files.ts';
export { type CheckedStore, CheckStore, type StoreToImport } from '../../application/operations/check-store.ts';
export { type DescribedOrder, DescribeOrder } from '../../application/operations/describe-order.ts';
export { type DescribedProduct, DescribeProduct } from '../../application/operations/describe-product.ts';
export {
  type DescribedSubscription,
  DescribeSubscription,
} from '../../application/operations/describe-subscription.ts';
export * from '../../application/operations/each-account.ts';
export { EraseAccount, type ErasedAccount } from '../../application/operations/erase-account.ts';
export { type Exported, ExportStore } from '../../application/operations/export-store.ts';
export { type ExtendedGrant, ExtendGrant } from '../../application/operations/extend-grant.ts';
export * from '../../application/operations/file-faults.ts';
export { artifactFault, FileIntake } from '../../application/operations/file-intake.ts';
export { FindAccount } from '../../application/operations/find-account.ts';
export { type FoundGrant, findGrant } from '../../application/operations/find-grant.ts';
export { FindOrder } from '../../application/operations/find-order.ts';
export { FindProduct } from '../../application/operations/find-product.ts';
export { FindStoredFiles, type NamedObject } from '../../application/operations/find-stored-files.ts';
export * from '../../application/operations/found-files.ts';
export * from '../../application/operations/import-counts.ts';
export { ImportStore, refuseDocument } from '../../application/operations/import-store.ts';
export {
  ListAccountDevices,
  type ListedDevice,
  type ListedDevices,
} from '../../application/operations/list-account-devices.ts';
export { ListAccounts } from '../../application/operations/list-accounts.ts';
export { ListGrants } from '../../application/operations/list-grants.ts';
export { type ListedRelease, ListProductReleases } from '../../application/operations/list-product-releases.ts';
export { ListShopOrders } from '../../application/operations/list-shop-orders.ts';
export { type ListedProduct, ListShopProducts, type Sales } from '../../application/operations/list-shop-products.ts';
export {
  type ListedSubscription,
  ListShopSubscriptions,
} from '../../application/operations/list-shop-subscriptions.ts';
export { type MendedFiles, MendFiles } from '../../application/operations/mend-files.ts';
export { MendOwners } from '../../application/operations/mend-owners.ts';
export { MendTickets } from '../../application/operations/mend-tickets.ts';
export * from '../../application/operations/missing.ts';
export * from '../../application/operations/progress.ts';
export {
  type PublishedFile,
  type PublishRefusal,
  PublishRelease,
  type PublishWish,
} from '../../application/operations/publish-release.ts';
export * from '../../application/operations/read-artifact.ts';
export * from '../../application/operations/record-faults.ts';
export { RecordWriter } from '../../application/operations/record-writer.ts';
export { type RefundedOrder, RefundOrder } from '../../application/operations/refund-order.ts';
export { ReleaseAccountDevice, type ReleasedDevice } from '../../application/operations/release-account-device.ts';
export { ReleaseWriter } from '../../application/operations/release-writer.ts';
export { RenameAccount, type RenamedAccount } from '../../application/operations/rename-account.ts';
export { ResetPassword } from '../../application/operations/reset-password.ts';
export { RestoreDevice, type RestoredDevice } from '../../application/operations/restore-device.ts';
export { type RevokedGrant, RevokeGrant } from '../../application/operations/revoke-grant.ts';
export { type LiftAgreed, type PolicySet, refusePolicy, SetPolicy } from '../../application/operations/set-policy.ts';
export { ShowAccount, type ShownAccount } from '../../application/operations/show-account.ts';
export { type ShownUsage, ShowUsage } from '../../application/operations/show-usage.ts';
export * from '../../application/operations/signature-warnings.ts';
export { SuspendAccount, type SuspendedAccount } from '../../application/operations/suspend-account.ts';
export { WithdrawDevice, type WithdrawnDevice } from '../../application/operations/withdraw-device.ts';
export { ShowClientConfig, type Signed } from '../../application/policy/show-client-config.ts';
export * from '../../application/shared/download.ts';
export * from '../../application/shared/received-file.ts';
export * from '../../application/shared/settled.ts';
export { AuthenticateToken } from '../../application/sign-in/authenticate-token.ts';
export { BeginUpstreamSignIn, type BegunUpstreamSignIn } from '../../application/sign-in/begin-upstream-sign-in.ts';
export { CountAttempts, type CountedAttempt } from '../../application/sign-in/count-attempts.ts';
export { type CreatedSignInLink, CreateSignInLink } from '../../application/sign-in/create-sign-in-link.ts';
export { DecideDeviceSignIn } from '../../application/sign-in/decide-device-sign-in.ts';
export { DisconnectApp } from '../../application/sign-in/disconnect-app.ts';
export { EndOtherSessions } from '../../application/sign-in/end-other-sessions.ts';
export { EndOwnSession } from '../../application/sign-in/end-own-session.ts';
export { EndSession } from '../../application/sign-in/end-session.ts';
export { EndUnusedApps } from '../../application/sign-in/end-unused-apps.ts';
export { FindDeviceSignIn } from '../../application/sign-in/find-device-sign-in.ts';
export { FindReplacedKey } from '../../application/sign-in/find-replaced-key.ts';
export { FindSession } from '../../application/sign-in/find-session.ts';
export { type AccountRefusal, FinishUpstreamSignIn } from '../../application/sign-in/finish-upstream-sign-in.ts';
export * from '../../application/sign-in/is-secret.ts';
export { ListConnectedApps } from '../../application/sign-in/list-connected-apps.ts';
export { ListOwnDevices, type OwnDevice, type ProductDevices } from '../../application/sign-in/list-own-devices.ts';
export { ListPurchases, type Purchase } from '../../application/sign-in/list-purchases.ts';
export { ListSessions } from '../../application/sign-in/list-sessions.ts';
export { type OpenedSession, OpenSession } from '../../application/sign-in/open-session.ts';
export { PeekSignInLink } from '../../application/sign-in/peek-sign-in-link.ts';
export {
  RedeemDeviceSignIn,
  type RedeemRefusal,
  type Waiting,
} from '../../application/sign-in/redeem-device-sign-in.ts';
export { ReleaseDevice } from '../../application/sign-in/release-device.ts';
export { RememberBrowser } from '../../application/sign-in/remember-browser.ts';
export { RevokeOwnKey } from '../../application/sign-in/revoke-own-key.ts';
export { type HashRefusal, SetPassword } from '../../application/sign-in/set-password.ts';
export { SignInWithPassword } from '../../application/sign-in/sign-in-with-password.ts';
export { StartDeviceSignIn, type StartedDeviceSignIn } from '../../application/sign-in/start-device-sign-in.ts';
export { UseSignInLink } from '../../application/sign-in/use-sign-in-link.ts';
export { ActivateSigningKey, type Activation } from '../../application/signing/activate-signing-key.ts';
export { CreateSigningKey } from '../../application/signing/create-signing-key.ts';
export { ListVerificationKeys } from '../../application/signing/list-verification-keys.ts';
export { RevokeSigningKey } from '../../application/signing/revoke-signing-key.ts';
export { type AnsweredTicket, AnswerTicket } from '../../application/support/answer-ticket.ts';
export { type ClosedTicket, CloseTicket } from '../../application/support/close-ticket.ts';
export * from '../../application/support/kept-files.ts';
export { ListOwnTickets, OWN_TICKETS, type OwnTicket } from '../../application/support/list-own-tickets.ts';
export { type ListedReport, ListReports, type ReportWish } from '../../application/support/list-reports.ts';
export { type OpenedFile, OpenReportFile } from '../../application/support/open-report-file.ts';
export { ReceiveErrorReport } from '../../application/support/receive-error-report.ts';
export { ReceiveSupportReport } from '../../application/support/receive-support-report.ts';
export * from '../../application/support/recent-reports.ts';
export { type ReopenedTicket, ReopenTicket } from '../../application/support/reopen-ticket.ts';
export { type ShownReport, ShowReport } from '../../application/support/show-report.ts';
