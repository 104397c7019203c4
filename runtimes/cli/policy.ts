import type { Command } from 'commander';
import { countOf } from '../../domain/shared/count-of.ts';
import { afterTrial } from './ask.ts';
import { addCommand, answerFrom, calls, onNewShop, runsOn } from './command.ts';
import { printed } from './print.ts';
import type { AnswerOf } from './send.ts';

const DONE = {
  created: 'The policy is in force.',
  updated: 'The policy is in force.',
  unchanged: 'Nothing changed: this policy is already in force.',
} as const;

const policyText = ({ revoked, ...policy }: AnswerOf<'showPolicy'>): string =>
  printed({ ...policy, withdrawn_devices: revoked.length });

/** The number of devices that a question names; the rest is a number. */
const NAMED = 10;

const loss = ({ lifted }: AnswerOf<'setPolicy'>): string | null => {
  if (lifted.length === 0) return null;
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
      runsOn(onNewShop, async ({ send }, file: string, options: { yes?: boolean }) => {
        const { readPolicyFile } = await import('../files/load-document.ts');
        const read = await readPolicyFile(file);
        if (!read.ok) return read;
        const set = (trial: boolean) => send('setPolicy', { ...read.value, trial });
        return answerFrom(
          await afterTrial(options, set, loss, ({ lifted }) => ({ lifted })),
          ({ policy, result }) => `${DONE[result]}\n\n${policyText(policy)}`,
          ({ policy, result }) => ({ ...policy, result }),
        );
      }),
    );
  addCommand(group, 'show', 'show the policy in force').action(calls('showPolicy', { text: policyText }));
};
