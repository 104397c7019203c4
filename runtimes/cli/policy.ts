import type { Command } from 'commander';
import type { PolicyInForce, Revocation } from '../../domain/policy/client-policy.ts';
import { countOf } from '../../domain/shared/count-of.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { confirmed } from './ask.ts';
import { addCommand, answerFrom, onNewService, onService, operatorPermit, runsOn } from './command.ts';
import { printed } from './print.ts';

const DONE = {
  created: 'The policy is in force.',
  updated: 'The policy is in force.',
  unchanged: 'Nothing changed: this policy is already in force.',
} as const;

const policyText = ({ revoked, ...policy }: PolicyInForce): string =>
  printed({ ...policy, withdrawn_devices: revoked.length });

/** The number of devices that a question names; the rest is a number. */
const NAMED = 10;

const loss = (lifted: readonly Revocation[]): string => {
  const named = lifted.slice(0, NAMED).map(({ product_id, device_id }) => `${device_id} (product ${product_id})`);
  const more = lifted.length > NAMED ? ` and ${lifted.length - NAMED} more` : '';
  return `The file leaves out ${countOf(lifted.length, 'withdrawn device')}, which may run again: ${named.join(', ')}${more}.`;
};

const SET_HELP = `
"revoked" is optional: a file without it keeps the withdrawn devices as they are,
and [] lets all of them run again.`;

export const policyCommands = (program: Command): void => {
  const group = program.command('policy').description('the client policy');
  addCommand(group, 'set', 'replace the policy; a file with a fault changes nothing')
    .argument('<file>', 'a JSON file with min_client_version, ttl_days, recheck_hours, and revoked if wanted')
    .option('--yes', 'restore withdrawn devices without asking')
    .addHelpText('after', SET_HELP)
    .action(
      runsOn(onNewService, async (service, file: string, options: { yes?: boolean }) => {
        const { loadPolicyFile } = await import('../files/load-document.ts');
        const agreed = (lifted: readonly Revocation[]) => confirmed(options, loss(lifted), { data: { lifted } });
        return answerFrom(
          await loadPolicyFile(service, file, operatorPermit(), agreed),
          ({ policy, result }) => `${DONE[result]}\n\n${policyText(policy)}`,
          ({ policy, result }) => ({ ...policy, result }),
        );
      }),
    );
  addCommand(group, 'show', 'show the policy in force').action(
    runsOn(onService, async (service) => answerFrom(ok((await service.get('policies').read()).policy), policyText)),
  );
};
