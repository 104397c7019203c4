import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { TokenRole } from '../../domain/access/principal.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';

/** The id and the token of a design agent. */
export type Agent = { readonly id: number; readonly key: string };

/** The role for a valid call of an agent's endpoint. Without mail, only one role gets a sign-in link. */
export const goodRole = ({ id, access }: Readonly<{ id: string; access: object }>): TokenRole =>
  (id !== 'createSignInLink' && 'role' in access && (access.role as TokenRole | undefined)) || 'everything';

/** Creates a design agent with this role. */
export const anAgent = async (service: Service, role: TokenRole, name = `${role} agent`): Promise<Agent> => {
  const created = await service.get('createAgentToken')(grantPermit(), { role, name });
  if (!created.ok) throw new Error(created.message);
  const { value, token } = created.value;
  return { id: token.id, key: value };
};
