import { execFile } from 'node:child_process';
import type { KeyObject } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { CachedSigningKeys } from '../../adapters/crypto/cached-signing-keys.ts';
import { parseSigningKey, publicJwkOf, signingKeyMaker } from '../../adapters/crypto/ed25519-keys.ts';
import { SigningKeyRingFiles } from '../../adapters/crypto/signing-key-ring-files.ts';
import { KEY_USES } from '../../domain/signing/key-use.ts';
import type { SigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import { memoryKeyRings } from '../../runtimes/engines/signing-keys.ts';
import { signingKeyRingsContract } from '../contracts/signing-key-rings.ts';
import { NOW } from '../support/builders.ts';

const aFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'key-rings-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'keys');
};

describe.each(KEY_USES)('the keys of use %s', (use) => {
  signingKeyRingsContract('a folder', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'key-rings-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    return {
      another: () => new SigningKeyRingFiles(folder, use),
      kept: async () =>
        readdirSync(folder)
          .map((name) => readFileSync(join(folder, name), 'utf8'))
          .join(),
      hasFirstKey: use !== 'policy',
    };
  });

  signingKeyRingsContract('memory', async () => {
    const rings = memoryKeyRings()[use];
    return {
      another: () => rings,
      kept: async () => JSON.stringify(await rings.read()),
      hasFirstKey: use !== 'policy',
    };
  });
});

const aRing = (letter: string): SigningKeyRing => [
  { kid: letter.repeat(43), x: letter.repeat(43), d: letter.repeat(43), created_at: NOW, current_from: NOW },
];

describe('the files of key rings', () => {
  test('key files are readable only by their owner, in a folder created for them', async () => {
    const folder = aFolder();
    const rings = new SigningKeyRingFiles(folder, 'policy');
    for (const letter of 'ab') await rings.save(aRing(letter), await rings.read());
    expect(readdirSync(folder)).toEqual(['policy-signing.1.json', 'policy-signing.2.json']);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('the key file with the highest number is read, whatever other files exist', async () => {
    const folder = aFolder();
    const rings = new SigningKeyRingFiles(folder, 'policy');
    for (let n = 0; n < 11; n++) await rings.save(aRing(n < 10 ? 'a' : 'b'), await rings.read());
    for (const name of ['policy-signing.99.json.tmp', 'policy-signing.x.json', 'license-signing.12.json']) {
      writeFileSync(join(folder, name), 'x');
    }
    expect(await rings.read()).toEqual({ ring: aRing('b'), version: '11' });
  });

  test('a process with an outdated read never overwrites a key file', async () => {
    const rings = new SigningKeyRingFiles(aFolder(), 'policy');
    await rings.save(aRing('a'), await rings.read());
    const stale = await rings.read();
    for (const letter of 'bcd') await rings.save(aRing(letter), await rings.read());
    expect(await rings.save(aRing('e'), stale)).toBe(false);
    expect((await rings.read()).ring).toEqual(aRing('d'));
  });

  test('a key ring is read completely while another process replaces it', async () => {
    const folder = aFolder();
    const rings = new SigningKeyRingFiles(folder, 'policy');
    await rings.save(aRing('a'), await rings.read());
    const module = JSON.stringify(new URL('../../adapters/crypto/signing-key-ring-files.ts', import.meta.url).href);
    const script = `import { SigningKeyRingFiles } from ${module}; const rings = new SigningKeyRingFiles(process.argv[1], 'policy');
      for (let n = 0; n < 100; n++) { const read = await rings.read(); await rings.save(read.ring, read); }`;
    let running = true;
    const changed = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, folder]).finally(() => {
      running = false;
    });
    while (running) {
      for (let n = 0; n < 20; n++) expect((await rings.read()).ring).toEqual(aRing('a'));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await changed;
    expect((await rings.read()).version).toBe('101');
  });

  test('a key file is refused if others may read it or if it contains anything else', async () => {
    const folder = aFolder();
    const rings = new SigningKeyRingFiles(folder, 'policy');
    await rings.save(aRing('a'), await rings.read());
    const file = join(folder, 'policy-signing.1.json');
    chmodSync(file, 0o640);
    await expect(rings.read()).rejects.toThrow(`run: chmod 600 ${file}`);
    chmodSync(file, 0o600);
    writeFileSync(file, '{"keys": [{"d": "a-secret"}]}');
    await expect(rings.read()).rejects.toThrow(`${file} does not hold the keys that sign the client policy`);
  });
});

describe('the single key file of an older version', () => {
  const KEY = Buffer.alloc(32, 7).toString('base64');
  const aSingleKey = (use: 'license' | 'policy' = 'license') => {
    const folder = aFolder();
    mkdirSync(folder);
    const file = join(folder, `${use}-signing.pem`);
    writeFileSync(file, KEY, { mode: 0o600 });
    return { folder, file, rings: new SigningKeyRingFiles(folder, use) };
  };

  test('the old key is the ring, and its file stays unchanged', async () => {
    const { folder, file, rings } = aSingleKey();
    const { kid } = publicJwkOf(parseSigningKey(KEY) as KeyObject);
    expect((await rings.read()).ring).toMatchObject([{ kid }]);
    expect([readdirSync(folder), readFileSync(file, 'utf8')]).toEqual([['license-signing.pem'], KEY]);
  });

  test('the first change empties the old file, so it can’t replace a ring that is lost later', async () => {
    const { folder, file, rings } = aSingleKey('policy');
    const [first, stale] = [await rings.read(), await rings.read()];
    expect(await rings.save(aRing('a'), first)).toBe(true);
    expect(await rings.save(aRing('b'), stale)).toBe(false);
    expect([await rings.read(), readFileSync(file, 'utf8')]).toEqual([{ ring: aRing('a'), version: '1' }, '']);
    rmSync(join(folder, 'policy-signing.1.json'));
    await expect(rings.read()).rejects.toThrow('policy-signing.1.json or a later one, which has the keys');
  });

  test('an old file with anything else is refused', async () => {
    const { file, rings } = aSingleKey();
    writeFileSync(file, 'no key');
    await expect(rings.read()).rejects.toThrow(`${file} does not hold the keys that sign license tokens`);
  });
});

describe('the first key of a folder', () => {
  test('processes that start together in an empty folder all have the same first key', async () => {
    const folder = aFolder();
    const module = JSON.stringify(new URL('../../adapters/crypto/signing-key-ring-files.ts', import.meta.url).href);
    const script = `import { SigningKeyRingFiles } from ${module};
      console.log((await new SigningKeyRingFiles(process.argv[1], 'license').read()).ring[0].kid);`;
    const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, folder]);
    const started = await Promise.all(Array.from({ length: 4 }, start));
    const [{ kid } = {}] = (await new SigningKeyRingFiles(folder, 'license').read()).ring;
    expect(started.map(({ stdout }) => stdout.trim())).toEqual(Array.from({ length: 4 }, () => kid));
    expect(readdirSync(folder)).toEqual(['license-signing.1.json']);
  });

  test('a folder without keys stays empty if an operator supplies one, even if its keys are lost', async () => {
    const made = { has: async () => true, add: async () => {} };
    const rings = new SigningKeyRingFiles(aFolder(), 'artifact', { made });
    await expect(rings.read()).rejects.toThrow('are lost');
    const read = await rings.read({ brings: true });
    expect(read.ring).toEqual([]);
    await rings.save(aRing('a'), read);
    expect((await rings.read()).ring).toEqual(aRing('a'));
  });

  test('the rings of two uses in one folder do not affect each other', async () => {
    const folder = aFolder();
    const [artifact, license] = [
      new SigningKeyRingFiles(folder, 'artifact'),
      new SigningKeyRingFiles(folder, 'license'),
    ];
    const before = await artifact.read();
    await license.save(aRing('a'), await license.read());
    expect(await artifact.read()).toEqual(before);
  });
});

