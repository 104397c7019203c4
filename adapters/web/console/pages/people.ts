import { html } from 'hono/html';
import { LONGEST_MEMBER_NAME } from '../../../../domain/access/member.ts';
import { AGENT_ROLES, LONGEST_AGENT_NAME, SHOP_ROLES } from '../../../../domain/access/principal.ts';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import {
  addMember,
  changeMember,
  createAgentToken,
  createMemberLink,
  listAgentTokens,
  listMembers,
  removeMember,
  revokeAgentToken,
} from '../../../../ports/inbound/shop/people.ts';
import { SCRIPT_PATH } from '../../account/assets/assets.ts';
import { copied } from '../../account/views/copied.ts';
import { day } from '../../shared/dates.ts';
import { facts, type Html, noticeBox } from '../../shared/pieces.ts';
import { fieldsOf } from '../fields.ts';
import { people as en } from '../messages/en/people.ts';
import { people as ko } from '../messages/ko/people.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberVisit, refused } from '../paths.ts';
import { dangerForm, form, type Kit } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, folded, list, section } from '../views/pieces.ts';

const words = inBoth({ en, ko });

type Member = AnswerIn<typeof listMembers>['data'][number];
type Token = AnswerIn<typeof listAgentTokens>['data'][number];

const UP = (page: ConsolePage) => ({ href: '/people', text: words(page).title });

const nameField = (page: ConsolePage, kit: Kit, value = ''): Html => {
  const { name: label, nameHint: hint } = words(page);
  return kit.text({ name: 'name', label, hint, value, maxlength: LONGEST_MEMBER_NAME, required: true });
};

const roleField = (page: ConsolePage, kit: Kit, value: string): Html => {
  const { role: label, roles, rolesText } = words(page);
  const options = SHOP_ROLES.toReversed().map((role) => [role, `${roles[role]}: ${rolesText[role]}`] as const);
  return kit.select({ name: 'role', label, value, options });
};

const stateOf = (page: ConsolePage, { account_id, suspended }: Member): Html | '' => {
  const m = words(page);
  if (suspended) return badge(m.suspended, 'bad');
  return account_id === page.member.account_id ? badge(m.you) : '';
};

const peopleCard = (page: ConsolePage, members: readonly Member[]): Html => {
  const m = words(page);
  const rows = members.map((member) => ({
    href: `/people/${member.account_id}`,
    cells: [
      html`${member.name} ${stateOf(page, member)}`,
      member.email,
      m.roles[member.role],
      day(page, member.added_at),
    ],
  }));
  const action = '/people/add';
  return section(
    m.people,
    html`${list(page, { caption: m.people, columns: [m.name, m.email, m.role, m.since], rows, empty: { title: '', text: '' } })}
${folded(
  m.add,
  form(
    page,
    { action, submit: m.addGo, kind: 'main' },
    (kit) => html`<p>${m.addText}</p>
${kit.text({ name: 'email', label: m.email, type: 'email', maxlength: LONGEST_EMAIL, required: true })}
${nameField(page, kit)}${roleField(page, kit, 'support')}`,
  ),
  page.filled?.action === action,
)}`,
  );
};

const tokensCard = (page: ConsolePage, tokens: readonly Token[]): Html => {
  const m = words(page);
  const rows = tokens.map(({ id, name, prefix, role, created_at }) => ({
    cells: [
      name,
      m.roles[role],
      html`<code>${prefix}…</code>`,
      day(page, created_at),
      dangerForm(page, { action: '/people/revoke', label: m.revoke, question: m.revokeText, submit: m.revoke }, (kit) =>
        kit.hidden('token', id),
      ),
    ],
  }));
  const action = '/people/token';
  const roles = [...SHOP_ROLES, ...AGENT_ROLES].map((role) => [role, m.roles[role]] as const);
  const columns = [m.tokenName, m.role, m.begins, m.created, m.revoke];
  return section(
    m.tokens,
    html`<p>${m.tokensText}</p>
${list(page, { caption: m.tokens, columns, rows, empty: { title: m.none, text: m.noneText } })}
${folded(
  m.create,
  form(
    page,
    { action, submit: m.createGo, kind: 'main', once: true },
    (kit) => html`
${kit.text({ name: 'name', label: m.tokenName, maxlength: LONGEST_AGENT_NAME, required: true })}
${kit.select({ name: 'role', label: m.role, options: roles })}`,
  ),
  page.filled?.action === action,
)}`,
  );
};

/** A secret, which is shown this once. */
const secretView =
  (back: string, of: (m: typeof en) => { title: string; text: string; label: string }, name: string, value: string) =>
  (page: ConsolePage): Html => {
    const m = words(page);
    const { title, text, label } = of(m);
    return layout(page, {
      title,
      section: 'people',
      up: UP(page),
      script: SCRIPT_PATH,
      body: html`${noticeBox({ kind: 'done', text, first: true })}
<section class="card"><h2>${name}</h2>${copied(page, 'value', label, value)}
<p><a class="button main" href="${back}">${m.back}</a></p></section>`,
    });
  };

