import { expect, test } from 'vitest';
import { sparkleOrder } from '../../../domain/delivery/version-order.ts';
import { millis, toInstant } from '../../../domain/shared/instant.ts';
import {
  productEntry as exportedProduct,
  releaseEntry as exportedRelease,
} from '../../../domain/store-document/export-entries.ts';
import { normalVersion, withdrawalWarnings } from '../../../domain/store-document/release-faults.ts';
import { anArtifact, aProduct, aRelease, NOW } from '../../support/builders.ts';

test('the version of a release entry is written in its product’s version scheme', () => {
  const known = {
    products: new Map([[1, aProduct({ version_scheme: 'sparkle' })]]),
    stored: new Map(),
    order: () => sparkleOrder(),
  };
  const { deltas: _, ...artifact } = anArtifact();
  const entry = { ...aRelease(), artifacts: [{ ...artifact, file: 'a.zip' }] };
  expect(normalVersion({ ...entry, version: 'v1.2' }, known)).toBe('1.2');
  expect(normalVersion({ ...entry, product_id: 2, version: 'v1.2' }, known)).toBe('v1.2');
});

test('an exported product has its content and, if it has files, their folder', () => {
  const product = { ...aProduct({ id: 3 }), pictures: [] } as never;
  const asset = { path: 'a.md', content_type: 'text/plain', sha256: '1'.repeat(64), size: 1 };
  const content = {
    product_id: 3,
    detail_html: { en: 'Text' },
    gallery: [],
    videos: [],
    usage_path: 'a.md',
    architecture_path: null,
    ai_prompt_path: null,
    assets: [asset],
  };
  expect(exportedProduct(product, content).content).toEqual({
    detail_html: { en: 'Text' },
    gallery: [],
    videos: [],
    usage_path: 'a.md',
    architecture_path: null,
    ai_prompt_path: null,
    assets_dir: 'assets/3',
  });
  expect(exportedProduct(product, { ...content, assets: [] }).content?.assets_dir).toBeNull();
  expect(exportedProduct(product, undefined).content).toMatchObject({ detail_html: null, assets_dir: null });
});

test('an exported release lists its files by hash, with their signatures and patches', () => {
  const patch = { from_build: '7', filename: 'a.delta', sha256: '2'.repeat(64), size: 1, signature: null };
  const entry = exportedRelease(
    aRelease({
      artifacts: [
        anArtifact({ sha256: '1'.repeat(64), signature: 'signed', deltas: [patch] }),
        anArtifact({ platform: 'linux-amd64', installation_type: 'package' as never }),
      ],
    }),
  );
  expect(entry.artifacts).toEqual([
    {
      platform: null,
      file: expect.stringContaining('1'.repeat(64)),
      filename: 'product.zip',
      sha256: '1'.repeat(64),
      signature: 'signed',
      deltas: [
        { from_build: '7', file: expect.stringContaining('2'.repeat(64)), filename: 'a.delta', sha256: '2'.repeat(64) },
      ],
    },
    {
      platform: 'linux-amd64',
      file: expect.any(String),
      filename: 'product.zip',
      sha256: '0'.repeat(64),
      installation_type: 'package',
    },
  ]);
});

test('a withdrawal in the future causes a warning, and one that happens now does not', () => {
  const at = (moment: string) => withdrawalWarnings([{ withdrawn: { at: moment, reason: 'Broken' } } as never], NOW);
  expect(at(NOW)).toEqual([]);
  expect(at(toInstant(millis(NOW) + 1)).map(({ path }) => path)).toEqual(['releases.0.withdrawn.at']);
});
