/*
 * A use case takes its ports as one object: `Parameters<typeof checkLicense>[0]` is its type, and
 * `ReturnType<typeof checkLicense>` the type of the use case itself. The types of its input are exported here, or by the
 * entries of rules and ports.
 */

export * from '../../application/access/agent-tokens.ts';
export * from '../../application/access/answer-once.ts';
export * from '../../application/access/api-keys.ts';
export * from '../../application/access/authenticate.ts';
export * from '../../application/access/limit-rate.ts';
export * from '../../application/access/members.ts';
export * from '../../application/access/own-keys.ts';
export * from '../../application/accounts/accounts.ts';
export * from '../../application/accounts/email-change.ts';
export * from '../../application/accounts/own-account.ts';
export * from '../../application/accounts/own-data.ts';
export { type AuditInput, type ListAudit, listAudit } from '../../application/audit/list-audit.ts';
export * from '../../application/billing/list-purchases.ts';
export * from '../../application/billing/orders.ts';
export * from '../../application/billing/payments.ts';
export * from '../../application/billing/shop-orders.ts';
export * from '../../application/billing/shop-sales.ts';
export * from '../../application/billing/subscriptions.ts';
export * from '../../application/billing/withdrawal.ts';
export * from '../../application/catalog/guides.ts';
export * from '../../application/catalog/library.ts';
export * from '../../application/catalog/product-views.ts';
export * from '../../application/catalog/products.ts';
export * from '../../application/catalog/public.ts';
export * from '../../application/catalog/setup-progress.ts';
export * from '../../application/catalog/shop-products.ts';
export * from '../../application/delivery/feeds.ts';
export * from '../../application/delivery/offers.ts';
export * from '../../application/delivery/releases.ts';
export * from '../../application/delivery/show-supply.ts';
export * from '../../application/design/collect/replay-run.ts';
export * from '../../application/design/collect/runs.ts';
export * from '../../application/design/collect/uploads.ts';
export * from '../../application/design/documents/browse.ts';
export * from '../../application/design/documents/versions.ts';
export * from '../../application/design/gallery/browse.ts';
export * from '../../application/design/gallery/views.ts';
export * from '../../application/devices/account-devices.ts';
export * from '../../application/devices/bulk-activate.ts';
export * from '../../application/devices/entitlements.ts';
export * from '../../application/devices/own-devices.ts';
export * from '../../application/devices/release-device.ts';
export * from '../../application/devices/sign-out.ts';
export * from '../../application/devices/slots.ts';
export * from '../../application/devices/usage.ts';
export * from '../../application/devices/versions-in-use.ts';
export * from '../../application/licensing/access.ts';
export * from '../../application/licensing/check-license.ts';
export * from '../../application/licensing/claim-key.ts';
export * from '../../application/licensing/export-offline.ts';
export * from '../../application/licensing/grants.ts';
export * from '../../application/licensing/key-batches.ts';
export * from '../../application/licensing/leases.ts';
export * from '../../application/licensing/license-answer.ts';
export * from '../../application/licensing/license-keys.ts';
export * from '../../application/licensing/transfer.ts';
export * from '../../application/licensing/trials.ts';
export { countUnsent } from '../../application/mail/count-unsent.ts';
export { messageFacts, recipientOf } from '../../application/mail/message-facts.ts';
export * from '../../application/mail/preview-mail.ts';
export { type SendNextMessage, type Sent, sendNextMessage } from '../../application/mail/send-next-message.ts';
export * from '../../application/mail/shop-letter.ts';
export * from '../../application/notices/notice-facts.ts';
export * from '../../application/notices/notices.ts';
export * from '../../application/policy/set-policy.ts';
export * from '../../application/policy/show-client-config.ts';
export { type AskProviders, askProviders } from '../../application/sales/ask-providers.ts';
export { findBuyer } from '../../application/sales/find-buyer.ts';
export {
  type ListEvents,
  type ListedEvent,
  type ListInput as ListEventsInput,
  listEvents,
  type NamedEvent,
  type ReplayEvents,
  type ReplayInput as ReplayEventsInput,
  replayEvents,
  type ShowEvent,
  showEvent,
} from '../../application/sales/payment-events.ts';
export {
  type Input as ReceivedEventInput,
  type Received as ReceivedEvent,
  type ReceiveEvent,
  receiveEvent,
} from '../../application/sales/receive-event.ts';
export {
  type NewSaleInput,
  type RecordedSale,
  type RecordingInput,
  type RecordSale,
  recordSale,
} from '../../application/sales/record-sale.ts';
export { searchShop } from '../../application/sales/search-shop.ts';
export { type SettleEvent, settleEvent } from '../../application/sales/settle-event.ts';
export { settleOrder } from '../../application/sales/settle-order.ts';
export { type SyncedSales, type SyncInput, type SyncSales, syncSales } from '../../application/sales/sync-sales.ts';
export * from '../../application/shared/files.ts';
export * from '../../application/shared/progress.ts';
export { bothSteps, type Clearance, type Step, type TwoSteps } from '../../application/shared/steps.ts';
export type { Made, Makers } from '../../application/shared/use-cases.ts';
export * from '../../application/sign-in/authenticate-token.ts';
export * from '../../application/sign-in/connected-apps.ts';
export * from '../../application/sign-in/count-attempts.ts';
export * from '../../application/sign-in/device-sign-in.ts';
export * from '../../application/sign-in/drafts.ts';
export * from '../../application/sign-in/passkeys.ts';
export * from '../../application/sign-in/passwords.ts';
export * from '../../application/sign-in/sessions.ts';
export * from '../../application/sign-in/sign-in-links.ts';
export * from '../../application/sign-in/upstream-sign-in.ts';
export * from '../../application/sign-in/ways-in.ts';
export * from '../../application/signing/signing-keys.ts';
export * from '../../application/store-document/document-files.ts';
export * from '../../application/store-document/edit-catalog.ts';
export * from '../../application/store-document/export-store.ts';
export * from '../../application/store-document/import-store.ts';
export * from '../../application/store-document/record-writer.ts';
export * from '../../application/store-document/stored-files.ts';
export * from '../../application/support/kept-files.ts';
export * from '../../application/support/receive-error-report.ts';
export * from '../../application/support/receive-support-report.ts';
export * from '../../application/support/reports.ts';
export * from '../../application/support/tickets.ts';
export * from '../../application/teams/teams.ts';
export * from '../../application/webhooks/send-deliveries.ts';
export * from '../../application/webhooks/webhooks.ts';
