import { type Member, memberWith } from '../../domain/access/member.ts';
import type { Needs } from '../../ports/outbound/needs.ts';

/** The membership of an account; undefined if it has none. */
export const findMember = ({ members }: Needs<'members'>) =>
  async function findMember(account_id: number): Promise<Member | undefined> {
    return memberWith((await members.read()).members, account_id);
  };

export type FindMember = ReturnType<typeof findMember>;
