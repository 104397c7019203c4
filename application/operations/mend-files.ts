import type { Permit } from '../../domain/access/permit.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import type { Needs } from '../../ports/outbound/needs.ts';
import type { ObjectStore } from '../../ports/outbound/object-store.ts';
import type { CheckFiles, FaultyFile } from './check-files.ts';
import { type Progress, unseen } from './progress.ts';

export type Ports = Needs<'auditLog' | 'objects'> & { checkFiles: CheckFiles };

export type MendedFiles = {
  readonly mended: readonly FaultyFile[];
  /** The faulty files that the copy lacks or has damaged too. */
  readonly left: readonly FaultyFile[];
};

/**
 * Writes again all files that the store has lost or damaged, from the objects of a copy. A file is written only if the
 * copy has the very bytes of its record, so that nothing but damage is replaced. `from` names the copy in the audit
 * log, which tells of the repair where any file is faulty.
 */
export const mendFiles = ({ checkFiles, auditLog, objects }: Ports) => {
  const mend = async (permit: Permit, { key, sha256, size }: FaultyFile, copy: ObjectStore): Promise<boolean> => {
    const expected = { sha256, size };
    if ((await copy.examine(key, expected, { depth: 'bytes' })) !== 'whole') return false;
    const opened = await copy.open(key);
    if (!opened) return false;
    await objects.put(permit, key, opened.stream, expected);
    return true;
  };

  return async (
    permit: Permit,
    { copy, from, progress = unseen }: { copy: ObjectStore; from: string; progress?: Progress },
  ): Promise<MendedFiles> => {
    const { faults } = await checkFiles({ quick: false, most: Number.POSITIVE_INFINITY, progress });
    if (faults.length > 0) {
      await auditLog.add(permit, auditEvent({ kind: 'store', id: from }, 'repair_begun'));
    }
    const mended: FaultyFile[] = [];
    const left: FaultyFile[] = [];
    for (const fault of faults) ((await mend(permit, fault, copy)) ? mended : left).push(fault);
    return { mended, left };
  };
};

export type MendFiles = ReturnType<typeof mendFiles>;
