import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Consents } from '../../../../adapters/web/account/parts.ts';
import { toInstant } from '../../../../domain/shared/instant.ts';
import type { ConnectedApp, ConsentDecision, ConsentRequest } from '../../../../domain/sign-in/oauth-grant.ts';
import { aBuyersService, EMAIL, letIn, openPages, PASSWORD, type PagesServer } from '../../../support/account-pages.ts';
import { hiddenFields, PageBrowser } from '../../../support/page-browser.ts';
import { A_STOREFRONT } from '../../../support/public-builders.ts';

const REQUEST: ConsentRequest = {
  uid: 'abc_1-2',
  client: { id: 'client', name: 'Claude <b>', uri: 'javascript:alert(1)', is_metadata_document: false },
  redirect_host: 'claude.ai',
  redirects_to_this_machine: false,
  permissions: ['products.read', 'orders.read', 'mcp.read'],
  resource: 'https://api.example.com/api/mcp',
};

const DECIDED = 'https://account.example.com/oauth/authorize/abc';

describe('the consent page of OAuth', () => {
  let server: PagesServer;
  let browser: PageBrowser;
  let request: ConsentRequest | null;
  let decisions: (ConsentDecision | 'denied')[];

  const consents: Consents = {
    find: async () => request,
    approve: async (_req, _res, _permit, decision) => {
      decisions.push(decision);
      return DECIDED;
    },
    deny: async () => {
      decisions.push('denied');
      return DECIDED;
    },
  };

  beforeEach(async () => {
    [request, decisions] = [REQUEST, []];
    ({ server, browser } = await openPages(await aBuyersService(), consents));
  });

  afterEach(() => server.close());

  const PAGE = '/interaction/abc_1-2';

  test('the consent page shows the client’s claimed name, its redirect host, the account and each permission', async () => {
    const { body } = await browser.get(PAGE);
    expect(body).toContain('Claude &lt;b&gt;');
    expect(body).toContain('we have not verified it');
    expect(body).toContain('<strong>claude.ai</strong>');
    expect(body).toContain(EMAIL);
    expect(body).toContain('See all orders, invoices and payment methods of your account');
    expect(body).not.toContain('href="javascript:');
    expect(body).not.toContain('this computer');
  });

  test.each([
    ['the host that gets the answer', false, 'Allow an app at claude.ai to access your account?'],
    ['this computer', true, 'Allow an app on this computer to access your account?'],
  ])('the headline names %s and not the client’s claimed name', async (_, redirects_to_this_machine, text) => {
    request = { ...REQUEST, redirects_to_this_machine };
    const { body } = await browser.get(PAGE);
    expect(body).toContain(`<h1>${text}</h1>`);
    expect(body).not.toContain('class="lead"');
    expect(body).toContain('value="deny">Deny</button>');
    expect(body).toContain(`<title>${text} ·`);
  });

  test('a client that redirects to this machine is marked', async () => {
    for (const redirect_host of ['localhost', 'cursor://']) {
      request = { ...REQUEST, redirect_host, redirects_to_this_machine: true };
      expect((await browser.get(PAGE)).body).toContain(
        `${redirect_host}<small>this computer (a program on it)</small>`,
      );
    }
  });

  test.each([
    ['everything', ['products.read', 'orders.read'], ['products.read', 'orders.read', 'mcp.read']],
    ['one thing', ['products.read'], ['products.read', 'mcp.read']],
    ['nothing that is optional', [], ['mcp.read']],
    ['more than was asked for', ['products.read', 'device.activate', 'nonsense'], ['products.read', 'mcp.read']],
  ])('a person who ticks %s grants exactly that', async (_, permission, permissions) => {
    const answer = await browser.submit(PAGE, PAGE, { decision: 'allow', permission });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(`<meta http-equiv="refresh" content="0;url=${DECIDED}">`);
    expect(decisions).toEqual([{ account_id: 1, permissions }]);
  });

  test.each(['deny', '', 'ALLOW'])('the decision %j grants nothing', async (decision) => {
    await browser.submit(PAGE, PAGE, { decision, permission: ['products.read'] });
    expect(decisions).toEqual(['denied']);
  });

  test('an expired request, or another browser’s, shows a page that says what to do', async () => {
    const form = hiddenFields((await browser.get(PAGE)).body, PAGE);
    request = null;
    const [page, sent] = [await browser.get(PAGE), await browser.post(PAGE, { ...form, decision: 'allow' })];
    expect([page.status, sent.status]).toEqual([404, 404]);
    expect(page.body).toContain('Go back to the app and start again.');
    expect(decisions).toEqual([]);
  });

  test('a consent without the session’s token is 403', async () => {
    expect((await browser.post(PAGE, { decision: 'allow' })).status).toBe(403);
    expect(decisions).toEqual([]);
  });

  test('a visitor signs in first and returns to the request', async () => {
    const visitor = new PageBrowser(server.url);
    expect((await visitor.get(PAGE)).location).toBe(`/sign-in?next=${encodeURIComponent(PAGE)}`);
    expect((await visitor.signIn(EMAIL, PASSWORD, PAGE)).location).toBe(PAGE);
  });

  test('a person with the wrong account can sign out and return to the request', async () => {
    const { body } = await browser.get(PAGE);
    const [, second] = [...body.matchAll(/<form method="post" action="\/sign-out"[^>]*>[\s\S]*?<\/form>/g)].map(
      ([form]) => form,
    );
    const left = await browser.post('/sign-out', hiddenFields(second as string, '/sign-out'));
    expect(left.location).toBe(`/sign-in?next=${encodeURIComponent(PAGE)}`);
  });
});

