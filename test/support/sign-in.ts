import { grantPermit } from '../../domain/access/grant-permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Passwords, PasswordTurns, TurnLane } from '../../ports/outbound/accounts.ts';
import { keys } from '../../runtimes/composition/areas/access.ts';
import { accountPages } from '../../runtimes/composition/areas/account-pages.ts';
import { erasure, ownAccount } from '../../runtimes/composition/areas/accounts.ts';
import { billing } from '../../runtimes/composition/areas/billing.ts';
import { catalog } from '../../runtimes/composition/areas/catalog.ts';
import { delivery } from '../../runtimes/composition/areas/delivery.ts';
import { licensing } from '../../runtimes/composition/areas/licensing.ts';
import { signIn } from '../../runtimes/composition/areas/sign-in.ts';
import { oauth, passwordReset } from '../../runtimes/composition/areas/sign-in-records.ts';
import { support } from '../../runtimes/composition/areas/support.ts';
import type { Overrides } from '../../runtimes/composition/bootstrap.ts';
import { anAccount } from './account-builders.ts';
import type { Contents } from './contents.ts';
import { aStore } from './memory-store.ts';

/* Helpers for tests of signing in. */

export const PASSWORD = 'correct horse';
export const WRONG_PASSWORD = 'wrong horse';
export const ADDRESS = '203.0.113.7';

/** Passwords that are stored in plain text, and count how often they are verified. */
export const plainPasswords = () => {
  const verified: (string | null)[] = [];
  const passwords: Passwords = {
    hash: async (password) => `plain:${password}`,
    verify: async (password, hash) => {
      verified.push(hash);
      return hash === `plain:${password}`;
    },
  };
  return { passwords, verified };
};

/** A queue that runs tasks immediately until `state.busy` is true, and records the lane of each. */
export const openTurns = () => {
  const state = { busy: false };
  const lanes: TurnLane[] = [];
  const passwordTurns: PasswordTurns = {
    take: async <T>(lane: TurnLane, task: () => Promise<T>): Promise<Outcome<T, 'busy'>> => {
      lanes.push(lane);
      return state.busy ? refuse('busy', { data: { retry_after: 5 } }) : ok(await task());
    },
  };
  return { passwordTurns, lanes, state };
};

/** A store in which account 1 has a password and account 2 has none, with the sign-in use cases. */
export const aSignInStore = async (contents: Contents = {}, overrides: Overrides = {}) => {
  const { passwords, verified } = plainPasswords();
  const { passwordTurns, lanes, state } = openTurns();
  const accounts = [anAccount({ id: 1, password_hash: `plain:${PASSWORD}` }), anAccount({ id: 2 })];
  const store = await aStore(
    [
      accountPages,
      billing,
      catalog,
      delivery,
      erasure,
      keys,
      licensing,
      oauth,
      ownAccount,
      passwordReset,
      signIn,
      support,
    ],
    { accounts, ...contents },
    { passwords, passwordTurns, ...overrides },
  );
  const attempt = {
    email: 'buyer-1@example.com',
    password: PASSWORD,
    address: ADDRESS,
    browser: 'Firefox',
    known: null as string | null,
  };
  const sessionOf = async (account_id: number) => {
    const link = await store.get('createSignInLink')(grantPermit(), account_id);
    if (!link.ok) throw new Error(link.message);
    const opened = await store.get('useSignInLink')({ code: link.value.code, browser: 'Firefox', address: ADDRESS });
    if (!opened.ok) throw new Error(opened.message);
    return opened.value;
  };
  return {
    store,
    verified,
    turns: { lanes, state },
    /** Signs account 1 in, or attempts a variation. */
    signIn: (input: Partial<typeof attempt> = {}) => store.get('signInWithPassword')({ ...attempt, ...input }),
    /** The session of an account that signs in with a one-time link. */
    sessionOf,
    /** The cookie value of a browser that signs in to an account, replacing its former value. */
    remember: async (account_id: number, former: string | null = null): Promise<string> =>
      store.get('rememberBrowser')((await sessionOf(account_id)).session, former),
  };
};
