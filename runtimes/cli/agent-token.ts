import type { Command } from 'commander';
import type { CreatedAgentToken } from '../../application/access/create-agent-token.ts';
import type { AgentToken } from '../../domain/access/agent-token.ts';
import { AGENT_ROLES, type AgentRole } from '../../domain/access/principal.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { type Answered, answer, leaf, onNewOperations, onOperations } from './command.ts';
import { operatorPermit } from './operator.ts';
import { facts, table } from './print.ts';
import { agentRole, id, line } from './values.ts';

type Options = { json?: boolean };
type CreateOptions = Options & { role: AgentRole; name: string };

/** A token without its hash, which only the store needs. */
const view = ({ hash: _, ...shown }: AgentToken) => shown;

const inFacts = ({ value, token }: CreatedAgentToken): string =>
  `Agent token ${token.id}, shown this once:\n\n  ${value}\n\n${facts([
    ['role', token.role],
    ['name', token.name],
  ])}`;

const create = ({ role, name }: CreateOptions): Answered =>
  onNewOperations(async (service) => {
    const created = await service.get('createAgentToken')(operatorPermit('agent-token create'), { role, name });
    if (!created.ok) return created;
    const { value, token } = created.value;
    return ok({
      json: { id: token.id, token: value, role: token.role, name: token.name },
      text: inFacts(created.value),
    });
  });

const list = (): Answered =>
  onOperations(async (service) => {
    const tokens = (await service.get('listAgentTokens')()).map(view);
    const rows = tokens.map((token) => [token.id, token.prefix, token.role, token.name, token.created_at]);
    return ok({ json: tokens, text: table(['id', 'begins', 'role', 'name', 'created'], rows) });
  });

const revoke = (tokenId: number): Answered =>
  onOperations(async (service) => {
    const revoked = await service.get('revokeAgentToken')(operatorPermit('agent-token revoke'), tokenId);
    return revoked.ok ? ok({ json: revoked.value, text: `Agent token ${tokenId} is revoked.` }) : revoked;
  });

export const agentTokenCommands = (program: Command): void => {
  const group = program.command('agent-token').description('tokens of design agents');
  leaf(group, 'create', 'create a token; its value is shown once')
    .requiredOption('--role <role>', `what the agent may do: ${AGENT_ROLES.join(', ')}`, agentRole)
    .requiredOption('--name <name>', 'name of the agent', line)
    .action((options: CreateOptions) => answer(options, () => create(options)));
  leaf(group, 'list', 'list the live tokens').action((options: Options) => answer(options, list));
  leaf(group, 'revoke', 'revoke a token, effective with the next request')
    .argument('<id>', 'the token’s id', id)
    .action((tokenId: number, options: Options) => answer(options, () => revoke(tokenId)));
};
