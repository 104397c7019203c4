import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Strategy } from '../../domain/catalog/product.ts';
import { buildArtifacts, readStore, STORE_DIR } from '../../examples/store/build.ts';
import { unzip } from './unzip.ts';

const run = promisify(execFile);
const store = await readStore();
const products = new Map(store.products.map((product) => [product.id, product]));

/** Each artifact of the products with this strategy, with its details from the store document. */
const artifactsBy = (strategy: Strategy) =>
  store.releases.flatMap(({ product_id, version, build, channel, artifacts }) => {
    const product = products.get(product_id);
    if (product?.delivery.strategy !== strategy) return [];
    const { slug, name, bundle_id, delivery } = product;
    return artifacts.map(({ file, platform }) => ({
      ...{ file, path: join(STORE_DIR, file), platform, version, build, channel },
      ...{ slug, title: name.en, bundle_id, payload: delivery.payload },
    }));
  });

let scratch: string;
beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'sample-store-'));
});
afterAll(() => rm(scratch, { recursive: true, force: true }));

test('a fresh build gives the committed artifacts, byte for byte', async () => {
  const committed = await readdir(join(STORE_DIR, 'artifacts'), { recursive: true, withFileTypes: true });
  const paths = committed.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const built = await buildArtifacts(store, scratch);
  expect(built).toEqual(paths.map((path) => relative(STORE_DIR, path)).sort());
  for (const file of built) {
    expect(await readFile(join(scratch, file)), file).toEqual(await readFile(join(STORE_DIR, file)));
  }
});

test.each(artifactsBy('agent-skill'))('the artifact $file is a skill of its version', async ({
  path,
  slug,
  version,
  payload,
}) => {
  const files = await unzip(path);
  const skill = files.get(payload.skill_manifest ?? '')?.text ?? '';
  const [, frontMatter = ''] = skill.match(/^---\n([\s\S]*?)\n---\n/) ?? [];
  expect(frontMatter).toMatch(new RegExp(`^name: ${slug}$`, 'm'));
  expect(frontMatter).toMatch(/^description: \S.{20,1023}$/m);
  expect(frontMatter).toContain(`version: "${version}"`);
  for (const [, named] of skill.matchAll(/`((?:scripts|references)\/[\w.-]+)/g)) {
    expect([...files.keys()]).toContain(`${payload.root}/${named}`);
  }
});

type ExtensionManifest = {
  readonly publisher: string;
  readonly name: string;
  readonly version: string;
  readonly main: string;
  readonly contributes: { readonly commands: readonly { readonly command: string }[] };
};

test.each(artifactsBy('vscode-vsix'))('the artifact $file is an extension of its version', async ({
  path,
  version,
  channel,
  payload,
}) => {
  const files = await unzip(path);
  const manifest = JSON.parse(files.get('extension/package.json')?.text ?? '') as ExtensionManifest;
  expect(manifest).toMatchObject({ version, contributes: { commands: [{ command: 'tidyLines.tidy' }] } });
  expect(`${manifest.publisher}.${manifest.name}`).toBe(payload.extension_id);
  expect(files.get(join('extension', manifest.main))?.text).toContain("'tidyLines.tidy'");

  const vsix = files.get('extension.vsixmanifest')?.text ?? '';
  expect(vsix).toContain(`Id="${manifest.name}" Version="${version}" Publisher="${manifest.publisher}"`);
  expect(vsix).toContain(`Code.PreRelease" Value="${channel !== 'stable'}"`);
  for (const [, asset] of vsix.matchAll(/<Asset [^>]*Path="([^"]*)"/g)) expect([...files.keys()]).toContain(asset);

  const types = [...(files.get('[Content_Types].xml')?.text ?? '').matchAll(/Extension="([^"]*)"/g)].map(
    ([, type]) => type,
  );
  const others = [...files.keys()].filter((name) => name !== '[Content_Types].xml');
  expect(types).toEqual(expect.arrayContaining(others.map((name) => name.slice(name.lastIndexOf('.')))));
});

test.each(artifactsBy('macos-app'))('the artifact $file is an app of its version that starts', async (artifact) => {
  const { path, version, build, title, bundle_id, payload } = artifact;
  const files = await unzip(path);
  const contents = `${payload.app_path}/Contents`;
  const plist = files.get(`${contents}/Info.plist`)?.text ?? '';
  const stringOf = (key: string) => plist.match(new RegExp(`<key>${key}</key>\\s*<string>(.*)</string>`))?.[1];
  expect(stringOf('CFBundleIdentifier')).toBe(bundle_id);
  expect(stringOf('CFBundleShortVersionString')).toBe(version);
  expect(stringOf('CFBundleVersion')).toBe(build);

  const executable = files.get(`${contents}/MacOS/${stringOf('CFBundleExecutable')}`);
  expect(executable?.mode).toBe(0o755);
  const { stdout } = await run('sh', ['-c', executable?.text ?? '', 'app', '--version']);
  expect(stdout).toBe(`${title} ${version} (${build})\n`);
});

test.each(artifactsBy('managed-directory'))('the artifact $file is one folder of its version', async ({
  path,
  version,
  payload,
}) => {
  const files = await unzip(path);
  expect([...files.keys()].filter((name) => !name.startsWith(`${payload.root}/`))).toEqual([]);
  expect(files.get(`${payload.root}/README.md`)?.text).toContain(version);
});

test.each(artifactsBy('binary'))('the artifact $file prints name, version and platform', async ({
  path,
  version,
  platform,
  payload,
}) => {
  const { stdout } = await run('sh', [path, '--version']);
  expect(stdout).toBe(`${payload.executable_name} ${version} (${platform})\n`);
});

describe('Hashcheck, installed on this machine', () => {
  const digest = 'b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c';
  const exitOf = async (file: string, sha256: string): Promise<number> =>
    run(join(scratch, 'hashcheck'), [join(scratch, file), sha256]).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );

  beforeAll(async () => {
    const platform = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
    const own = artifactsBy('binary').find(
      (a) => a.slug === 'hashcheck' && a.version === '1.2.0' && a.platform === platform,
    );
    if (!own) throw new Error(`there is no Hashcheck for ${platform}`);
    await copyFile(own.path, join(scratch, 'hashcheck'));
    await chmod(join(scratch, 'hashcheck'), 0o755);
    await writeFile(join(scratch, '-a file'), 'foo\n');
  });

  test.each([
    [0, 'the right sha256', '-a file', digest],
    [0, 'the right sha256 in capitals', '-a file', digest.toUpperCase()],
    [1, 'the sha256 of another file', '-a file', digest.replace('b', 'a')],
    [2, 'a malformed sha256', '-a file', digest.slice(1)],
    [2, 'a missing file', 'none', digest],
  ])('Hashcheck exits with %i for %s', async (status, _, file, sha256) => {
    expect(await exitOf(file, sha256)).toBe(status);
  });
});
