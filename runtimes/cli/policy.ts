import type { Command } from 'commander';
import type { PolicyInForce } from '../../domain/policy/client-policy.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onNewService, onService } from './command.ts';
import { operatorPermit } from './operator.ts';
import { facts } from './print.ts';

type Options = { json?: boolean };

const DONE = {
  created: 'The policy is in force.',
  updated: 'The policy is in force.',
  unchanged: 'Nothing changed: this is the policy already.',
} as const;

const inFacts = ({ version, changed_at, min_client_version, ttl_days, recheck_hours, revoked }: PolicyInForce) =>
  facts([
    ['version', version],
    ['changed', version === 0 ? 'never: this is the default' : changed_at],
    ['lowest client', min_client_version],
    ['days offline', ttl_days],
    ['hours to recheck', recheck_hours],
    ['revoked devices', revoked.length],
  ]);

const set = (file: string): Answered =>
  onNewService(async (service) => {
    const { loadPolicyFile } = await import('../operations/load-policy.ts');
    const done = await loadPolicyFile(service, file, operatorPermit('policy set'));
    if (!done.ok) return done;
    const { policy, result } = done.value;
    return ok({ json: { ...policy, result }, text: `${DONE[result]}\n\n${inFacts(policy)}` });
  });

const show = (): Answered =>
  onService(async (service) => {
    const { policy } = await service.get('policies').read();
    return ok({ json: policy, text: inFacts(policy) });
  });

export const policyCommands = (program: Command): void => {
  const group = program.command('policy').description('the client policy');
  leaf(group, 'set', 'put a whole policy into force, or nothing if it has a fault')
    .argument('<file>', 'a JSON file with min_client_version, ttl_days, recheck_hours and revoked')
    .action((file: string, options: Options) => answer(options, () => set(file)));
  leaf(group, 'show', 'show the policy in force').action((options: Options) => answer(options, show));
};
