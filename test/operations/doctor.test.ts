import { execFile } from 'node:child_process';
import { createPublicKey, hash } from 'node:crypto';
import { chmod, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/everything.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/composition/config.ts';
import { openEngines } from '../../runtimes/composition/engines.ts';
import { examine } from '../../runtimes/operations/doctor/doctor.ts';
import { API, aDoctoredStore, STOCKED, URLS } from '../support/doctored-store.ts';
import { anOpenidUpstream, freePort, listening } from '../support/openid-upstream.ts';
import { productEntry, releaseEntry } from '../support/store-folder.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

let dataDir: string;
let examined: Doctored['findings'];
let wrongs: Doctored['wrongs'];
let fill: Doctored['fill'];

/** Runs the command that the advice ends with. */
const follow = async (advice = ''): Promise<void> => {
  const [, command = '', ...args] = /run: (.+)$/.exec(advice)?.[1]?.match(/^(\S+) (.+)$/) ?? [];
  await promisify(execFile)(command, (args[0] ?? '').split(' '));
};

const upstreamAt = (issuer: string) => ({
  UPSTREAM_ISSUER: issuer,
  UPSTREAM_CLIENT_ID: 'account-service',
  UPSTREAM_CLIENT_SECRET: 'a secret of sixteen or more characters',
  UPSTREAM_NAME: 'Shop',
});

beforeEach(async () => {
  ({ dataDir, findings: examined, wrongs, fill } = await aDoctoredStore());
});

describe('the doctor', () => {
  test('the doctor finds nothing wrong with a stocked store and leaves it unchanged', async () => {
    await fill(STOCKED);
    expect(await wrongs()).toEqual([]);
    const before = await readdir(join(dataDir, 'objects'), { recursive: true });
    expect(await wrongs()).toEqual([]);
    expect(await readdir(join(dataDir, 'objects'), { recursive: true })).toEqual(before);
  });

  test('the doctor names every variable with a wrong value', async () => {
    expect(await wrongs({ STORE: 'oracle', API_PORT: 'x' })).toEqual([
      expect.stringMatching(/^configuration: STORE takes one of/),
      expect.stringMatching(/^configuration: API_PORT takes a whole number/),
    ]);
  });

  test('the doctor finds a provider that answers and says where it sends browsers back to', async () => {
    await fill(STOCKED);
    const { issuer } = await anOpenidUpstream();
    const findings = await examine({ DATA_DIR: dataDir, ...upstreamAt(issuer) }, () => URLS);
    expect(findings.filter(({ check }) => check === 'upstream')).toEqual([
      {
        check: 'upstream',
        ok: true,
        kind: 'fine',
        message: `Shop answers at ${issuer}; its client must have the redirect URI ${API}/sign-in/callback.`,
      },
    ]);
    expect(findings.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('the doctor says what to do about a provider that does not answer', async () => {
    await fill(STOCKED);
    const issuer = `http://127.0.0.1:${await freePort()}`;
    expect(await wrongs(upstreamAt(issuer))).toEqual([
      expect.stringMatching(
        /^upstream: There are no OpenID Connect metadata at .*\.well-known\/openid-configuration \(.+\); check UPSTREAM_ISSUER/,
      ),
    ]);
  });

  test('the doctor says what to do about a provider that names another issuer', async () => {
    await fill(STOCKED);
    const { issuer } = await anOpenidUpstream();
    const named = await (await fetch(`${issuer}/.well-known/openid-configuration`)).text();
    const other = await listening((_req: unknown, res: ServerResponse) => {
      res.setHeader('content-type', 'application/json').end(named);
    });
    expect(await wrongs(upstreamAt(other.url))).toEqual([
      `upstream: The provider at ${other.url} names another issuer; set UPSTREAM_ISSUER to the issuer in its metadata, letter by letter.`,
    ]);
  });

  test('the doctor looks for no provider where none is configured', async () => {
    await fill(STOCKED);
    const findings = await examined();
    expect(findings.filter(({ check }) => check === 'upstream')).toEqual([]);
  });

  test.each([
    ['RATE_LIMIT_PER_MINTE', 'RATE_LIMIT_PER_MINUTE'],
    ['RATE_LIMIT_PER_MINUTES', 'RATE_LIMIT_PER_MINUTE'],
    ['RATE_LIMIT_PER_MINTUE', 'RATE_LIMIT_PER_MINUTE'],
    ['TRUSTED_PROXYES', 'TRUSTED_PROXIES'],
  ])('the doctor reports the variable %s as a misspelling of %s', async (typed, meant) => {
    await fill(STOCKED);
    const told = `configuration: ${typed} is no variable of the service and sets nothing; name it ${meant}.`;
    expect(await wrongs({ [typed]: '1' })).toEqual([told]);
  });

  test('the doctor ignores variables of other programs and correctly spelt ones', async () => {
    await fill(STOCKED);
    const others = {
      API_URI: 'x',
      APP_ENV: 'x',
      APP_ROOT: 'x',
      ACCOUNT_ID: '1',
      RATE_LIMIT_BURST: '1',
      TRUSTED_PROXY: 'x',
    };
    expect(await wrongs({ ...others, RATE_LIMIT_PER_MINUTE: '7' })).toEqual([]);
  });

  test('the doctor does not create a missing folder', async () => {
    expect(await wrongs()).toEqual([expect.stringContaining('does not exist')]);
    await expect(readdir(dataDir)).rejects.toThrow('ENOENT');
  });

  test('the doctor counts one item in the singular', async () => {
    await fill(STOCKED);
    const findings = await examined();
    expect(findings.map(({ message }) => message)).toEqual(
      expect.arrayContaining([
        'The catalog has 1 product with 1 release.',
        'The object store has every file with its size and SHA-256, 1 file in all.',
      ]),
    );
  });

  test.each([
    ['keys/artifact-signing.pem', 0o644, '0644'],
    ['store.db', 0o640, '0640'],
    [`objects/bytes/${hash('sha256', 'tool')}`, 0o604, '0604'],
    ['objects/keys', 0o777, '0777'],
  ])('the doctor reports %s that others may use, and its advice mends that', async (name, mode, shown) => {
    await fill(STOCKED);
    await chmod(join(dataDir, name), mode);
    const [told, ...others] = await wrongs();
    expect(others).toEqual([]);
    expect(told).toBe(`modes: Others may use ${name} (mode ${shown}); run: chmod -R go= ${dataDir}`);
    await follow(told);
    expect(await wrongs()).toEqual([]);
  });

  test('the doctor reports a folder that others may write', async () => {
    await fill(STOCKED);
    await chmod(dataDir, 0o777);
    expect(await wrongs()).toEqual([`data-dir: Others may write ${dataDir} (mode 0777); run: chmod 700 ${dataDir}`]);
  });

  test('the doctor names the first steps of an empty store, and finds nothing wrong with it', async () => {
    await fill({}, { signing: false });
    const found = await examined();
    expect(found.filter(({ kind }) => kind === 'next').map(({ check }) => check)).toEqual([
      'policy',
      'catalog',
      'accounts',
    ]);
    expect(await wrongs()).toEqual([]);
  });

  test('the doctor reports products that cannot be installed', async () => {
    const manual = productEntry({ id: 2, delivery: { strategy: 'manual' } });
    await fill({ products: [productEntry({ id: 1 }), manual, productEntry({ id: 3, active: false })] });
    expect(await wrongs()).toEqual(['releases: There is no release of product-1; publish one.']);
  });

  test('the doctor names the missing key of the client policy as the next step', async () => {
    await fill(STOCKED, { signing: false });
    const findings = await examined();
    expect(findings.filter(({ check }) => check === 'policy')).toEqual([
      {
        check: 'policy',
        ok: true,
        kind: 'next',
        message: 'No key signs the client policy, so it is given out without a signature; run: signing-key create',
      },
    ]);
  });

  describe('the appcast checks of the doctor', () => {
    const app = productEntry({ id: 1, version_scheme: 'sparkle', delivery: { strategy: 'macos-app' } });
    const feeds = async () => (await examined()).filter(({ check }) => check === 'feeds');

    test('the doctor prints the key that applications verify with', async () => {
      await fill({ products: [app], releases: [releaseEntry({ id: 1, build: '1' })] });
      const pem = await readFile(join(dataDir, 'keys', 'artifact-signing.pem'), 'utf8');
      const { x = '' } = createPublicKey(pem).export({ format: 'jwk' });
      const key = Buffer.from(x, 'base64url').toString('base64');
      expect(await feeds()).toEqual([
        {
          check: 'feeds',
          ok: true,
          kind: 'fine',
          message: `The appcast of 1 application is whole; the SUPublicEDKey is ${key}.`,
        },
      ]);
    });

    test('the doctor finds nothing wrong with releases that belong to no appcast', async () => {
      const linux = { artifacts: [{ file: 'tool.zip', platform: 'linux-amd64' }] };
      await fill({
        products: [app],
        releases: [
          releaseEntry({ id: 1, version: '1.0', build: '10' }),
          releaseEntry({ id: 2, version: '1.1', ...linux }),
          releaseEntry({ id: 3, version: '0.9', withdrawn: { at: '2026-01-01T00:00:00Z', reason: 'It fails.' } }),
        ],
      });
      expect((await feeds()).map(({ ok }) => ok)).toEqual([true]);
    });

    test('the doctor skips the appcast when no release has a build number', async () => {
      await fill({ products: [app], releases: [releaseEntry({ id: 1 })] });
      expect(await feeds()).toEqual([]);
    });

    /** Changes a stored release past the checks of publishing and importing, as an older version may have left it. */
    const change = async (version: string, by: (release: Release) => Partial<Release>) => {
      const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
      const settings = { urls: URLS, perAccount: 1, perAgent: 1, perAddress: 1, catalogAge: 0 };
      const editor = bootstrap(settings, engines, EVERY_AREA).get('releaseEditor');
      const read = await editor.read(1, version);
      const before = read.release as Release;
      await editor.save(grantPermit(), { ...before, ...by(before) }, read);
      await engines.close();
    };

    test('the doctor names files whose key was revoked, until a version of the key in use takes their place', async () => {
      const [first, second] = [
        releaseEntry({ id: 1, version: '1.0', build: '10' }),
        releaseEntry({ id: 2, version: '1.1', build: '11' }),
      ];
      await fill({ products: [app], releases: [first] });
      const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
      const settings = { urls: URLS, perAccount: 1, perAgent: 1, perAddress: 1, catalogAge: 0 };
      const service = bootstrap(settings, engines, EVERY_AREA);
      const [stolen] = (await engines.signingKeyRings.artifact.read()).ring;
      await service.get('createSigningKey').execute(grantPermit(), 'artifact');
      expect(await feeds()).toMatchObject([{ ok: true }]);
      await service.get('revokeSigningKey').execute(grantPermit(), 'artifact', stolen?.kid ?? '');
      await engines.close();
      const named =
        /the key was revoked: product-1 1\.0 for every platform; publish a new version .* withdraw these\.$/;
      expect(await wrongs()).toEqual([expect.stringMatching(named)]);
      await fill({ products: [app], releases: [second] });
      expect(await wrongs()).toEqual([expect.stringMatching(named)]);
      await change('1.0', () => ({ withdrawn: { at: '2026-01-01T00:00:00.000Z', reason: 'Its key was stolen.' } }));
      expect(await wrongs()).toEqual([]);
    });

    test('the doctor names files that Sparkle can’t install until their release is withdrawn', async () => {
      await fill({
        products: [app],
        releases: [
          releaseEntry({ id: 1, version: '1.0', build: '10' }),
          releaseEntry({ id: 2, version: '1.1', build: '11' }),
        ],
      });
      await change('1.1', ({ artifacts }) => ({
        artifacts: artifacts.map((file) => ({ ...file, filename: 'notes.txt' })),
      }));
      expect((await feeds()).map(({ ok, message }) => [ok, message])).toEqual([
        [false, expect.stringMatching(/product-1 1\.1 \(Sparkle can’t install "notes\.txt"; .*withdraw them/)],
      ]);
      await change('1.1', () => ({ withdrawn: { at: '2026-01-01T00:00:00.000Z', reason: 'The file is wrong.' } }));
      expect((await feeds()).map(({ ok }) => ok)).toEqual([true]);
    });

    test('the doctor names releases that are unsigned, have no build number or break the appcast', async () => {
      await fill({
        products: [app],
        releases: [releaseEntry({ id: 1, version: '1.0', build: '10' }), releaseEntry({ id: 2, version: '0.9' })],
      });
      const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
      const service = bootstrap(
        { urls: URLS, perAccount: 1, perAgent: 1, perAddress: 1, catalogAge: 0 },
        engines,
        EVERY_AREA,
      );
      const editor = service.get('releaseEditor');
      const { release } = await editor.read(1, '1.0');
      const artifacts = release?.artifacts.map((artifact) => ({ ...artifact, signature: null })) ?? [];
      await editor.save(
        grantPermit(),
        { ...(release as Release), id: 3, version: '1.1', artifacts },
        await editor.read(1, '1.1'),
      );
      await engines.close();
      expect((await feeds()).map(({ ok, message }) => [ok, message])).toEqual([
        [false, expect.stringContaining('refuses them: product-1 1.1 for every platform;')],
        [false, expect.stringContaining('in no appcast: product-1 0.9;')],
        [false, expect.stringContaining('product-1 1.1 (version 1.0 has the build 10 already)')],
      ]);
    });
  });

  test('the doctor reports a store file that is not a database', async () => {
    await fill(STOCKED);
    for (const end of ['', '-wal', '-shm']) await rm(join(dataDir, `store.db${end}`), { force: true });
    await writeFile(join(dataDir, 'store.db'), 'this is no database, however long it may be read as one', {
      mode: 0o600,
    });
    expect(await wrongs()).toEqual([expect.stringMatching(/^store: The store .*store\.db/)]);
  });
});
