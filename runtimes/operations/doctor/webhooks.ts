import { PROVIDER_NAMES } from '../../composition/feature-config.ts';
import { oneLine } from '../../composition/installation.ts';
import type { Service } from '../../composition/service.ts';
import { type Finding, fine, wrong, wrongs } from './finding.ts';

/** The most events that are looked at. */
const MOST_EVENTS = 10_000;

/** Checks that the code of each configured payment provider loads, and that no event of one is refused. */
export const checkWebhooks = async (service: Service): Promise<Finding[]> => {
  const secrets = service.get('webhookSecrets');
  const configured = PROVIDER_NAMES.filter((name) => (secrets[name]?.length ?? 0) > 0);
  const found: Finding[] = [];
  for (const name of configured) {
    try {
      await service.get('paymentProviders')(name);
    } catch (error) {
      found.push(wrong('webhooks', `${oneLine(error)}.`));
    }
  }
  const refused = await service.get('listEvents')({ refused: true, limit: MOST_EVENTS });
  const names = refused.map(({ provider, id, reason }) => `${provider} ${id} (${reason})`);
  found.push(
    ...wrongs(
      'webhooks',
      names,
      (named) => `Sales are not recorded: ${named}. Mend what the events name, then run: event replay --refused`,
    ),
  );
  if (configured.length === 0 || found.length > 0) return found;
  return [fine('webhooks', `Events are taken of ${configured.join(', ')}, and none is refused.`)];
};
