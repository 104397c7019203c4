import { beforeEach, describe, expect, test } from 'vitest';
import type { Fault } from '../../../domain/shared/fault.ts';
import type { Service } from '../../../runtimes/composition/bootstrap.ts';
import { memoryService } from '../../support/service.ts';
import { aFolder, importInto, productEntry, releaseEntry } from '../../support/store-folder.ts';

let folder: string;
let service: Service;
let warned: string[];

beforeEach(async () => {
  folder = await aFolder({ 'tool.zip': 'tool', 'a.delta': 'patch' });
  service = memoryService();
  warned = [];
});

const product = productEntry({ id: 1, slug: 'memo', version_scheme: 'sparkle', delivery: { strategy: 'macos-app' } });
const load = (...artifacts: object[]) => loadRelease({ artifacts });
const loadRelease = (more: object) =>
  importInto(
    service,
    folder,
    { products: [product], releases: [releaseEntry({ id: 1, version: '1.0', build: '100', ...more })] },
    {
      warned: (warnings: readonly Fault[]) => {
        warned = warnings.map(({ path, message }) => `${path}: ${message}`);
      },
    },
  );
const sign = async (text: string, by: Service = service): Promise<string> =>
  (await by.get('artifactSigner').sign(Buffer.from(text))).signature;
const stored = async () => (await service.get('releaseEditor').read(1, '1.0')).release?.artifacts[0];

describe('an import of files with signatures', () => {
  test('a signature that sign_update made with the store’s key is kept', async () => {
    const [whole, patch] = [await sign('tool'), await sign('patch')];
    const deltas = [{ from_build: '90', file: 'a.delta', signature: patch }];
    expect(await load({ file: 'tool.zip', signature: whole, deltas })).toMatchObject({ ok: true });
    expect(await stored()).toMatchObject({ signature: whole, deltas: [{ signature: patch }] });
    expect(warned).toEqual([]);
  });

  test('a signature of another key or file is replaced, with a warning by its path', async () => {
    const whole = await sign('tool', memoryService());
    const deltas = [{ from_build: '90', file: 'a.delta', signature: await sign('another patch') }];
    expect(await load({ file: 'tool.zip', signature: whole, deltas })).toMatchObject({ ok: true });
    const key = await service.get('artifactSigner').publicKey();
    const why = `is of no key of this store, or of another file; the file was signed with the SUPublicEDKey ${key}, and applications that have another key refuse it`;
    expect(warned).toEqual([
      `releases.0.artifacts.0.signature: ${why}`,
      `releases.0.artifacts.0.deltas.0.signature: ${why}`,
    ]);
    expect((await stored())?.signature).toBe(await sign('tool'));
  });

  test('an already published file keeps its signature without a warning', async () => {
    await load({ file: 'tool.zip' });
    const foreign = await sign('tool', memoryService());
    expect(await load({ file: 'tool.zip', signature: foreign })).toMatchObject({
      value: { releases: { unchanged: 1 } },
    });
    expect(warned).toEqual([]);
  });
});

test('a withdrawal dated in the future takes effect with the import, and causes a warning', async () => {
  const withdrawn = (at: string) => ({ artifacts: [{ file: 'tool.zip' }], withdrawn: { at, reason: 'It is old.' } });
  await loadRelease(withdrawn('2000-01-01T00:00:00Z'));
  expect(warned).toEqual([]);
  await loadRelease(withdrawn('2999-01-01T00:00:00Z'));
  expect(warned).toEqual([
    'releases.0.withdrawn.at: lies ahead, and the release is withdrawn at once; nothing withdraws it on a later day',
  ]);
});