/** The people who run the shop, and the tokens of its systems and agents. */
export const addPeoplePages = (paths: ConsolePaths): void => {
  const { ask } = paths;
  const sendsMail = paths.gate.settings.parts.askForLink !== null;
  const needs = [listMembers, listAgentTokens];
  paths.section('people', needs);

  const peopleAnswer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const [members, tokens] = await Promise.all([
      ask(visit, listMembers, { query: { limit: 100 } }),
      ask(visit, listAgentTokens, { query: { limit: 100 } }),
    ]);
    if (!members.ok) return blocked(members);
    if (!tokens.ok) return blocked(tokens);
    return show((page) => {
      const m = words(page);
      const body = html`${peopleCard(page, members.value.data)}${tokensCard(page, tokens.value.data)}`;
      return layout(page, { title: m.title, section: 'people', lead: m.lead, body });
    });
  };
  paths.page('/people', needs, peopleAnswer);

  paths.form('/people/add', { fresh: true }, async (visit) => {
    const added = await ask(visit, addMember, { body: fieldsOf(visit.form, addMember) });
    if (!added.ok) return refused(visit, added, await peopleAnswer(visit));
    const m = words(visit);
    const { account_id, name, mailed_to } = added.value;
    return mailed_to === null
      ? done(visit, `/people/${account_id}`, m.addedAlone(name))
      : done(visit, '/people', m.added(name, mailed_to));
  });

  paths.form('/people/token', { fresh: true, once: createAgentToken }, async (visit) => {
    const made = await ask(visit, createAgentToken, { body: fieldsOf(visit.form, createAgentToken) });
    if (!made.ok) return refused(visit, made, await peopleAnswer(visit));
    const said = ({ made: title, madeText: text, value: label }: typeof en) => ({ title, text, label });
    return { ...show(secretView('/people', said, made.value.name, made.value.value), 201), here: '/people' };
  });

  paths.form('/people/revoke', { fresh: true }, async (visit) => {
    const ended = await ask(visit, revokeAgentToken, { params: { token: visit.form.text('token') } });
    if (!ended.ok) return refused(visit, ended, await peopleAnswer(visit));
    return done(visit, '/people', words(visit).revoked);
  });

  const memberView = (page: ConsolePage, member: Member): Html => {
    const m = words(page);
    const to = (word: string): string => `/people/${member.account_id}/${word}`;
    return layout(page, {
      title: member.name,
      section: 'people',
      up: UP(page),
      badge: stateOf(page, member),
      body: html`${facts([
        [m.email, member.email],
        [m.role, m.roles[member.role]],
        [m.since, day(page, member.added_at)],
      ])}
${section(
  m.change,
  form(
    page,
    { action: to('change'), submit: m.save, kind: 'main' },
    (kit) => html`${nameField(page, kit, member.name)}${roleField(page, kit, member.role)}`,
  ),
)}
${section(
  m.link,
  form(
    page,
    { action: to('link'), submit: sendsMail ? m.mailLink : m.makeLink, once: !sendsMail },
    () => html`<p>${m.linkText}</p>`,
  ),
)}
${dangerForm(page, { action: to('remove'), label: m.remove, question: m.removeText, submit: m.removeGo })}`,
    });
  };

  const accountIn = (visit: MemberVisit): string => String(visit.req.params['account']);
  const memberAnswer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const found = await ask(visit, listMembers, { query: { limit: 100 } });
    if (!found.ok) return blocked(found);
    const member = found.value.data.find(({ account_id }) => String(account_id) === accountIn(visit));
    return member ? show((page) => memberView(page, member)) : blocked({ ok: false, code: 'shop_not_found' });
  };
  paths.page('/people/:account', needs, memberAnswer);

  paths.form('/people/:account/change', { fresh: true }, async (visit) => {
    const params = { account: accountIn(visit) };
    const changed = await ask(visit, changeMember, { params, body: fieldsOf(visit.form, changeMember) });
    if (!changed.ok) return refused(visit, changed, await memberAnswer(visit));
    return done(visit, `/people/${params.account}`, words(visit).changed);
  });

  paths.form('/people/:account/link', { fresh: true, ...(!sendsMail && { once: createMemberLink }) }, async (visit) => {
    const params = { account: accountIn(visit) };
    const made = await ask(visit, createMemberLink, { params, body: { mail: sendsMail } });
    if (!made.ok) return refused(visit, made, await memberAnswer(visit));
    const here = `/people/${params.account}`;
    const { mailed_to, url } = made.value;
    if (mailed_to !== null) return done(visit, here, words(visit).linkMailed(mailed_to));
    const said = ({ linkMade: title, linkMadeText: text, url: label }: typeof en) => ({ title, text, label });
    return { ...show(secretView(here, said, '', url ?? ''), 201), here };
  });

  paths.form('/people/:account/remove', { fresh: true }, async (visit) => {
    const gone = await ask(visit, removeMember, { params: { account: accountIn(visit) } });
    if (!gone.ok) return refused(visit, gone, await memberAnswer(visit));
    return done(visit, '/people', words(visit).removed(gone.value.member.name));
  });
};