describe('the cache of signing keys', () => {
  /** A store of signing key rings whose reads return the listed results in turn. */
  const place = (keptFor: number, ...readings: (SigningKeyRing | Error)[]) => {
    let reads = 0;
    const read = async () => {
      const reading = readings[reads++];
      if (reading === undefined || reading instanceof Error) throw reading ?? new Error('read too often');
      return { ring: reading, version: '1' };
    };
    return { rings: { keptFor, read, save: async () => false }, reads: () => reads };
  };

  test('cached keys are read once for all requests within their lifetime', async () => {
    const { rings, reads } = place(60_000, aRing('a'));
    const keys = new CachedSigningKeys(rings);
    expect(reads()).toBe(0);
    const asked = await Promise.all(Array.from({ length: 5 }, () => keys.current()));
    expect(asked).toEqual(Array.from({ length: 5 }, () => aRing('a')));
    await keys.current();
    expect(reads()).toBe(1);
  });

  test('cached keys are read again after their lifetime', async () => {
    const keys = new CachedSigningKeys(place(0, aRing('a'), aRing('b')).rings);
    expect([await keys.current(), await keys.current()]).toEqual([aRing('a'), aRing('b')]);
  });

  test('cached keys stay in use when a later read fails, and a failed first read is reported and retried', async () => {
    const lost = new Error('out of reach');
    const keys = new CachedSigningKeys(place(0, lost, aRing('a'), lost, aRing('b')).rings);
    await expect(keys.current()).rejects.toThrow(lost);
    expect([await keys.current(), await keys.current(), await keys.current()]).toEqual([
      aRing('a'),
      aRing('a'),
      aRing('b'),
    ]);
  });
});

test('no key id looks like a command-line option', () => {
  const ids = Array.from({ length: 1000 }, () => signingKeyMaker.newKey().kid);
  expect(ids.filter((kid) => kid.startsWith('-'))).toEqual([]);
});
