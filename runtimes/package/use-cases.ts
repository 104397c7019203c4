/*
 * A use case takes its ports as one object: `Parameters<typeof checkLicense>[0]` is its type, and
 * `ReturnType<typeof checkLicense>` the type of the use case itself.
 */

export * from '../../application/access/agent-tokens.ts';
export * from '../../application/access/answer-once.ts';
export * from '../../application/access/api-keys.ts';
export * from '../../application/access/authenticate.ts';
export * from '../../application/access/limit-rate.ts';
export { type AuditWish, type ListAudit, listAudit } from '../../application/audit/list-audit.ts';
export * from '../../application/billing/orders.ts';
export * from '../../application/billing/payments.ts';
export * from '../../application/billing/subscriptions.ts';
export * from '../../application/catalog/library.ts';
export * from '../../application/catalog/product-views.ts';
export * from '../../application/catalog/products.ts';
export * from '../../application/catalog/public.ts';
export * from '../../application/catalog/setup-progress.ts';
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
export * from '../../application/delivery/feeds.ts';
export * from '../../application/delivery/offers.ts';
export * from '../../application/delivery/show-supply.ts';
export * from '../../application/devices/bulk-activate.ts';
export * from '../../application/devices/entitlements.ts';
export * from '../../application/devices/sign-out.ts';
export * from '../../application/devices/slots.ts';
export * from '../../application/devices/usage.ts';
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
export * from '../../application/licensing/access.ts';
export * from '../../application/licensing/check-license.ts';
export * from '../../application/licensing/license-keys.ts';
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
export * from '../../application/policy/show-client-config.ts';
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
export * from '../../application/shared/files.ts';
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
export * from '../../application/signing/signing-keys.ts';
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
