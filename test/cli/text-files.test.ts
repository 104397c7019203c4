import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { aProduct } from '../support/builders.ts';
import { aShopFolder, MEMO } from './shop.ts';

/** Every option and argument for a text file; `%` is the file. */
const READERS = [
  ['import %', 'nothing was imported'],
  ['policy set %', 'nothing was changed'],
  ['key import % --product memo', 'nothing was imported'],
  ['publish memo % --version 2.0.0 --notes-en %', 'nothing was published'],
  ['publish memo % --version 2.0.0 --notes-ko %', 'nothing was published'],
  ['publish memo % --version 2.0.0 --updater-signature %', 'nothing was published'],
  ['reports answer 1 --text-file %', 'nothing was sent'],
] as const;

test('a file in a Windows encoding is refused by name by every command that reads a text', async () => {
  const shop = await aShopFolder({ ...MEMO, products: [aProduct({ id: 1, slug: 'memo', license_keys: true })] });
  const file = await shop.file('notes.md', '');
  await writeFile(file, Buffer.from('New in 2.0:\nCaf\xE9 mode\n', 'latin1'));
  const why = 'is not UTF-8: byte 0xE9 at 15; save it as UTF-8';
  for (const [words, undone] of READERS) {
    const ran = await shop.run(...words.replaceAll('%', file).split(' '));
    expect([words, ran.code, ran.stdout, ran.stderr]).toEqual([words, 1, '', `${file} ${why}; ${undone}.\n`]);
  }
  expect((await shop.run('release', 'list', 'memo', '--json')).json()).toEqual([]);
  await shop.remove();
});

test('release notes that Notepad saved as Unicode are published unchanged', async () => {
  const shop = await aShopFolder();
  const file = await shop.file('notes.txt', '');
  await writeFile(file, Buffer.from('\uFEFFCafé 출시', 'utf16le'));
  const published = await shop.run('publish', 'memo', file, '--version', '2.0.0', '--notes-en', file, '--json');
  expect(published.json()).toMatchObject({ notes_en: 'Café 출시' });
  await shop.remove();
});
