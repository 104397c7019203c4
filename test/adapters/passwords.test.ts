import { scryptSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { scryptPasswords } from '../../adapters/crypto/passwords.ts';
import { atMost } from '../../application/shared/at-most.ts';

/** A hash with the given cost, computed without the code under test. */
const encode = (password: string, N = 16, r = 1, p = 1, salt = 'salt of a test, long enough'): string => {
  const hash = scryptSync(password, salt, 32, { N, r, p });
  return `scrypt$${N}$${r}$${p}$${Buffer.from(salt).toString('base64url')}$${hash.toString('base64url')}`;
};

describe('a password hash', () => {
  test('a password hash has OWASP’s cost and its own salt, and matches only its password', async () => {
    const [first, second] = await Promise.all([
      scryptPasswords.hash('한글 passphrase'),
      scryptPasswords.hash('한글 passphrase'),
    ]);
    expect(first).toMatch(/^scrypt\$131072\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
    expect(second).not.toBe(first);
    expect(await scryptPasswords.verify('한글 passphrase', first)).toBe(true);
    expect(await scryptPasswords.verify('한글 passphrasE', first)).toBe(false);
  });

  test('a password hash is verified at its own cost', async () => {
    expect(await scryptPasswords.verify('open sesame', encode('open sesame', 1024, 4, 2))).toBe(true);
    expect(await scryptPasswords.verify('open sesame', encode('open sesame', 1024, 4, 2).replace('$4$', '$5$'))).toBe(
      false,
    );
  });

  test('a password hash matches a password in any Unicode normalization form', async () => {
    const hash = encode('한글 é'.normalize('NFC'));
    expect(await scryptPasswords.verify('한글 é'.normalize('NFD'), hash)).toBe(true);
  });

  test('a missing hash matches no password and takes as long as a usual one', async () => {
    const timed = async (hash: string | null): Promise<number> => {
      const start = performance.now();
      expect(await scryptPasswords.verify('open sesame', hash)).toBe(false);
      return performance.now() - start;
    };
    const [usual, none] = [await timed(await scryptPasswords.hash('another')), await timed(null)];
    expect(none).toBeGreaterThan(usual / 4);
    expect(none).toBeLessThan(usual * 4);
  });

  test.each([
    ['an empty hash', ''],
    ['a hash of another algorithm', '$2b$12$abcdefghijklmnopqrstuuKkEhO2UOeZ5yqQGqQm1Qn3hJwqCqS6e'],
    ['a hash that is cut short', encode('x').slice(0, -1)],
    ['a hash with more text after it', `${encode('x')}x`],
    ['a hash with an N that is not a power of two', encode('x').replace('$16$', '$17$')],
    ['a hash with no work', encode('x').replace('$16$', '$1$')],
    ['a hash with no blocks', encode('x').replace('$1$1$', '$0$1$')],
    ['a hash with an excess of memory', encode('x').replace('$16$', '$4194304$')],
    ['a hash with an excess of work', encode('x').replace('$16$1$1$', '$16384$8$999$')],
  ])('the hash %s matches no password and is rejected at once', async (_, hash) => {
    const start = performance.now();
    expect(await scryptPasswords.verify('x', hash)).toBe(false);
    expect(performance.now() - start).toBeLessThan(100);
  });
});

describe('the queue of password hashes', () => {
  test('a queue runs at most its limit of tasks at once, starts them in order and continues after a failure', async () => {
    const inTurn = atMost(2);
    const order: number[] = [];
    let running = 0;
    let most = 0;
    const task = (n: number) => async () => {
      order.push(n);
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5 - (n % 5)));
      running--;
      if (n === 3) throw new Error('three');
      return n;
    };
    const results = await Promise.allSettled(Array.from({ length: 12 }, (_, n) => inTurn(task(n))));
    expect(most).toBe(2);
    expect(order).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});
