import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Service } from '../../../../runtimes/composition/bootstrap.ts';
import { anAccount } from '../../../support/account-builders.ts';
import { aBuyersService, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { anEntitlement, aProduct } from '../../../support/builders.ts';
import { PageBrowser } from '../../../support/page-browser.ts';

const [MEMBER, STRANGER] = ['buyer-2@example.com', 'buyer-3@example.com'];
const TEAM = '/teams/1/1';

describe('the pages of teams', () => {
  let service: Service;
  let server: PagesServer;
  let owner: PageBrowser;

  beforeEach(async () => {
    service = await aBuyersService({
      accounts: [
        anAccount({ id: 2, email: MEMBER, password_hash: `salt:${PASSWORD}` }),
        anAccount({ id: 3, email: STRANGER, password_hash: `salt:${PASSWORD}` }),
      ],
      products: [aProduct({ id: 1, name: { en: 'Hashcheck' }, slots: 'persons' })],
      entitlements: [anEntitlement({ id: 11, product_id: 1, source_quantity: 3 })],
    });
    ({ server, browser: owner } = await openPages(service));
  });
  afterEach(() => server.close());

  const signedIn = async (email: string) => {
    const browser = new PageBrowser(server.url);
    await browser.signIn(email, PASSWORD);
    return browser;
  };
  /** The page after a form. */
  const sent = async (one: PageBrowser, page: string, action: string, fields: Record<string, string> = {}) => {
    const { location } = await one.submit(page, action, fields);
    return (await one.get(location ?? '')).body;
  };
  const invite = (email: string, role = 'member') => sent(owner, TEAM, `${TEAM}/invite`, { email, role });
  const peopleOf = async () => (await service.get('teams').read(1, 1)).team.people;

  test('an owner invites, and the person accepts by a button rather than by opening the page, and can leave', async () => {
    expect((await owner.get('/teams')).body).toContain('1 of 3 seats taken');
    // This service sends no mail, so the owner learns what to hand over.
    const page = await invite(MEMBER);
    expect(page).toContain('No mail was sent');
    expect(page).toContain(`${TEAM}</code>`);
    const member = await signedIn(MEMBER);
    expect((await member.get(TEAM)).body).toContain('invites you to use Hashcheck');
    expect(await peopleOf()).toMatchObject([{ account_id: null }]);
    expect(await sent(member, TEAM, `${TEAM}/accept`)).toContain('You are in the team.');
    expect(await peopleOf()).toMatchObject([{ account_id: 2 }]);
    expect((await member.get(TEAM)).status).toBe(200);
    expect(await sent(member, '/teams', `${TEAM}/remove`)).toContain('You left the team.');
    expect(await peopleOf()).toEqual([]);
  });

  test('other people’s team looks nonexistent, even to an invited person with another address', async () => {
    await invite(MEMBER);
    const stranger = await signedIn(STRANGER);
    for (const path of [TEAM, '/teams/1/99', '/teams/99/1', '/teams/a/b'])
      expect([path, (await stranger.get(path)).status]).toEqual([path, 404]);
    const csrf = /name="csrf" value="([^"]*)"/.exec((await stranger.get('/teams')).body)?.[1] ?? '';
    for (const action of ['invite', 'remove'])
      expect((await stranger.post(`${TEAM}/${action}`, { csrf, email: STRANGER, person: '1' })).status).toBe(404);
    expect((await stranger.post(`${TEAM}/accept`, { csrf })).location).toBe('/teams?done=invitation_not_found');
    expect(await peopleOf()).toHaveLength(1);
  });

  test('a person with the billing role manages the seats and has no form for the owner’s', async () => {
    await invite(MEMBER, 'billing');
    const member = await signedIn(MEMBER);
    await sent(member, TEAM, `${TEAM}/accept`);
    const { body } = await member.get(TEAM);
    expect([body.includes('Give up the seat'), body.includes(`${TEAM}/invite`)]).toEqual([false, true]);
    expect((await owner.get(TEAM)).body).toContain('Give up the seat');
    const [person] = await peopleOf();
    expect(await sent(member, TEAM, `${TEAM}/remove`, { person: String(person?.id) })).toContain('You left the team.');
  });

  test.each([
    ['no address', 'nobody', 'not a valid email address'],
    ['a person beyond the seats', 'third@example.com', 'All seats are taken.'],
  ])('an invitation of %s is refused with a reason', async (_, email, words) => {
    await invite(MEMBER);
    await invite(STRANGER);
    expect(await invite(email)).toContain(words);
  });
});
