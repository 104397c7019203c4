import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { aDoctoredStore, STOCKED } from '../support/doctored-store.ts';
import { productEntry } from '../support/store-folder.ts';

type Doctored = Awaited<ReturnType<typeof aDoctoredStore>>;

let dataDir: string;
let wrongs: Doctored['wrongs'];
let findings: Doctored['findings'];
let fill: Doctored['fill'];

beforeEach(async () => {
  ({ dataDir, wrongs, findings, fill } = await aDoctoredStore());
  await fill(STOCKED);
});

const SUM = hash('sha256', 'tool');
const bytesFile = () => join(dataDir, 'objects', 'bytes', SUM);
const keyFile = () => join(dataDir, 'objects', 'keys', `sha256+${SUM}`);

const NAME = 'product-1 1.0.0 for every platform (tool.zip)';
const ADVICE = 'publish the same file as the same version again (a patch with --delta), or run: restore BACKUP --files';

describe('the bytes of files', () => {
  const FAULTS: [string, () => Promise<void>, string][] = [
    ['missing bytes', () => rm(bytesFile()), 'The object store lacks'],
    ['missing objects', () => rm(join(dataDir, 'objects'), { recursive: true }), 'The object store lacks'],
    ['truncated bytes', () => truncate(bytesFile(), 2), 'The object store has only a part of'],
    ['altered bytes', () => writeFile(bytesFile(), 'took'), 'The object store has other bytes than those of'],
    ['longer bytes', () => writeFile(bytesFile(), 'tool!'), 'The object store has other bytes than those of'],
    ['a damaged record', () => writeFile(keyFile(), 'no sum'), 'The object store has other bytes than those of'],
    [
      'the record of another file',
      () => writeFile(keyFile(), `${hash('sha256', 'took')} 4\n`),
      'The object store has other bytes than those of',
    ],
  ];

  test.each(FAULTS)('the doctor finds %s, and an import of the same document repairs it', async (_, damage, told) => {
    expect(await wrongs()).toEqual([]);
    await damage();
    expect(await wrongs()).toEqual([`files: ${told} ${NAME}; ${ADVICE}`]);
    await fill(STOCKED, { signing: false });
    expect(await wrongs()).toEqual([]);
    expect(await readFile(bytesFile(), 'utf8')).toBe('tool');
  });

  test('a quick check finds missing and truncated files, and no altered ones of the same size', async () => {
    const quick = async () => (await findings({}, { quick: true })).filter(({ ok }) => !ok).length;
    await writeFile(bytesFile(), 'took');
    expect(await quick()).toBe(0);
    await truncate(bytesFile(), 2);
    expect(await quick()).toBe(1);
    await rm(bytesFile());
    expect(await quick()).toBe(1);
  });

  test('the doctor shows the free disk space if the object store accepts no bytes', async () => {
    const probe = join(dataDir, 'objects', 'keys', 'doctor+probe');
    await rm(probe, { force: true });
    await mkdir(probe, { mode: 0o700 });
    expect((await findings()).slice(-2).map(({ check }) => check)).toEqual(['objects', 'disk']);
  });

  test('a finding lists the faulty files with their keys, and a shared file is read once', async () => {
    const asset = { content: { assets_dir: 'shots' } };
    await fill(
      {
        products: [
          productEntry({ id: 1, ...asset }),
          productEntry({ id: 2, delivery: { strategy: 'manual' }, ...asset }),
        ],
      },
      { signing: false, files: { 'shots/a.png': 'tool' } },
    );
    let read = 0;
    const progress = (_stage: string, done: number) => {
      read = done;
    };
    await findings({}, { progress });
    expect(read).toBe('tool'.length);
    await truncate(bytesFile(), 2);
    const [found] = (await findings()).filter(({ ok }) => !ok);
    expect(found?.files).toEqual([{ name: NAME, key: `sha256/${SUM}`, state: 'truncated' }]);
  });

  test('an import keeps intact files unchanged', async () => {
    const before = await readdir(join(dataDir, 'objects'), { recursive: true });
    await fill(STOCKED, { signing: false });
    expect(await readdir(join(dataDir, 'objects'), { recursive: true })).toEqual(before);
  });
});
