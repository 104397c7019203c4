import { describe, expect, it } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { anAccount } from '../support/account-builders.ts';
import { EVERY_ENTRY } from '../support/audited.ts';
import {
  ACCOUNT,
  type Answer,
  aBrowser,
  aClient,
  anAuthorizationServer,
  authorizeUrl,
  json,
  pkce,
  postForm,
  principalOf,
  REDIRECT,
  SIGNED_IN,
} from './support.ts';

const OTHER = 2;
const BOTH = 'mcp.read products.read';
const { verifier: code_verifier, challenge: code_challenge } = pkce();

/** A browser on the consent page. */
const asked = async () => {
  const server = await anAuthorizationServer();
  await server.service.get('accounts').save(grantPermit(), anAccount({ id: OTHER }));
  const client_id = await aClient(server);
  const browser = aBrowser(server);
  const started = await browser.open(authorizeUrl({ client_id, code_challenge }));
  const page = started.headers.get('location') as string;
  const post = (query: string): Promise<Answer> => browser.open(`${page}?${query}`, { method: 'POST' });
  const approve = (account: number, permissions = BOTH): Promise<Answer> =>
    post(String(new URLSearchParams({ account: String(account), permissions })));
  /** Follows the page to the application. */
  const goOn = async (answer: Answer): Promise<URLSearchParams> => {
    const end = await browser.open(answer.headers.get('location') as string);
    return new URL(end.headers.get('location') as string).searchParams;
  };
  const redeem = async (code: string | null) => {
    const form = { grant_type: 'authorization_code', client_id, code: code ?? '', code_verifier };
    return postForm(server, '/oauth/token', { ...form, redirect_uri: REDIRECT });
  };
  const appsOf = (account: number) => server.service.get('connectedApps').of(account);
  return { server, browser, approve, deny: () => post('deny'), goOn, redeem, appsOf };
};

it('the longest unused application is disconnected if an account approves more than 50', async () => {
  const server = await anAuthorizationServer();
  const client_id = await aClient(server);
  const letIn = async (): Promise<void> => {
    const browser = aBrowser(server);
    const started = await browser.open(authorizeUrl({ client_id, code_challenge }));
    const query = new URLSearchParams({ account: String(ACCOUNT), permissions: BOTH });
    await browser.open(`${started.headers.get('location')}?${query}`, { method: 'POST' });
  };
  const apps = () => server.service.get('connectedApps').of(ACCOUNT);
  await letIn();
  const [first] = await apps();
  for (let n = 1; n < 50; n++) await letIn();
  expect(await apps()).toContainEqual(first);
  await letIn();
  const left = await apps();
  expect(left).toHaveLength(50);
  expect(left).not.toContainEqual(first);
});

describe('an approved request that was not yet answered', () => {
  it('an approved request belongs to the last account that approved it', async () => {
    const { server, approve, goOn, redeem, appsOf } = await asked();
    await approve(ACCOUNT);
    const end = await goOn(await approve(OTHER));
    const { access_token } = json(await redeem(end.get('code')));
    expect(await principalOf(server, access_token)).toMatchObject({ account_id: OTHER });
    expect(await appsOf(ACCOUNT)).toEqual([]);
    expect(await appsOf(OTHER)).toHaveLength(1);
    const told = await Array.fromAsync(server.service.get('auditLog').list({ ...EVERY_ENTRY, action: 'app' }));
    expect(told.map(({ action, account_id }) => `${action} ${account_id}`).toSorted()).toEqual([
      `app.connected ${ACCOUNT}`,
      `app.connected ${OTHER}`,
      `app.disconnected ${ACCOUNT}`,
    ]);
  });

  it('an approved request has the permissions that were chosen last', async () => {
    const { approve, goOn, redeem, appsOf } = await asked();
    await approve(ACCOUNT, BOTH);
    const end = await goOn(await approve(ACCOUNT, 'mcp.read'));
    expect(json(await redeem(end.get('code'))).scope).toBe('mcp.read');
    expect(await appsOf(ACCOUNT)).toMatchObject([{ permissions: ['mcp.read'] }]);
  });

  it('an application is not listed if it is denied afterwards, and is listed if it is approved again', async () => {
    const { approve, deny, goOn, appsOf } = await asked();
    await approve(ACCOUNT);
    const denied = await deny();
    expect(await appsOf(ACCOUNT)).toEqual([]);
    await approve(ACCOUNT);
    expect(await appsOf(ACCOUNT)).toHaveLength(1);
    await deny();
    expect((await goOn(denied)).get('error')).toBe('access_denied');
    expect(await appsOf(ACCOUNT)).toEqual([]);
  });

  it('an application that is approved several times at once is listed once', async () => {
    const { approve, goOn, redeem, appsOf } = await asked();
    const answers = await Promise.all([
      ...Array.from({ length: 5 }, () => approve(ACCOUNT)),
      approve(OTHER),
      ...['mcp.read', 'products.read'].map((permissions) => approve(ACCOUNT, permissions)),
    ]);
    expect(new Set(answers.map(({ headers }) => headers.get('location'))).size).toBe(1);
    const listed = [...(await appsOf(ACCOUNT)), ...(await appsOf(OTHER))];
    expect(listed).toHaveLength(1);
    const [app] = listed;
    const end = await goOn(await approve(app?.account_id ?? 0, app?.permissions.join(' ')));
    expect((await redeem(end.get('code'))).status).toBe(200);
  });

  it.each([
    ['another account', String(OTHER)],
    ['nobody', ''],
  ])('the application gets nothing if %s is signed in when the browser continues', async (_who, account) => {
    const { browser, approve, goOn, appsOf } = await asked();
    const answer = await approve(ACCOUNT);
    browser.jar.set(SIGNED_IN, { path: '/', value: account });
    const end = await goOn(answer);
    expect([end.get('error'), end.get('code')]).toEqual(['access_denied', null]);
    expect(await appsOf(ACCOUNT)).toEqual([]);
  });
});
