import { expect, test } from 'vitest';
import { signedFiles, unsignedFiles } from '../../../domain/delivery/feed-faults.ts';
import type { Release } from '../../../domain/delivery/release.ts';
import { anArtifact, aRelease, NOW } from '../../support/builders.ts';

test('the files of a feed are identified by their signatures, each with its patches', () => {
  const patch = { from_build: '7', filename: 'a.delta', sha256: '2'.repeat(64), size: 2, signature: 'patched' };
  const file = anArtifact({ platform: 'darwin-arm64', sha256: '1'.repeat(64), size: 1, signature: 'signed' });
  const built = (more: object) => aRelease({ version: '1.0', build: '9', artifacts: [{ ...file, ...more }] });
  const whole = built({ deltas: [patch] });
  const names = (release: Release) => signedFiles([release]).map(({ name }) => name);
  expect(signedFiles([whole])).toMatchObject([
    { name: '1.0 for darwin-arm64', sha256: file.sha256, size: 1, signature: 'signed' },
    { name: '1.0 for darwin-arm64 from 7', sha256: patch.sha256, size: 2, signature: 'patched' },
  ]);
  expect(unsignedFiles([whole])).toEqual([]);
  expect(names(built({ signature: null }))).toEqual([]);
  expect(unsignedFiles([built({ signature: null })])).toEqual(['1.0 for darwin-arm64']);
  const half = built({ deltas: [{ ...patch, signature: null }] });
  expect([names(half), unsignedFiles([half])]).toEqual([['1.0 for darwin-arm64'], ['1.0 for darwin-arm64']]);
  expect([names({ ...whole, withdrawn: { at: NOW, reason: 'Broken' } }), names({ ...whole, build: null })]).toEqual([
    [],
    [],
  ]);
});
