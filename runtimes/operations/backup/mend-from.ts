import type { MendedFiles } from '../../../application/operations/mend-files.ts';
import type { Progress } from '../../../application/operations/progress.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../../domain/shared/outcome.ts';
import type { Service } from '../../composition/service.ts';
import { readManifest } from './manifest.ts';
import { objectsIn } from './parts.ts';

/**
 * Writes again, from a backup, the files that the store has lost or damaged. A file is written only if the backup has
 * the very bytes of its record; everything else stays as it is. A server may use the store meanwhile.
 */
export const mendFrom = async (
  service: Service,
  backup: string,
  permit: Permit,
  progress: Progress,
): Promise<Outcome<MendedFiles, 'no_backup'>> => {
  if (!(await readManifest(backup))) {
    return refuse('no_backup', { message: `${backup} is no complete backup; name a folder that "backup" has made.` });
  }
  return ok(await service.get('mendFiles').execute(permit, { copy: objectsIn(backup), from: backup, progress }));
};
