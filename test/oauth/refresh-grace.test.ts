import { afterEach, describe, expect, it, vi } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { TOKENS_A_DAY } from '../../domain/sign-in/oauth-grant.ts';
import {
  ACCOUNT,
  type Answer,
  anAuthorizationServer,
  json,
  principalOf,
  refresh,
  signedIn,
  type TestServer,
} from './support.ts';

afterEach(() => vi.useRealTimers());

const outcome = (answer: Answer) => [answer.status, json(answer).error];
const REFUSED = [400, 'invalid_grant'];

const appsOf = (server: TestServer) => server.service.get('connectedApps').of(ACCOUNT);

it('an application gets a limited number of tokens a day, and its refresh token works on the next', async () => {
  const server = await anAuthorizationServer();
  const { client_id, tokens } = await signedIn(server);
  const [app] = await appsOf(server);
  const { service } = server;
  const now = service.get('clock').now();
  await service.get('dailyBounds').count(grantPermit(), TOKENS_A_DAY, app?.grant_id ?? '', 998, now);
  const last = await refresh(server, client_id, tokens.refresh_token);
  expect(last.status).toBe(200);
  const { refresh_token } = json(last);
  const refused = await refresh(server, client_id, refresh_token);
  expect([...outcome(refused), Number(refused.headers.get('retry-after')) > 0]).toEqual([
    429,
    'temporarily_unavailable',
    true,
  ]);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
  expect((await refresh(server, client_id, refresh_token)).status).toBe(200);
});

describe('the grace period of a refresh token', () => {
  it('a used refresh token works 20 more times within its grace period, and a later use is refused and ends nothing', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const again = () => refresh(server, client_id, tokens.refresh_token);
    vi.useFakeTimers({ toFake: ['Date'] });
    const answers = [await again()];
    for (let n = 0; n < 20; n++) answers.push(await again());
    expect(answers.map(({ status }) => status)).toEqual(Array(21).fill(200));
    expect(outcome(await again())).toEqual(REFUSED);
    expect((await Promise.all([again(), again()])).map(outcome)).toEqual([REFUSED, REFUSED]);
    for (const answer of answers) expect(await principalOf(server, json(answer).access_token)).toBeDefined();
    expect((await refresh(server, client_id, json(answers[20] as Answer).refresh_token)).status).toBe(200);
  });

  it('of 60 simultaneous refreshes 21 succeed', async () => {
    const server = await anAuthorizationServer();
    const { client_id, tokens } = await signedIn(server);
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => refresh(server, client_id, tokens.refresh_token)),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(21);
    expect(statuses.filter((status) => status === 400)).toHaveLength(39);
    expect(await appsOf(server)).toHaveLength(1);
  });
});
