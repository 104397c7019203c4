import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Console, MEMBER, openConsole } from '../../../support/console.ts';
import { hiddenFields } from '../../../support/page-browser.ts';

let shop: Console;
beforeEach(async () => {
  shop = await openConsole();
});
afterEach(async () => {
  await shop.close();
  expect(shop.faults).toEqual([]);
});

const words = async (path: string) => (await shop.browser.get(path)).body;
const members = async () => (await shop.service.get('members').read()).members;
const BO = { email: 'bo@example.com', name: 'Bo <i>', role: 'support' };
const add = () => shop.browser.submit('/people', '/people/add', BO);
const bo = async () => (await members()).find(({ name }) => name === BO.name)?.account_id;

describe('the members in the console', () => {
  test('members are listed, added by an address, given another role, and removed', async () => {
    expect(await words('/people')).toContain(MEMBER.email);
    const added = await add();
    const page = await words(added.location ?? '');
    expect(page).toContain('Bo &lt;i&gt; is added. This shop sends no mail');
    const here = `/people/${await bo()}`;
    const saved = await shop.browser.submit(here, `${here}/change`, { name: 'Bo', role: 'orders' });
    expect(await words(saved.location ?? '')).toContain('The new role holds at once');
    expect(await members()).toMatchObject([{ name: MEMBER.name }, { name: 'Bo', role: 'orders' }]);
    const gone = await shop.browser.submit(here, `${here}/remove`, {});
    expect(await words(gone.location ?? '')).toContain('Bo is no longer a member');
    expect(await members()).toHaveLength(1);
    expect((await shop.browser.get(here)).status).toBe(404);
  });

  test('a refusal is in the language of the page', async () => {
    await shop.browser.get('/people?lang=ko');
    const { body } = await shop.browser.submit('/people', '/people/add', { ...BO, email: MEMBER.email });
    expect(body).toMatch(/role="alert"[^>]*>이미 구성원인 주소입니다\./);
  });

  test('the console link is shown once if no mail is sent, and signs in as that person', async () => {
    await add();
    const here = `/people/${await bo()}`;
    const fields = hiddenFields(await words(here), `${here}/link`);
    const { status, body } = await shop.browser.post(`${here}/link`, fields);
    const code = /sign-in\/link\?code=([\w-]{43})/.exec(body)?.[1] ?? '';
    expect(status).toBe(201);
    // A reload of the page that shows the link sends its form again.
    expect((await shop.browser.post(`${here}/link`, fields)).location).toContain(here);
    expect(await words(here)).not.toContain(code);
    const at = { code, browser: 'Firefox', address: '192.0.2.1' };
    expect(await shop.service.get('useSignInLink')(at)).toMatchObject({ code: 'link_not_usable' });
    expect(await shop.service.get('useSignInLink')({ ...at, place: 'console' })).toMatchObject({ ok: true });
  });

  test.each([
    ['/people', 'add', { ...BO, email: MEMBER.email }, 'is a member already'],
    ['/people', 'add', { ...BO, email: 'bo' }, 'value="bo"'],
    [
      `/people/${MEMBER.account_id}`,
      'change',
      { name: 'Olga', role: 'orders' },
      'last member with the role everything',
    ],
    [`/people/${MEMBER.account_id}`, 'remove', {}, 'last member with the role everything'],
    ['/people', 'revoke', { token: '9' }, 'no live agent token'],
  ])('a refused step on %s (%s) says why beside its form, with the typed text', async (page, step, fields, said) => {
    await shop.browser.submit('/people', '/people/token', { name: 'x', role: 'orders' });
    const { status, body } = await shop.browser.submit(page, `${page}/${step}`, fields);
    expect([status >= 400, body.includes(said)]).toEqual([true, true]);
    expect(await members()).toMatchObject([{ account_id: MEMBER.account_id, name: MEMBER.name, role: 'everything' }]);
  });

  test('a token is shown once and ends when it is revoked', async () => {
    const made = await shop.browser.submit('/people', '/people/token', { name: 'Warehouse', role: 'orders' });
    const value = /agt_\w{49}/.exec(made.body)?.[0] ?? '';
    expect([made.status, value.length]).toEqual([201, 53]);
    const page = await words('/people');
    expect([page.includes('Warehouse'), page.includes(value)]).toEqual([true, false]);
    const [token] = await shop.service.get('listAgentTokens')();
    const revoked = await shop.browser.submit('/people', '/people/revoke', { token: String(token?.id) });
    expect(await words(revoked.location ?? '')).toContain('The token is revoked');
    expect(await shop.service.get('listAgentTokens')()).toEqual([]);
  });
});
