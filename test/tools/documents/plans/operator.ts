import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountEntry, productEntry, releaseEntry } from '../../../support/store-folder.ts';
import type { Plan } from '../plan.ts';
import { PROJECT, readText } from '../read.ts';

/** The id that a command has printed, in a row of facts or in the first row of a table. */
const firstId = (text: string): string => /\d{6,}/.exec(text)?.[0] ?? 'none';

/** The program that the README shows, as a reader saves it. */
const checkLicense = (): string => {
  const { blocks } = readText('README.md', readFileSync(join(PROJECT, 'README.md'), 'utf8'));
  return blocks.find(({ text }) => text.startsWith('// check-license.ts'))?.text ?? '';
};

/** The plans of the documents for the operator of a store in a folder. */
export const OPERATOR: Readonly<Record<string, Plan>> = {
  'README.md': {
    store: 'none',
    files: { 'check-license.ts': checkLicense() },
    before: { 'check-license.ts': ['export ACCOUNT_API_URL=http://127.0.0.1:8787'] },
    values: {
      'svc_…': (said) => /svc_\w+/.exec(said('key create') || said('npm start'))?.[0] ?? 'none',
      '--account ID': (said) => `--account ${firstId(said('account add'))}`,
    },
    refused: { 'for device in': 22 },
    prints: {
      'npm start': /running/,
      'for device in': /(?:.*"valid":true.*\n){3}.*All 3 devices are in use; release one, then check again\./,
      'check-license.ts': /^This license is valid\. \S+\.\S+\.\S+$/m,
    },
  },
  'docs/appcasts.md': {
    files: {
      'Pocket-Memo-2.3.zip': 'The application.',
      'Pocket-Memo-2.3-from-2.2.delta': 'A patch.',
      'notes.en.md': 'New.\n',
      'notes.ko.md': '새 판.\n',
    },
  },
  'docs/backup.md': {
    before: { 'rm -rf drill': ['Ctrl+C'] },
    // Each record is unchanged.
    prints: { 'import shop-export': /^releases +0 +0 +[1-9]/m },
  },
  'docs/erasure.md': {
    before: { 'account show': ['npm run -s cli -- account add --email buyer@example.com'] },
    prints: { '--dry-run': /^Nothing has changed/, '--yes': /is erased/ },
  },
  'docs/migrate.md': { values: { '--from PLACE --to PLACE': '--from folder:.data --to folder:moved' } },
  'docs/releases.md': {
    store: 'none',
    files: {
      'memo.json': JSON.stringify({
        format: 1,
        products: [productEntry({ id: 1, slug: 'memo' })],
        releases: [
          releaseEntry({ id: 1, version: '1.2.0' }),
          releaseEntry({ id: 2, version: '1.3.0', released_at: '2025-02-01T00:00:00Z' }),
        ],
        accounts: [accountEntry({ id: 1 })],
      }),
      'tool.zip': 'memo',
    },
    before: { '--dry-run': ['npm run -s cli -- import memo.json'] },
  },
};
