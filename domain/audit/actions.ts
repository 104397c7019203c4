/**
 * The kinds of records whose changes the audit log contains, each with the past participles of its actions. An action
 * is a kind, a dot and a past participle, such as `device.released`.
 */
export const DONE = {
  account: ['created', 'changed', 'link_created', 'link_mailed', 'erased', 'merged'],
  key: ['created', 'revoked'],
  key_batch: ['created', 'changed', 'revoked'],
  passkey: ['created', 'revoked'],
  agent_token: ['created', 'revoked'],
  member: ['created', 'changed', 'removed'],
  app: ['connected', 'disconnected'],
  device: ['renamed', 'released', 'withdrawn', 'restored', 'shared'],
  device_sign_in: ['approved', 'denied'],
  seat: ['created', 'changed', 'removed'],
  entitlement: ['created', 'changed', 'extended', 'offered', 'offer_canceled', 'transferred', 'revoked'],
  subscription: ['created', 'changed', 'ended'],
  order: ['created', 'changed', 'refunded', 'withdrawn'],
  invoice: ['created', 'changed', 'refunded'],
  payment_method: ['created', 'changed'],
  product: ['created', 'changed'],
  content: ['created', 'changed'],
  category: ['created', 'changed'],
  tag: ['created', 'changed'],
  bundle: ['created', 'changed'],
  lineage: ['created', 'changed'],
  disclosure: ['created', 'changed'],
  storefront: ['created', 'changed'],
  release: ['created', 'changed', 'withdrawn', 'restored', 'moved', 'scheduled'],
  policy: ['created', 'changed'],
  taxonomy: ['created', 'changed'],
  signing_key: ['created', 'activated', 'revoked'],
  trial: ['changed'],
  ticket: ['closed', 'reopened', 'answered', 'replied'],
  document: ['drafted', 'submitted', 'approved', 'changes_requested', 'rejected'],
  run: ['submitted', 'requeued'],
  webhook: ['created', 'changed', 'deleted'],
  store: ['export_begun', 'offline_export_begun', 'backup_begun', 'repair_begun'],
} as const;

export type SubjectKind = keyof typeof DONE;
export type ActionOn<K extends SubjectKind> = (typeof DONE)[K][number];
export type Action = ActionOn<SubjectKind>;

export const SUBJECT_KINDS = Object.keys(DONE) as SubjectKind[];

export const ACTIONS: readonly string[] = SUBJECT_KINDS.flatMap((kind) => DONE[kind].map((done) => `${kind}.${done}`));

/** True for an action, or for a kind of record, which includes all of its actions. */
export const isActionOrKind = (text: string): boolean => Object.hasOwn(DONE, text) || ACTIONS.includes(text);
