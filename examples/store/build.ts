/**
 * Builds the artifacts that `store.json` names from the folders under `sources/`, one folder per product slug:
 * `npx node examples/store/build.ts`. The same sources give the same bytes on every machine, so that a test can hold the
 * committed artifacts against a fresh build.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';
import { StoreDocument } from '../../ports/inbound/store-document/store-document.ts';

type Release = StoreDocument['releases'][number];
type Artifact = Release['artifacts'][number];

/** One text file of a product's source folder. */
type Source = { readonly path: string; readonly text: string };

export const STORE_DIR = import.meta.dirname;

/** The content of `store.json`. Throws a ZodError if it isn't a store document. */
export const readStore = async (): Promise<StoreDocument> =>
  StoreDocument.parse(JSON.parse(await readFile(join(STORE_DIR, 'store.json'), 'utf8')));

/** Writes every artifact below `outDir` under the path that the document gives it. Returns the paths, sorted. */
export const buildArtifacts = async (store: StoreDocument, outDir: string): Promise<string[]> => {
  const slugs = new Map(store.products.map((product) => [product.id, product.slug]));
  const written: string[] = [];
  for (const release of store.releases) {
    const sources = await readSources(slugs.get(release.product_id) ?? '');
    for (const artifact of release.artifacts) {
      const file = join(outDir, artifact.file);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, await bytesOf(artifact, sources, tokensFor(store, release, artifact)));
      written.push(artifact.file);
    }
  }
  return written.sort();
};

const readSources = async (slug: string): Promise<Source[]> => {
  const root = join(STORE_DIR, 'sources', slug);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.sort().map(async (file) => ({
      path: relative(root, file).split(sep).join('/'),
      text: await readFile(file, 'utf8'),
    })),
  );
};

const bytesOf = async (artifact: Artifact, sources: readonly Source[], tokens: Tokens): Promise<Buffer> => {
  if (/\.(zip|vsix)$/.test(artifact.file)) return zip(sources, tokens);
  const [script, ...rest] = sources;
  if (!script || rest.length > 0)
    throw new Error(`${artifact.file} is no archive and so needs exactly one source file`);
  return Buffer.from(fill(script, tokens));
};

/** Stored, not deflated: what deflate makes of the same bytes differs between processors and versions of zlib. */
const zip = async (sources: readonly Source[], tokens: Tokens): Promise<Buffer> => {
  const archive = new ZipFile();
  for (const source of sources) {
    archive.addBuffer(Buffer.from(fill(source, tokens)), source.path, {
      compress: false,
      // The format's own dates are local time, so this one is the same wherever it is built.
      mtime: new Date(2026, 0, 1),
      forceDosTimestamp: true,
      mode: source.text.startsWith('#!') ? 0o100755 : 0o100644,
    });
  }
  archive.end();
  return buffer(archive.outputStream);
};

/** Values for the `{{name}}` marks in sources. */
type Tokens = Readonly<Record<string, string>>;

const tokensFor = (store: StoreDocument, release: Release, artifact: Artifact): Tokens => ({
  version: release.version,
  build: release.build ?? '',
  platform: artifact.platform ?? 'any',
  prerelease: String(release.channel !== 'stable'),
  changelog: changelog(
    store.releases.filter((other) => other.product_id === release.product_id),
    release,
  ),
});

const changelog = (releases: readonly Release[], upTo: Release): string =>
  releases
    .filter((release) => release.released_at <= upTo.released_at)
    .sort((a, b) => (a.released_at < b.released_at ? 1 : -1))
    .map(({ version, released_at, notes_en, notes_ko }) =>
      [`## ${version} (${released_at.slice(0, 10)})`, notes_en, notes_ko].filter(Boolean).join('\n\n'),
    )
    .join('\n\n');

const fill = ({ path, text }: Source, tokens: Tokens): string =>
  text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => {
    const value = tokens[name];
    if (value === undefined) throw new Error(`${path} has the unknown mark ${mark}`);
    return value;
  });

if (import.meta.main) {
  await rm(join(STORE_DIR, 'artifacts'), { recursive: true, force: true });
  const written = await buildArtifacts(await readStore(), STORE_DIR);
  console.log(`${written.length} artifacts written to ${relative(process.cwd(), join(STORE_DIR, 'artifacts'))}`);
}
