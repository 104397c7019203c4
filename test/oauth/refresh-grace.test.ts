import { afterEach, describe, expect, it, vi } from 'vitest';
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

const appsOf = (server: TestServer) => server.service.get('listConnectedApps').execute(ACCOUNT);

describe('the grace of a refresh token', () => {
  it('serves its family 20 more times within the grace; a further use is refused and ends nothing', async () => {
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

  it('serves 21 of 60 refreshes at once', async () => {
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
