import type { Release } from '../delivery/release.ts';
import { isSameJson } from '../shared/same-json.ts';
import type { ActionOn } from './actions.ts';
import { type AuditEvent, auditEvent } from './event.ts';

/** The past tense of what was done to a release. A withdrawal and its end come before whatever else was changed. */
const doneTo = (before: Release | undefined, after: Release): ActionOn<'release'> => {
  if (before === undefined) return 'created';
  if (!isSameJson(before.withdrawn ?? null, after.withdrawn ?? null)) return after.withdrawn ? 'withdrawn' : 'restored';
  if (isSameJson({ ...before, channel: after.channel }, after)) return 'moved';
  if (isSameJson({ ...before, released_at: after.released_at }, after)) return 'scheduled';
  return 'changed';
};

/** The event of a release that was written. It tells the version first, which no change alters. */
export const releaseEvent = (before: Release | undefined, after: Release): AuditEvent => {
  const { id, product_id, version } = after;
  const event = auditEvent({ kind: 'release', id, product_id }, doneTo(before, after), before, after);
  const others = event.changes.filter(({ field }) => field !== 'version');
  return { ...event, changes: [{ field: 'version', from: before?.version ?? null, to: version }, ...others] };
};
