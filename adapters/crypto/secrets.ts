import { hash, randomBytes, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeySecrets } from '../../ports/outbound/access.ts';
import type { Digest, Secrets } from '../../ports/outbound/system.ts';

export const digest: Digest = { sha256: (text) => hash('sha256', text, 'hex') };

/** Random values from the operating system's generator. */
export const secrets: Secrets = {
  value: () => randomBytes(32).toString('base64url'),
  letters: (alphabet, length) => Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join(''),
};

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The number of base62 characters for 32 bytes, and for a CRC32. */
const SECRET_WIDTH = 43;
const CHECK_WIDTH = 6;

/** The number of characters of a value that lists show: its prefix and the start of the random part. */
const SHOWN = 10;

const base62 = (bytes: Buffer): string => {
  let text = '';
  for (let rest = BigInt(`0x${bytes.toString('hex')}`); rest > 0n; rest /= 62n)
    text = ALPHABET[Number(rest % 62n)] + text;
  return text.padStart(SECRET_WIDTH, '0');
};

/**
 * The check characters at the end of a key. CRC32 detects every error burst of up to 32 bits, and so every single wrong
 * character and every swap of two neighbors. It misses one in 4,294,967,296 of all other mistakes.
 */
const checkOf = (checked: string): string => {
  let text = '';
  for (let rest = crc32(checked); text.length < CHECK_WIDTH; rest = Math.floor(rest / 62))
    text = ALPHABET[rest % 62] + text;
  return text;
};

const hashOf = (value: string): string => digest.sha256(value);

/**
 * Mints and hashes values of one kind: the prefix of the kind, 32 random bytes in base62, and the CRC32 of everything
 * before it in base62. A malformed value, or one of another kind, has no hash.
 */
const secretsWith = (prefix: string): KeySecrets => {
  const checkedLength = prefix.length + SECRET_WIDTH;
  const wellFormed = new RegExp(`^${prefix}[0-9A-Za-z]{${SECRET_WIDTH + CHECK_WIDTH}}$`);
  return {
    mint: () => {
      const checked = prefix + base62(randomBytes(32));
      const value = checked + checkOf(checked);
      return { value, hash: hashOf(value), prefix: value.slice(0, prefix.length + SHOWN) };
    },
    hash: (value) =>
      wellFormed.test(value) && checkOf(value.slice(0, checkedLength)) === value.slice(checkedLength)
        ? hashOf(value)
        : undefined,
  };
};

/** The values of API keys: `svc_` and 49 characters. */
export const keySecrets: KeySecrets = secretsWith('svc_');

/** The form of a key from an earlier system. Our keys have prefixes, so a mistyped one doesn't match. */
const EARLIER_KEY = /^(?!svc_|agt_|lic_)[\x21-\x7e]{16,1024}$/;

const madeHere = secretsWith('lic_');

/** The values of license keys: `lic_` and 49 characters. Keys of earlier systems are hashed too. */
export const licenseKeySecrets: KeySecrets = {
  mint: madeHere.mint,
  hash: (value) => madeHere.hash(value) ?? (EARLIER_KEY.test(value) ? hashOf(value) : undefined),
};

/** The values of agent tokens: `agt_` and 49 characters. */
export const agentTokenSecrets: KeySecrets = secretsWith('agt_');
