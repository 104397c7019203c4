import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { Release } from '../../domain/delivery/release.ts';
import { readSigningKeyRing } from '../../domain/signing/signing-key-ring.ts';
import { EVERY_AREA } from '../../runtimes/composition/areas/all-areas.ts';
import { bootstrap } from '../../runtimes/composition/bootstrap.ts';
import { readConfig } from '../../runtimes/configuration/config.ts';
import { openEngines } from '../../runtimes/engines/open-engines.ts';
import { aDoctoredStore, URLS } from '../support/doctored-store.ts';
import { productEntry, releaseEntry } from '../support/store-folder.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

let dataDir: string;
let examined: Doctored['findings'];
let wrongs: Doctored['wrongs'];
let fill: Doctored['fill'];

beforeEach(async () => {
  ({ dataDir, findings: examined, wrongs, fill } = await aDoctoredStore());
});

describe('the appcast checks of the doctor', () => {
  const app = productEntry({ id: 1, version_scheme: 'sparkle', delivery: { strategy: 'macos-app' } });
  const feeds = async () => (await examined()).filter(({ check }) => check === 'feeds');

  test('the doctor prints the key that applications verify with', async () => {
    await fill({ products: [app], releases: [releaseEntry({ id: 1, build: '1' })] });
    const text = await readFile(join(dataDir, 'keys', 'artifact-signing.1.json'), 'utf8');
    const [{ x = '' } = {}] = readSigningKeyRing(text) ?? [];
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

  /** Changes a stored release, bypassing the checks of publishing and importing. */
  const change = async (version: string, by: (release: Release) => Partial<Release>) => {
    const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
    const settings = { urls: URLS, perAccount: 1, perAgent: 1, perAddress: 1, catalogAge: 0 };
    const editor = bootstrap(settings, engines, EVERY_AREA).get('releaseEditor');
    const read = await editor.read(1, version);
    const before = read.release as Release;
    await editor.save(grantPermit(), { ...before, ...by(before) }, read);
    await engines.close();
  };

  test('the doctor names files with a revoked key until a version with the current key replaces them', async () => {
    const [first, second] = [
      releaseEntry({ id: 1, version: '1.0', build: '10' }),
      releaseEntry({ id: 2, version: '1.1', build: '11' }),
    ];
    await fill({ products: [app], releases: [first] });
    const engines = await openEngines(readConfig({ DATA_DIR: dataDir }), URLS);
    const settings = { urls: URLS, perAccount: 1, perAgent: 1, perAddress: 1, catalogAge: 0 };
    const service = bootstrap(settings, engines, EVERY_AREA);
    const [stolen] = (await engines.signingKeyRings.artifact.read()).ring;
    await service.get('createSigningKey')(grantPermit(), 'artifact');
    expect(await feeds()).toMatchObject([{ ok: true }]);
    await service.get('revokeSigningKey')(grantPermit(), 'artifact', stolen?.kid ?? '');
    await engines.close();
    const named = /the key was revoked: product-1 1\.0 for every platform; publish a new version .* withdraw these\.$/;
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
      [false, expect.stringContaining('product-1 1.1 (version 1.0 already has the build 10)')],
    ]);
  });
});
