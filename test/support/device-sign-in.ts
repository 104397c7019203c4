import { grantPermit } from '../../domain/access/grant-permit.ts';
import { millis, toInstant } from '../../domain/shared/instant.ts';
import type { Overrides } from '../../runtimes/composition/bootstrap.ts';
import type { Contents } from './contents.ts';
import { ADDRESS, aSignInStore } from './sign-in.ts';

/* Helpers for tests of device sign-in. */

const permit = grantPermit();

/** A store, and the steps of a device and of the person who approves it. */
export const aDeviceStore = async (contents: Contents = {}, overrides: Overrides = {}) => {
  const { store } = await aSignInStore(contents, overrides);
  const device = { client_id: 'cli', device_id: 'laptop', device_name: 'Laptop', address: ADDRESS };
  const start = async (input: Partial<typeof device> = {}) => {
    const started = await store.get('startDeviceSignIn')({ ...device, ...input });
    if (!started.ok) throw new Error(started.message);
    return started.value;
  };
  const decide = (user_code: string, decision: 'approve' | 'deny' = 'approve', account_id = 1) =>
    store.get('decideDeviceSignIn')(permit, { account_id, address: ADDRESS, user_code, decision, device_name: null });
  return {
    store,
    device,
    start,
    decide,
    find: (user_code: string, account_id = 1) =>
      store.get('findDeviceSignIn')({ account_id, address: ADDRESS, user_code }),
    poll: (device_code: string, client_id = 'cli') =>
      store.get('redeemDeviceSignIn')(permit, { device_code, client_id }),
    /** A device that was approved and has not polled since. */
    approved: async (input: Partial<typeof device> = {}) => {
      const started = await start(input);
      const decided = await decide(started.user_code);
      if (!decided.ok) throw new Error(decided.code);
      return started;
    },
    liveKeys: async () => {
      const listed = await store.get('listApiKeys')({ account_id: 1 });
      return listed.ok ? listed.value.filter(({ revoked_at }) => revoked_at === null) : [];
    },
    wait: (seconds: number) => {
      store.clock.at = toInstant(millis(store.clock.at) + seconds * 1000);
    },
  };
};

/** The code of a refusal, or `ok`. */
export const told = (outcome: { ok: boolean; code?: string }): string => (outcome.ok ? 'ok' : (outcome.code ?? ''));
