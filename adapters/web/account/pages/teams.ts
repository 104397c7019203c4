import { html } from 'hono/html';
import type { ListedTeams, ShownTeam } from '../../../../application/teams/teams.ts';
import { LONGEST_EMAIL } from '../../../../domain/accounts/address.ts';
import type { Product } from '../../../../domain/catalog/product.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { TEAM_ROLES } from '../../../../domain/teams/team.ts';
import { dayIn } from '../../shared/dates.ts';
import { type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { idIn } from '../form.ts';
import type { OwnFormVisit, OwnVisit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { noticeIn } from '../routes/notices.ts';
import { confirmation, hiddenFields } from '../views/confirmation.ts';
import { notFoundView } from '../views/messages.ts';
import { deviceTabs, layout, type Page } from '../views/page.ts';

const nameOf = ({ locale }: Page, product: Product | undefined, id: number): string =>
  inLocale(product?.name ?? {}, locale) ?? `#${id}`;

const teamPath = (owner_id: number, product_id: number): string => `/teams/${owner_id}/${product_id}`;

type PersonRow = ShownTeam['people'][number];

const personRow = (page: Page, path: string, isOwner: boolean, person: PersonRow): Html => {
  const { id, email, role, has_seat, invited_until } = person;
  const { teams: m } = page.m;
  const kind = [m.roles[role], ...(has_seat ? [] : [m.noSeat])].join(' · ');
  const leaves = role === 'owner' ? m.giveUp : m.remove;
  const form = {
    label: leaves,
    about: email,
    question: (invited_until === null ? m.question : m.takeBack)(email),
    button: leaves,
    action: `${path}/remove`,
    fields: { person: String(id) },
  };
  return html`<li class="row"><div class="title"><h2>${email}</h2><p class="kind">${kind}</p></div>
${invited_until === null ? '' : html`<p class="note">${m.invited(dayIn(page, invited_until))}</p>`}${role === 'owner' && !(isOwner && has_seat) ? '' : confirmation(page, form)}</li>`;
};

/** The people of a team, for the account that owns it and the people who manage its seats. */
const teamView = (page: Page, product: Product, team: ShownTeam, isOwner: boolean, notice: Notice | null): Html => {
  const { teams: m } = page.m;
  const path = teamPath(team.owner_id, product.id);
  const { used, limit } = team.seats;
  const isOpen = team.people.some(({ invited_until }) => invited_until !== null);
  return layout(page, {
    title: m.titleOf(nameOf(page, product, product.id)),
    section: 'devices',
    body: html`<p class="up"><a href="/teams">${m.title}</a></p><h1>${m.titleOf(nameOf(page, product, product.id))}</h1>
${noticeBox(notice)}<p class="count">${m.seats(used, limit)}</p>${team.over_used === 0 ? '' : html`<p class="note">${m.over(team.over_used)}</p>`}
<div class="card"><ul class="rows">${team.people.map((person) => personRow(page, path, isOwner, person))}</ul></div>
${isOpen ? html`<p class="note">${m.handOver} <code>${team.accept_url}</code></p>` : ''}
<section class="card" aria-labelledby="invite"><h2 id="invite">${m.invite}</h2>
<form method="post" action="${path}/invite" class="stack">${hiddenFields(page, {})}
<div class="field"><label for="email">${m.email}</label><input id="email" name="email" type="email" maxlength="${String(LONGEST_EMAIL)}" autocomplete="off" required></div>
<div class="field"><label for="role">${m.role}</label><select id="role" name="role">${TEAM_ROLES.map((role) => html`<option value="${role}">${m.choices[role]}</option>`)}</select></div>
<button class="main">${m.inviteButton}</button></form></section>`,
  });
};

const listView = (page: Page, { own, joined }: ListedTeams, notice: Notice | null): Html => {
  const { teams: m } = page.m;
  const links = own.map(
    ({ product, owner_id, seats }) =>
      html`<li class="head"><a href="${teamPath(owner_id, product.id)}">${nameOf(page, product, product.id)}</a><span class="count">${m.seats(seats.used, seats.limit)}</span></li>`,
  );
  const rows = joined.map(({ product, product_id, owner_id, owner_email, role }) => {
    const name = nameOf(page, product, product_id);
    const action = `${teamPath(owner_id, product_id)}/remove`;
    const leave = { label: m.leave, about: name, question: m.leaveQuestion(name), button: m.leave };
    return html`<li class="row"><div class="title"><h2><a href="${role === 'billing' ? teamPath(owner_id, product_id) : `/library/${product_id}`}">${name}</a></h2><p class="kind">${m.roles[role]}${owner_email === null ? '' : ` · ${m.of(owner_email)}`}</p></div>
${confirmation(page, { ...leave, action, fields: {} })}</li>`;
  });
  return layout(page, {
    title: m.title,
    section: 'devices',
    body: html`<h1>${page.m.nav.devices}</h1>${deviceTabs(page, 'teams')}<p class="lead">${m.lead}</p>${noticeBox(notice)}
${links.length === 0 ? '' : html`<div class="card"><ul class="plainlist">${links}</ul></div>`}
${rows.length === 0 ? '' : html`<div class="card"><ul class="rows">${rows}</ul></div>`}${links.length + rows.length === 0 ? html`<p class="none">${m.none}</p>` : ''}`,
  });
};

type Invitation = { readonly product: Product; readonly from: string; readonly role: 'billing' | 'member' };

const invitationView = (page: Page, path: string, { product, from, role }: Invitation): Html => {
  const { teams: m } = page.m;
  const name = nameOf(page, product, product.id);
  return layout(page, {
    title: m.titleOf(name),
    section: 'devices',
    body: html`<h1>${m.titleOf(name)}</h1><p class="lead">${m.invitation[role](from, name)}</p>
<form method="post" action="${path}/accept">${hiddenFields(page, {})}<button class="main">${m.accept}</button></form>`,
  });
};

/** The teams of an account, and the page of each with its people, or with an invitation to it. */
export const addTeamPages = (paths: Paths): void => {
  const { acceptInvitation, askForLink, catalogs, findInvitation, inviteToTeam, listTeams, removeFromTeam, showTeam } =
    paths.settings.parts;

  const noticeOf = ({ query }: Pick<OwnVisit, 'query'>) =>
    noticeIn(query, { done: ({ teams: { done } }) => done, faults: ({ teams: { faults } }) => faults });

  const inputOf = async ({ req, session }: OwnVisit) => {
    const owner_id = idIn(String(req.params['owner'])) ?? 0;
    const product = (await catalogs.current()).products.get(idIn(String(req.params['product'])) ?? 0);
    return product && { account_id: session.account_id, owner_id, product, path: teamPath(owner_id, product.id) };
  };

  paths.own('/teams', async (visit) => {
    const listed = await listTeams(visit.session.account_id);
    if (!listed.ok) return show(notFoundView, 404);
    return show((page) => listView(page, listed.value, noticeOf(visit)(page.m)));
  });

  paths.own('/teams/:owner/:product', async (visit) => {
    const input = await inputOf(visit);
    if (!input) return show(notFoundView, 404);
    const { account_id, owner_id, product, path } = input;
    const team = await showTeam(input);
    const isOwner = account_id === owner_id;
    if (team.ok) return show((page) => teamView(page, product, team.value, isOwner, noticeOf(visit)(page.m)));
    const invitation = await findInvitation({ account_id, owner_id, product_id: product.id });
    return invitation ? show((page) => invitationView(page, path, invitation)) : show(notFoundView, 404);
  });

  const from = (req: OwnVisit['req']): string => `/teams/${req.params['owner']}/${req.params['product']}`;

  const invite = async (visit: OwnFormVisit): Promise<Answer> => {
    const { form, permit, language: locale } = visit;
    const input = await inputOf(visit);
    if (!input) return show(notFoundView, 404);
    const email = form.text('email').slice(0, LONGEST_EMAIL);
    const role = form.text('role') === 'billing' ? 'billing' : 'member';
    const begun = await inviteToTeam({ ...input, email, role, locale });
    const invited = typeof begun === 'function' ? await begun({ permit }) : begun;
    if (!invited.ok && invited.code === 'not_found') return show(notFoundView, 404, '/teams');
    const done = askForLink === null ? 'listed' : 'invited';
    return goTo(`${input.path}?done=${invited.ok ? done : invited.code}`);
  };
  paths.boundedForm('/teams/:owner/:product/invite', from, invite);

  const remove = async (visit: OwnFormVisit): Promise<Answer> => {
    const input = await inputOf(visit);
    const begun = input && (await removeFromTeam({ ...input, person_id: visit.form.id('person') ?? null }));
    if (!input || typeof begun !== 'function') return show(notFoundView, 404, '/teams');
    await begun({ permit: visit.permit });
    return goTo((await showTeam(input)).ok ? `${input.path}?done=removed` : '/teams?done=left');
  };
  paths.ownForm('/teams/:owner/:product/remove', from, remove);

  const accept = async (visit: OwnFormVisit): Promise<Answer> => {
    const input = await inputOf(visit);
    if (!input) return show(notFoundView, 404, '/teams');
    const accepted = await acceptInvitation(visit.permit, { ...input, product_id: input.product.id });
    return goTo(`/teams?done=${accepted.ok ? 'accepted' : accepted.code}`);
  };
  paths.boundedForm('/teams/:owner/:product/accept', from, accept);
};
