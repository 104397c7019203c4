export * from '../../domain/access/abilities.ts';
export * from '../../domain/access/actor.ts';
export * from '../../domain/access/agent-token.ts';
export * from '../../domain/access/api-key.ts';
export * from '../../domain/access/device-keys.ts';
export * from '../../domain/access/grant-permit.ts';
export * from '../../domain/access/key-quota.ts';
export * from '../../domain/access/license-key.ts';
export * from '../../domain/access/new-key.ts';
export * from '../../domain/access/permit.ts';
export * from '../../domain/access/principal.ts';
export * from '../../domain/access/rate-limit.ts';
export * from '../../domain/access/replay.ts';
export * from '../../domain/access/stream-limit.ts';
export * from '../../domain/accounts/account.ts';
export * from '../../domain/accounts/erasure.ts';
export * from '../../domain/accounts/password-hash.ts';
export * from '../../domain/audit/actions.ts';
export * from '../../domain/audit/bounds.ts';
export {
  AUDIT_DAYS,
  type AuditEntry,
  type AuditFilter,
  forgottenAt as auditForgottenAt,
  isAskedFor,
} from '../../domain/audit/entry.ts';
export * from '../../domain/audit/event.ts';
export * from '../../domain/billing/apps-subscription.ts';
export * from '../../domain/billing/erased-sale.ts';
export * from '../../domain/billing/invoice.ts';
export * from '../../domain/billing/money.ts';
export * from '../../domain/billing/order.ts';
export * from '../../domain/billing/ordered-products.ts';
export * from '../../domain/billing/payment-method.ts';
export * from '../../domain/billing/refund.ts';
export * from '../../domain/billing/refund-order.ts';
export * from '../../domain/billing/sold-units.ts';
export * from '../../domain/billing/subscription-reason.ts';
export * from '../../domain/billing/subscription-standing.ts';
export * from '../../domain/billing/withdrawal.ts';
export * from '../../domain/catalog/browse.ts';
export * from '../../domain/catalog/catalog.ts';
export * from '../../domain/catalog/delivery-manifest.ts';
export * from '../../domain/catalog/disclosure.ts';
export * from '../../domain/catalog/lineage.ts';
export * from '../../domain/catalog/pictures.ts';
export * from '../../domain/catalog/platform.ts';
export * from '../../domain/catalog/price.ts';
export * from '../../domain/catalog/product.ts';
export * from '../../domain/catalog/product-named.ts';
export * from '../../domain/catalog/setup-progress.ts';
export * from '../../domain/catalog/storefront.ts';
export * from '../../domain/catalog/version-scheme.ts';
export * from '../../domain/collect/capture.ts';
export * from '../../domain/collect/image-bounds.ts';
export * from '../../domain/collect/lease.ts';
export * from '../../domain/collect/promised-file.ts';
export * from '../../domain/collect/run.ts';
export * from '../../domain/collect/run-rules.ts';
export * from '../../domain/collect/upload-text.ts';
export * from '../../domain/delivery/appcast.ts';
export * from '../../domain/delivery/artifact-format.ts';
export * from '../../domain/delivery/channel.ts';
export * from '../../domain/delivery/feed-access.ts';
export * from '../../domain/delivery/feed-builds.ts';
export * from '../../domain/delivery/feed-faults.ts';
export * from '../../domain/delivery/feed-files.ts';
export * from '../../domain/delivery/feed-publication.ts';
export * from '../../domain/delivery/notes-html.ts';
export * from '../../domain/delivery/object-key.ts';
export * from '../../domain/delivery/offered-release.ts';
export * from '../../domain/delivery/own-release.ts';
export * from '../../domain/delivery/product-gaps.ts';
export * from '../../domain/delivery/publication.ts';
export * from '../../domain/delivery/publishing.ts';
export * from '../../domain/delivery/release.ts';
export * from '../../domain/delivery/release-change.ts';
export * from '../../domain/delivery/release-file.ts';
export * from '../../domain/delivery/sparkle-terms.ts';
export * from '../../domain/delivery/sparkle-terms-faults.ts';
export * from '../../domain/delivery/supply.ts';
export * from '../../domain/delivery/supply-releases.ts';
export * from '../../domain/delivery/update-feeds.ts';
export * from '../../domain/delivery/updater-signature.ts';
export * from '../../domain/delivery/version-order.ts';
export * from '../../domain/devices/device.ts';
export {
  INSTALLS_A_DAY,
  INSTALLS_KEPT_DAYS,
  type InstallRecord,
  type InstallReport,
  installFaults as installRecordFaults,
  installForgottenAt,
  installRecord,
} from '../../domain/devices/install-record.ts';
export * from '../../domain/devices/product-use.ts';
export * from '../../domain/devices/seat.ts';
export * from '../../domain/devices/usage.ts';
export * from '../../domain/documents/document.ts';
export * from '../../domain/documents/limits.ts';
export * from '../../domain/documents/markdown-title.ts';
export * from '../../domain/documents/skill.ts';
export * from '../../domain/documents/slug.ts';
export {
  type Agent as VersionAgent,
  type Draft,
  type DraftedVersion,
  drafted,
  type Judgement,
  judgeDocuments,
  judgeSlug,
  listedVersions,
  type ReviewedVersion,
  readable,
  reviewable,
  reviewed,
  submitted,
} from '../../domain/documents/version-life.ts';
export * from '../../domain/gallery/apps.ts';
export * from '../../domain/gallery/colors.ts';
export * from '../../domain/gallery/draft-of.ts';
export * from '../../domain/gallery/elements.ts';
export { NO_FILTER, type ScreenFilter, type ScreenOrder, SORTS as GALLERY_SORTS } from '../../domain/gallery/filter.ts';
export * from '../../domain/gallery/flow-of.ts';
export * from '../../domain/gallery/id-block.ts';
export * from '../../domain/gallery/page-type.ts';
export * from '../../domain/gallery/pattern-rules.ts';
export * from '../../domain/gallery/saving.ts';
export * from '../../domain/gallery/screen.ts';
export * from '../../domain/gallery/taxonomy.ts';
export * from '../../domain/gallery/terms.ts';
export * from '../../domain/gallery/terms-in-force.ts';
export * from '../../domain/gallery/variants.ts';
export * from '../../domain/gallery/words.ts';
export * from '../../domain/licensing/access.ts';
export * from '../../domain/licensing/account-products.ts';
export * from '../../domain/licensing/device-revocation.ts';
export * from '../../domain/licensing/earlier-license.ts';
export * from '../../domain/licensing/entitlement.ts';
export * from '../../domain/licensing/grant-change.ts';
export * from '../../domain/licensing/grant-rows.ts';
export * from '../../domain/licensing/grant-status.ts';
export * from '../../domain/licensing/license-check.ts';
export * from '../../domain/licensing/product-access.ts';
export * from '../../domain/licensing/subscription.ts';
export * from '../../domain/mail/letter.ts';
export * from '../../domain/mail/message.ts';
export * from '../../domain/mail/texts.ts';
export * from '../../domain/operations/billing-contradictions.ts';
export * from '../../domain/operations/document-faults.ts';
export * from '../../domain/operations/export-entries.ts';
export * from '../../domain/operations/record-owner.ts';
export * from '../../domain/operations/release-faults.ts';
export * from '../../domain/operations/store-document.ts';
export * from '../../domain/policy/client-policy.ts';
export * from '../../domain/policy/policy-faults.ts';
export * from '../../domain/policy/withdrawn-device.ts';
export * from '../../domain/sales/payment-event.ts';
export * from '../../domain/sales/sale.ts';
export * from '../../domain/sales/sale-event.ts';
export * from '../../domain/sales/sale-records.ts';
export * from '../../domain/shared/count-of.ts';
export * from '../../domain/shared/daily-bound.ts';
export * from '../../domain/shared/fault.ts';
export * from '../../domain/shared/field-errors.ts';
export * from '../../domain/shared/instant.ts';
export * from '../../domain/shared/job.ts';
export * from '../../domain/shared/locale.ts';
export * from '../../domain/shared/outcome.ts';
export * from '../../domain/shared/paging.ts';
export * from '../../domain/shared/percent-decoded.ts';
export * from '../../domain/shared/plain-name.ts';
export * from '../../domain/shared/plain-text.ts';
export * from '../../domain/shared/public-jwk.ts';
export * from '../../domain/shared/same-json.ts';
export * from '../../domain/shared/stored-file.ts';
export * from '../../domain/shared/utf8.ts';
export * from '../../domain/sign-in/attempts.ts';
export * from '../../domain/sign-in/device-sign-in.ts';
export * from '../../domain/sign-in/oauth-grant.ts';
export * from '../../domain/sign-in/password-rules.ts';
export * from '../../domain/sign-in/session.ts';
export * from '../../domain/sign-in/sign-in-link.ts';
export * from '../../domain/sign-in/upstream-sign-in.ts';
export * from '../../domain/signing/key-use.ts';
export * from '../../domain/signing/signing-key-ring.ts';
export * from '../../domain/signing/signing-key-ring-text.ts';
export * from '../../domain/support/error-group.ts';
export * from '../../domain/support/error-overflow.ts';
export * from '../../domain/support/error-report.ts';
export * from '../../domain/support/fingerprint.ts';
export * from '../../domain/support/frames.ts';
export * from '../../domain/support/kept-report.ts';
export {
  blockOf as reportBlockOf,
  COUNTED_BY_TEN,
  COUNTED_SINGLY,
  isCounted,
  weightOf,
} from '../../domain/support/report-sampling.ts';
export * from '../../domain/support/scrub.ts';
export { cleanText as withoutSecrets, EMAIL, HOME, SECRET, scrubText } from '../../domain/support/scrub-text.ts';
export * from '../../domain/support/ticket.ts';
export * from '../../domain/support/ticket-answer.ts';
