import type { Command } from 'commander';
import type { CreatedAgentToken } from '../../application/access/agent-tokens.ts';
import { AGENT_ROLES, type AgentToken, SHOP_ROLES, type TokenRole } from '../../domain/access/principal.ts';
import { ok } from '../../domain/shared/outcome.ts';
import { does, leaf, onNewOperations, onOperations, operatorPermit, shown } from './command.ts';
import { facts, tableOf } from './print.ts';
import { agentRole, id, line } from './values.ts';

/** A token without its hash, which only the store needs. */
const view = ({ hash: _, ...shown }: AgentToken) => shown;

const tokensText = tableOf<ReturnType<typeof view>>({
  id: 'id',
  begins: 'prefix',
  role: 'role',
  name: 'name',
  created: 'created_at',
});

const inFacts = ({ value, token }: CreatedAgentToken): string =>
  `Agent token ${token.id}, shown this once:\n\n  ${value}\n\n${facts([
    ['role', token.role],
    ['name', token.name],
  ])}`;

export const agentTokenCommands = (program: Command): void => {
  const group = program.command('agent-token').description('tokens of design agents and of the shop’s own systems');
  leaf(group, 'create', 'create a token; its value is shown once')
    .requiredOption(
      '--role <role>',
      `what it may do: ${AGENT_ROLES.join(', ')} on the design host, ${SHOP_ROLES.join(', ')} on the shop host`,
      agentRole,
    )
    .requiredOption('--name <name>', 'name of the agent or of the shop’s system', line)
    .action(
      does(onNewOperations, async (service, { role, name }: { role: TokenRole; name: string }) =>
        shown(
          await service.get('createAgentToken')(operatorPermit('agent-token create'), { role, name }),
          inFacts,
          ({ value, token }) => ({ id: token.id, token: value, role: token.role, name: token.name }),
        ),
      ),
    );
  leaf(group, 'list', 'list the live tokens').action(
    does(onOperations, async (service) => shown(ok((await service.get('listAgentTokens')()).map(view)), tokensText)),
  );
  leaf(group, 'revoke', 'revoke a token, effective with the next request')
    .argument('<id>', 'the token’s id', id)
    .action(
      does(onOperations, async (service, token: number) =>
        shown(
          await service.get('revokeAgentToken')(operatorPermit('agent-token revoke'), token),
          () => `Agent token ${token} is revoked.`,
        ),
      ),
    );
};
