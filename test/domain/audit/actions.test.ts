import { expect, test } from 'vitest';
import { ACTIONS, isActionOrKind } from '../../../domain/audit/actions.ts';

/** Entries keep the names of actions for years, so a name must never change. */
const NAMES = [
  'account.created account.changed account.link_created account.link_mailed account.merged account.erased key.created key.revoked agent_token.created',
  'passkey.created passkey.revoked member.created member.changed member.removed',
  'agent_token.revoked app.connected app.disconnected device.renamed device.released device.withdrawn',
  'device.restored device.shared',
  'device_sign_in.approved device_sign_in.denied entitlement.created entitlement.changed entitlement.extended',
  'entitlement.offered entitlement.offer_canceled entitlement.transferred store.offline_export_begun',
  'entitlement.revoked subscription.created subscription.changed subscription.ended order.created order.changed',
  'order.refunded order.withdrawn invoice.created invoice.changed invoice.refunded payment_method.created',
  'payment_method.changed',
  'product.created product.changed content.created content.changed category.created category.changed tag.created',
  'tag.changed bundle.created bundle.changed lineage.created lineage.changed disclosure.created disclosure.changed',
  'storefront.created storefront.changed',
  'release.created release.changed release.withdrawn release.restored release.moved release.scheduled policy.created',
  'policy.changed taxonomy.created taxonomy.changed signing_key.created signing_key.activated signing_key.revoked',
  'key_batch.created key_batch.changed key_batch.revoked seat.created seat.changed seat.removed trial.changed',
  'ticket.closed ticket.reopened ticket.answered ticket.replied',
  'webhook.created webhook.changed webhook.deleted',
  'document.drafted document.submitted document.approved',
  'document.changes_requested document.rejected run.submitted run.requeued store.export_begun store.backup_begun',
  'store.repair_begun',
].flatMap((line) => line.split(' '));

test('every action that the audit log may contain keeps its name', () => {
  expect([...ACTIONS].sort()).toEqual(NAMES.sort());
});

test('an audit search takes the name of an action or of a kind of record, and nothing else', () => {
  expect(['device.released', 'device'].map(isActionOrKind)).toEqual([true, true]);
  expect(['released', 'device.', 'device.erased', 'toString', ''].map(isActionOrKind)).toEqual(Array(5).fill(false));
});
