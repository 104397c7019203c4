import type { Permit } from '../../../domain/access/permit.ts';
import { countOf } from '../../../domain/shared/count-of.ts';
import type { Config } from '../../composition/config.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, fine } from './finding.ts';
import { repairSingleKeys } from './single-keys.ts';
import { repairSnapshots } from './snapshots.ts';

/**
 * Repairs what needs no other copy and loses nothing: the owners of orders and invoices that an older version stored,
 * the lists of the accounts' tickets, the snapshots of the catalog, and missing files of the key in use.
 */
export const repair = async (service: Service, config: Config, permit: Permit): Promise<Finding[]> => {
  const mended = await service.get('mendOwners')(permit);
  const which = countOf(mended, 'order or invoice', 'orders and invoices');
  const listed = countOf(await service.get('mendTickets')(permit), 'ticket', 'tickets');
  return [
    fine('repair', `${which} of an older version got an owner, so that no other account can take the number.`),
    fine(
      'repair',
      `${listed} of an older version got into the list of an account, where its buyer and \`account show\` find it.`,
    ),
    ...(await repairSnapshots(service)),
    ...(await repairSingleKeys(service, config, permit)),
  ];
};
