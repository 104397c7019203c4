import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import type { Passwords } from '../../ports/outbound/accounts.ts';
import { atMost } from './at-most.ts';

/** The cost of a hash (RFC 7914): memory is 128 · N · r bytes, work N · r · p. */
type Cost = { readonly N: number; readonly r: number; readonly p: number };

/** OWASP's recommendation (Password Storage Cheat Sheet): 128 MiB and about a third of a second. */
const COST: Cost = { N: 2 ** 17, r: 8, p: 1 };

/** The most memory (bytes) and work that a stored hash may ask for. */
const MEMORY_CAP = 256 * 1024 * 1024;
const WORK_CAP = 4 * COST.N * COST.r * COST.p;

const HASH_BYTES = 32;
const ENCODED = /^scrypt\$(\d{1,8})\$(\d{1,3})\$(\d{1,3})\$([\w-]{16,128})\$([\w-]{43})$/;

/** A hash at the usual cost that no password is known to have. */
const NOBODYS = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

const inTurn = atMost(2);

const isBearable = ({ N, r, p }: Cost): boolean =>
  N >= 2 && Number.isInteger(Math.log2(N)) && r >= 1 && p >= 1 && 128 * N * r <= MEMORY_CAP && N * r * p <= WORK_CAP;

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
 * Hashes passwords with scrypt, as `scrypt$N$r$p$salt$hash` with salt and hash in base64url. A hash is verified at the
 * cost it was made with. A hash that is malformed or asks for too much matches no password. At most two hashes are
 * computed at once, because each takes 128 MiB.
 */
export const scryptPasswords: Passwords = {
  hash: async (password) => {
    const salt = randomBytes(16);
    const hash = await derive(password, salt, COST);
    return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
  },
  verify: async (password, encoded) => {
    const [, N, r, p, salt = '', hash = ''] = ENCODED.exec(encoded ?? NOBODYS) ?? [];
    const cost: Cost = { N: Number(N), r: Number(r), p: Number(p) };
    if (!isBearable(cost)) return false;
    const derived = await derive(password, Buffer.from(salt, 'base64url'), cost);
    return timingSafeEqual(derived, Buffer.from(hash, 'base64url')) && encoded !== null;
  },
};
