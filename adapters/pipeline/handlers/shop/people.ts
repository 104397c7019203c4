import { createAgentToken, listAgentTokens, revokeAgentToken } from '../../../../application/access/agent-tokens.ts';
import {
  type AddedMember,
  addMember,
  changeMember,
  findMember,
  listMembers,
  removeMember,
} from '../../../../application/access/members.ts';
import { createSignInLink, type MailSignInLink } from '../../../../application/sign-in/sign-in-links.ts';
import { NO_MEMBER } from '../../../../domain/access/member.ts';
import type { AgentToken } from '../../../../domain/access/principal.ts';
import { ok, refuse } from '../../../../domain/shared/outcome.ts';
import { type ListOrder, placeOf } from '../../../../domain/shared/paging.ts';
import * as shopPeople from '../../../../ports/inbound/shop/people.ts';
import { handlingWith } from '../handling.ts';
import { BY_ID, mailedLink, shopOutcome, write } from './answers.ts';
import { listing, writing } from './shop-handling.ts';

const NO_MAIL = refuse('mail_off', { message: 'This shop sends no mail; leave out mail, and pass the link on.' });

const openMember = ({ member, account }: AddedMember) => ({
  ...member,
  email: account.email,
  suspended: account.suspended_at !== undefined,
});

const BY_ACCOUNT: ListOrder<AddedMember> = { place: ({ member }) => placeOf(member.account_id) };

/** A token without its hash, which only the store needs. */
const openToken = ({ hash: _, ...token }: AgentToken) => token;

/** The people who run the shop in its console, and the tokens of its systems and agents. */
export const shopPeopleHandlers = handlingWith<{ readonly mailSignInLink: MailSignInLink | null }>()(
  shopPeople,
  {
    listMembers,
    findMember,
    addMember,
    changeMember,
    removeMember,
    createSignInLink,
    listAgentTokens,
    createAgentToken,
    revokeAgentToken,
  },
  (use) => ({
    listMembers: listing(use.listMembers, BY_ACCOUNT, openMember),
    listAgentTokens: listing(use.listAgentTokens, BY_ID, openToken),
    changeMember: writing(use.changeMember, (one) => ({
      member: openMember(one),
      result: one.isChanged ? ('changed' as const) : ('unchanged' as const),
    })),
    removeMember: writing(use.removeMember, (one) => ({ member: openMember(one) })),
    createAgentToken: writing(use.createAgentToken, ({ value, token }) => ({ ...openToken(token), value })),
    revokeAgentToken: writing(use.revokeAgentToken),
    addMember: async ({ body }) =>
      write(async (permit) => {
        const added = await use.addMember(permit, body);
        if (!added.ok) return added;
        const mailed = await use.mailSignInLink?.(permit, added.value.account.id, 'console');
        return ok({ ...openMember(added.value), mailed_to: mailed?.ok ? mailed.value : null });
      }),
    createMemberLink: async ({ params, body }) => {
      const { account } = params;
      if (!(await use.findMember(account))) return shopOutcome(NO_MEMBER);
      if (body.mail)
        return write(async (permit) => (await use.mailSignInLink?.(permit, account, 'console')) ?? NO_MAIL, mailedLink);
      return write(
        (permit) => use.createSignInLink(permit, account, 'console'),
        ({ code, expires_at }) => ({ url: use.links.consoleLink(code), expires_at, mailed_to: null }),
      );
    },
  }),
);
