import { describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { USER_CODES_PER_ACCOUNT } from '../../domain/sign-in/attempts.ts';
import { memoryService } from '../support/service.ts';
import { newFile, open } from './sqlite/folder.ts';

const permit = grantPermit();
const address = '203.0.113.7';
const TWENTY = Array.from({ length: 20 }, (_, n) => n);

/** Two services on one SQLite file, like two processes, and a new account. Calls alternate between them. */
const twoServices = async () => {
  const file = newFile();
  const services = [0, 1].map(() => memoryService({ table: open(file) }));
  let calls = 0;
  const next = () => services[calls++ % 2]!;
  const added = await next().get('addAccount')(grantPermit(), {
    email: 'a@example.com',
    name: null,
    password: 'correct horse',
  });
  if (!added.ok) throw new Error(added.message);
  return { next, account_id: added.value.id };
};

describe('simultaneous sign-ins on two SQLite connections', () => {
  test('twenty simultaneous devices all get a key, and exactly three keys stay live', async () => {
    const { next, account_id } = await twoServices();
    const redeemed = await Promise.all(
      TWENTY.map(async (n) => {
        const device = { client_id: 'cli', device_id: `d${n}`, device_name: null, address };
        const started = await next().get('startDeviceSignIn')(device);
        if (!started.ok) return started;
        const { device_code, user_code } = started.value;
        const decision = { account_id, address, user_code, decision: 'approve', device_name: null } as const;
        const decided = await next().get('decideDeviceSignIn')(permit, decision);
        return decided.ok ? next().get('redeemDeviceSignIn')(permit, { device_code, client_id: 'cli' }) : decided;
      }),
    );
    expect(redeemed.filter(({ ok }) => ok)).toHaveLength(20);
    const listed = await next().get('listApiKeys')({ account_id: account_id });
    expect(listed.ok && listed.value.filter(({ revoked_at }) => revoked_at === null)).toHaveLength(3);
  });

  test('a one-time link that is used twenty times at once signs in exactly once', async () => {
    const { next, account_id } = await twoServices();
    const made = await next().get('createSignInLink')(permit, account_id);
    const code = made.ok ? made.value.code : '';
    const used = await Promise.all(
      TWENTY.map(() => next().get('useSignInLink')({ code, browser: 'Firefox', address })),
    );
    expect(used.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await next().get('listSessions')(account_id)).toHaveLength(1);
  });

  test('of twenty browsers that use the setup link at once, exactly one becomes the first member', async () => {
    const { next } = await twoServices();
    const code = (await next().get('offerSetup')(permit)) ?? '';
    const used = await Promise.all(
      TWENTY.map((n) => {
        const owner = { email: `owner-${n}@example.com`, name: `Owner ${n}` };
        return next().get('useSetup')(permit, code, owner, { browser: 'Firefox', address });
      }),
    );
    const opened = used.flatMap((one) => (one.ok ? [one.value.session] : []));
    expect(opened).toHaveLength(1);
    const { members } = await next().get('members').read();
    expect(members).toMatchObject([{ account_id: opened[0]?.account_id, role: 'everything' }]);
    const accounts = await next().get('listAccounts')();
    expect(accounts.map(({ email }) => email)).toEqual(['a@example.com', expect.stringMatching(/^owner-/)]);
    expect(await next().get('peekSetup')(code)).toBeUndefined();
    expect(await next().get('offerSetup')(permit)).toBeNull();
  });

  test('of twenty simultaneous polls exactly one redeems an approved device', async () => {
    const { next, account_id } = await twoServices();
    const device = { client_id: 'cli', device_id: 'd', device_name: null, address };
    const started = await next().get('startDeviceSignIn')(device);
    if (!started.ok) throw new Error(started.code);
    const { device_code, user_code } = started.value;
    const decision = { account_id, address, user_code, decision: 'approve', device_name: null } as const;
    await next().get('decideDeviceSignIn')(permit, decision);
    const redeemed = await Promise.all(
      TWENTY.map(() => next().get('redeemDeviceSignIn')(permit, { device_code, client_id: 'cli' })),
    );
    expect(redeemed.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test('simultaneous guesses on both connections stay within the limit', async () => {
    const { next } = await twoServices();
    const guess = { email: 'a@example.com', password: 'wrong horse', address, browser: 'Firefox', known: null };
    const guesses = await Promise.all(TWENTY.map(() => next().get('signInWithPassword')(guess)));
    const codes = guesses.map((one) => (one.ok ? 'ok' : one.code));
    expect(codes.filter((code) => code === 'wrong_credentials')).toHaveLength(10);
    const codesTried = await Promise.all(
      [...TWENTY, ...TWENTY].map(() =>
        next().get('findDeviceSignIn')({ account_id: 1, address, user_code: 'BCDF-GHJK' }),
      ),
    );
    const unknown = codesTried.filter((one) => !one.ok && one.code === 'unknown_user_code');
    expect(unknown).toHaveLength(USER_CODES_PER_ACCOUNT);
  });
});
