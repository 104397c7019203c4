import type { Service } from '../../composition/service.ts';
import { type Finding, fine, next } from './finding.ts';

const copiesOf = (service: Service) => [
  { of: 'catalog', copy: service.get('storedCatalogs').copy },
  { of: 'public releases', copy: service.get('supplyCopy') },
];

/** Checks that a process that starts finds the catalog in a snapshot, and the public releases if there are any. */
export const checkSnapshots = async (service: Service, hasReleases: boolean): Promise<Finding> => {
  const missing: string[] = [];
  const expected = copiesOf(service).slice(0, hasReleases ? 2 : 1);
  for (const { of, copy } of expected) if (!(await copy.isPacked())) missing.push(of);
  return missing.length === 0
    ? fine('snapshots', 'The catalog and the public releases have a snapshot, from which each process starts.')
    : next(
        'snapshots',
        `There is no snapshot of the ${missing.join(' and of the ')}, so that each process that starts reads every record; run: doctor --repair`,
      );
};

/** Makes the snapshots that the store lacks, and the public releases that an older version did not store. */
export const repairSnapshots = async (service: Service): Promise<Finding[]> => {
  const made: string[] = [];
  await service.get('supplyUpkeep').mend();
  for (const { of, copy } of copiesOf(service)) if (await copy.mend()) made.push(of);
  return made.map((of) => fine('repair', `A snapshot of the ${of} was made, from which each process starts.`));
};
