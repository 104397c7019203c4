import * as z from 'zod';
import { LONGEST_MEMBER_NAME } from '../../../domain/access/member.ts';
import { LONGEST_AGENT_NAME, SHOP_ROLES, TOKEN_ROLES } from '../../../domain/access/principal.ts';
import { component, dateTime, id, nullableText, once } from '../answers.ts';
import { bodyFlag, line, mailAddress, orNull, pathId, queryStretch } from '../fields.ts';
import { changed, list, moment } from './records.ts';
import { MADE, shopEndpoints } from './terms.ts';

const shop = shopEndpoints('everything');
const params = () => z.object({ account: pathId('id of the account') });
const PATH = '/api/shop/members/{account}';

const memberData = once(() =>
  component('ShopMemberData', {
    account_id: id,
    email: z.string(),
    name: z.string(),
    role: z.enum(SHOP_ROLES),
    added_at: dateTime,
    suspended: z.boolean().describe('true while the account is suspended, and so the console closed to it'),
  }),
);

const linkData = once(() => ({ url: z.url().nullable(), expires_at: moment, mailed_to: nullableText }));

const tokenData = once(() =>
  component('ShopTokenData', {
    id,
    prefix: z.string().describe('the first characters of the value'),
    role: z.enum(TOKEN_ROLES),
    name: z.string(),
    created_at: dateTime,
  }),
);

export const listMembers = shop({
  id: 'listMembers',
  path: '/api/shop/members',
  query: () => z.object(queryStretch('id')),
  answer: () => list(memberData()),
  tool: { name: 'shop_list_members', effect: 'reads' },
});

export const addMember = shop({
  id: 'addMember',
  method: 'POST',
  path: '/api/shop/members',
  body: () =>
    component('ShopMemberBody', { email: mailAddress, name: line(LONGEST_MEMBER_NAME), role: z.enum(SHOP_ROLES) }),
  answer: () => memberData().extend({ mailed_to: nullableText.describe('null where the shop sends no mail') }),
  output: MADE,
  tool: { name: 'shop_add_member', effect: 'adds' },
});

export const changeMember = shop({
  id: 'changeMember',
  method: 'POST',
  path: `${PATH}/changes`,
  params,
  body: () =>
    component('ShopMemberChange', { name: orNull(line(LONGEST_MEMBER_NAME)), role: orNull(z.enum(SHOP_ROLES)) }),
  answer: () => z.object({ member: memberData(), result: changed }),
  tool: { name: 'shop_change_member', effect: 'replaces' },
});

export const removeMember = shop({
  id: 'removeMember',
  method: 'POST',
  path: `${PATH}/removal`,
  params,
  answer: () => z.object({ member: memberData() }),
  tool: { name: 'shop_remove_member', effect: 'destroys' },
});

export const createMemberLink = shop({
  id: 'createMemberLink',
  method: 'POST',
  path: `${PATH}/sign-in-links`,
  params,
  body: () => component('ShopMemberLinkBody', { mail: bodyFlag('mail the link to the member, and show none') }),
  answer: () => z.object(linkData()),
  output: MADE,
  tool: { name: 'shop_create_member_link', effect: 'adds' },
});

export const listAgentTokens = shop({
  id: 'listAgentTokens',
  path: '/api/shop/tokens',
  query: () => z.object(queryStretch('id')),
  answer: () => list(tokenData()),
  tool: { name: 'shop_list_tokens', effect: 'reads' },
});

export const createAgentToken = shop({
  id: 'createAgentToken',
  method: 'POST',
  path: '/api/shop/tokens',
  body: () => component('ShopTokenBody', { role: z.enum(TOKEN_ROLES), name: line(LONGEST_AGENT_NAME) }),
  answer: () => tokenData().extend({ value: z.string().describe('shown this once') }),
  output: MADE,
  tool: { name: 'shop_create_token', effect: 'adds' },
});

export const revokeAgentToken = shop({
  id: 'revokeAgentToken',
  method: 'POST',
  path: '/api/shop/tokens/{token}/revocation',
  params: () => z.object({ token: pathId('id of the token') }),
  answer: () => z.object({ id }),
  tool: { name: 'shop_revoke_token', effect: 'destroys' },
});