describe('the page of connected apps', () => {
  const anApp = (overrides: Partial<ConnectedApp> = {}): ConnectedApp => ({
    grant_id: 'grant-1',
    account_id: 1,
    client_id: 'client',
    client_name: '<i>Claude</i>',
    redirect_host: 'claude.ai',
    permissions: ['products.read', 'mcp.read'],
    created_at: toInstant(Date.now()),
    last_used_at: toInstant(Date.now()),
    ...overrides,
  });

  test('an app is disconnected after a confirmation, and another account’s app stays', async () => {
    const apps = [
      anApp({ redirect_host: '127.0.0.1' }),
      anApp({ grant_id: 'grant-2', account_id: 2, client_name: 'Not yours' }),
    ];
    const service = await aBuyersService();
    await letIn(service, apps);
    const { server, browser } = await openPages(service);
    const others = () => service.get('listConnectedApps')(2);
    const { body } = await browser.get('/apps');
    const form = hiddenFields(body, '/apps/disconnect');
    const foreign = await browser.post('/apps/disconnect', { ...form, app: 'grant-2' });
    const own = await browser.post('/apps/disconnect', form);
    const after = await browser.get('/apps');
    await server.close();
    expect(body).toContain('&lt;i&gt;Claude&lt;/i&gt;');
    expect(body).toContain('<dd>a program on this computer</dd>');
    expect(body).not.toContain('Not yours');
    expect([foreign.location, own.location]).toEqual(['/apps?done=gone', '/apps?done=disconnected']);
    expect(await others()).toHaveLength(1);
    expect(after.body).toContain('No apps yet');
  });

  test.each([
    ['Solar Apps', 'solar-apps'],
    ['Söhne & Co. "$(rm -rf /)"', 'sohne-co-rm-rf'],
    ['해시체크', 'account'],
    [undefined, 'account'],
  ])('the apps page adds the account of the shop %s to an agent as %s and links to the device code page', async (name, server) => {
    const service = await aBuyersService(name === undefined ? {} : { storefront: { ...A_STOREFRONT, name } });
    const opened = await openPages(service);
    const body = (await opened.browser.get('/apps')).body.replaceAll(/<\/?span[^>]*>/g, '');
    await opened.server.close();
    expect(body).toContain(`>claude mcp add --transport http ${server} https://api.example.com/api/mcp</code>`);
    expect(body).toContain(`>codex mcp add ${server} --url https://api.example.com/api/mcp</code>`);
    expect(body).toContain('<a class="button" href="/device">Enter a device code</a>');
  });
});
