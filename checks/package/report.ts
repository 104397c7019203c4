import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ENTRIES, type Entry, PROJECT } from './entries.ts';

const COMPILER = join(PROJECT, 'checks', 'node_modules', '@typescript', 'native', 'bin', 'tsc');

/** The folder of the report, one file for each group of entries. */
export const REPORT = join(PROJECT, 'checks', 'package', 'api');

/** The group of an entry: the first word of its name, or the rest for an entry that stands alone. */
const groupOf = ({ name }: Entry): string => {
  const [, group = '', ...module] = name.split('/');
  return module.length > 0 ? group : 'service';
};

/**
 * A declaration file as the report shows it: without imports, with a type from elsewhere by its name alone, and with a
 * table of endpoints in one word: the report has each where it is declared, and the OpenAPI document their answers.
 */
const shown = (declarations: string): string =>
  declarations
    .replace(/^import [^;]*;\n/gm, '')
    .replace(/^export \{\};\n/gm, '')
    .replaceAll(/(?:typeof )?import\("[^"]+"\)\./g, '')
    .replaceAll(
      /^(( *)(?:readonly endpoints|endpoints|export declare const (?:ENDPOINTS|DOCUMENTATION)): )\{\n.*?^\2\};/gms,
      '$1…;',
    )
    .trim();

/** The declarations of every source, without comments, in a folder of their own. */
const emitted = async (folder: string): Promise<void> => {
  const only = ['--emitDeclarationOnly', '--removeComments', '--sourceMap', 'false', '--inlineSources', 'false'];
  const options = ['-p', 'tsconfig.build.json', '--outDir', folder, ...only];
  await promisify(execFile)(process.execPath, [COMPILER, ...options], { cwd: PROJECT });
};

/**
 * The declarations that others may import, as the compiler writes them: the text of each file of the report by its
 * name. It depends on the sources and the compiler alone.
 */
export const apiReport = async (): Promise<ReadonlyMap<string, string>> => {
  const folder = await mkdtemp(join(tmpdir(), 'account-service-api-'));
  try {
    await emitted(folder);
    const files = new Map<string, string>();
    for (const entry of ENTRIES) {
      const file = `${groupOf(entry)}.md`;
      const text = shown(await readFile(join(folder, entry.source.replace(/\.ts$/, '.d.ts')), 'utf8'));
      const before = files.get(file) ?? '# Made by `npm run api`\n';
      files.set(file, `${before}\n## ${entry.name}\n\n\`\`\`ts\n${text}\n\`\`\`\n`);
    }
    return files;
  } finally {
    await rm(folder, { recursive: true });
  }
};
