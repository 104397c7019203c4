import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { atMost } from '../../application/shared/at-most.ts';
import { COST, type Cost, MEMORY_CAP, readPasswordHash } from '../../domain/accounts/account.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { Passwords, PasswordTurns, TurnLane } from '../../ports/outbound/accounts.ts';

const HASH_BYTES = 32;

/** A hash at the usual cost that no password is known to have. */
const NOBODYS = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const inTurn = atMost(2);

/** Hashes the composed form (NFC), because some keyboards send a Hangul password decomposed and others do not. */
const derive = (password: string, salt: Buffer, cost: Cost): Promise<Buffer> =>
  inTurn(
    () =>
      new Promise((resolve, reject) => {
        const options = { ...cost, maxmem: MEMORY_CAP + 1024 * 1024 };
        scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, hash) =>
          error ? reject(error) : resolve(hash),
        );
      }),
  );

/**
 * Hashes passwords with scrypt, as `scrypt$N$r$p$salt$hash` with salt and hash in base64url. A hash is verified with
 * its own cost parameters. A malformed hash, or one with an excessive cost, matches no password. At most two hashes are
 * computed at once, because each takes 128 MiB.
 */
export const scryptPasswords: Passwords = {
  hash: async (password) => {
    const salt = randomBytes(16);
    const hash = await derive(password, salt, COST);
    return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
  },
  verify: async (password, encoded) => {
    const read = readPasswordHash(encoded ?? NOBODYS);
    if (!read) return false;
    const { cost, salt, hash } = read;
    const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
    return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && encoded !== null;
  },
};

/** The number of hashes that are computed at once. Each takes 128 MiB. */
const RUNNING = 2;

/** The maximum number of waiting tasks in each lane, so that the last one waits for a few seconds. */
const WAITING = 8;

/** The Retry-After, in seconds. */
const RETRY_SECONDS = 5;

/**
 * Runs two tasks at once. In each lane up to eight tasks wait in order of arrival; strangers run only while no known
 * browser waits. Each lane has its own places, so strangers can't take those of known browsers.
 */
export class BoundedTurns implements PasswordTurns {
  #running = 0;
  readonly #waiting: Readonly<Record<TurnLane, (() => void)[]>> = { known: [], stranger: [] };

  async take<T>(lane: TurnLane, task: () => Promise<T>): Promise<Outcome<T, 'busy'>> {
    const queue = this.#waiting[lane];
    if (this.#running < RUNNING) this.#running++;
    else if (queue.length < WAITING) await new Promise<void>((resolve) => queue.push(resolve));
    else {
      return refuse('busy', {
        message: 'Many people are signing in; try again in a moment.',
        data: { retry_after: RETRY_SECONDS },
      });
    }
    try {
      return ok(await task());
    } finally {
      // The slot passes directly to the next task, so that a task arriving now cannot overtake it.
      const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
      if (next) next();
      else this.#running--;
    }
  }
}
