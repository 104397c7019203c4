import type { KeyUse } from '../signing/key-use.ts';
import type { ActionOn } from './actions.ts';
import { type AuditEvent, auditEvent } from './event.ts';

/** The event of what was done to a signing key of a use. Only its public name is told. */
export const signingKeyEvent = (use: KeyUse, kid: string, done: ActionOn<'signing_key'>): AuditEvent =>
  auditEvent({ kind: 'signing_key', id: kid }, done, undefined, { use });
