import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { openService } from '../processes/data-dir.ts';
import { cli, type Ran } from '../support/cli.ts';
import { done } from '../support/outcomes.ts';
import { passed } from '../support/permits.ts';
import { SENDER } from '../support/report-builders.ts';

const BUNDLE = Buffer.from('PK\u0003\u0004 whatever');

let folder: string;
let ticket: number;
let group: string;
let errorId: number;

const run = (...args: string[]): Promise<Ran> => cli(['reports', ...args], { DATA_DIR: join(folder, 'data') });
const json = async (...args: string[]) => (await run(...args, '--json')).json();

/** Characters that move a cursor, change colors, reverse text or are invisible. */
const HIDDEN = ['\u001b', '\u202a', '\u202e', '\u2066', '\u2069', '\u200b', '\u200d', '\u200f', '\ufeff'];

const DETAILS = {
  app_bundle_id: 'com.example.timer',
  app_version: '1.4.0',
  os_version: null,
  device_model: null,
  error_type: 'crash' as const,
  error_message: `Out of ${HIDDEN.join('range')}`,
  stack_trace: 'TypeError: x\n    at tick (/Users/jane/timer.js:1:2)',
  context: { screen: 'timer' },
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cli-reports-'));
  const { service, close } = await openService(join(folder, 'data'));
  const permit = Promise.resolve(grantPermit());
  const ann = {
    id: 7,
    email: 'ann@example.com',
    name: null,
    created_at: '2026-01-01T00:00:00.000Z',
    password_hash: null,
  };
  await service.get('accounts').save(grantPermit(), ann);
  const { report } = done(await passed(service.get('receiveErrorReport')({ body: DETAILS, owner: SENDER }), permit));
  await passed(service.get('receiveErrorReport')({ body: DETAILS, owner: SENDER }), permit);
  [group, errorId] = [report.group, report.id];
  const told = done(
    await passed(
      service.get('receiveSupportReport')({
        account_id: 7,
        body: {
          kind: 'refund_request',
          summary: 'It stops',
          detail: 'After\na minute.',
          app_bundle_id: null,
          app_version: null,
          macos_version: null,
          device_id: null,
        },
        files: {
          bundle: {
            name: 'logs.zip',
            type: 'application/zip',
            size: BUNDLE.length,
            sha256: createHash('sha256').update(BUNDLE).digest('hex'),
            open: () => Readable.from([BUNDLE]),
          },
        },
      }),
      permit,
    ),
  );
  ticket = told.ticket.id;
  await close();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the reports list command', () => {
  test('reports list shows errors and tickets, newest first, each with its number of reports', async () => {
    expect(await json('list')).toEqual([
      expect.objectContaining({
        kind: 'support',
        id: String(ticket),
        type: 'refund_request',
        status: 'open',
        reports: 1,
      }),
      expect.objectContaining({
        kind: 'error',
        id: group,
        type: 'crash',
        app_bundle_id: 'com.example.timer',
        reports: 2,
      }),
    ]);
    const { stdout } = await run('list');
    expect(stdout).toContain(group);
    for (const hidden of HIDDEN) expect(stdout).not.toContain(hidden);
  });

  test.each([
    [['--kind', 'error'], 1],
    [['--kind', 'support'], 1],
    [['--app', 'com.example.timer'], 1],
    [['--app', 'com.example.other'], 0],
    [['--since', '2020-01-01'], 2],
    [['--since', '2099-01-01'], 0],
    [['--limit', '1'], 1],
    [['--status', 'open'], 1],
    [['--status', 'open', '--kind', 'support'], 1],
    [['--status', 'closed'], 0],
  ])('the command reports list %j lists %d', async (args, count) => {
    expect(await json('list', ...args)).toHaveLength(count);
  });

  test('the help of reports list names the range of its limit', async () => {
    expect((await run('list', '--help')).stdout).toContain('from 1 to 1000');
  });
});

describe('the reports show command', () => {
  test('reports show prints a group of errors with its newest report in full', async () => {
    expect(await json('show', group)).toMatchObject({
      kind: 'error',
      count: 2,
      reports: [{ context: { screen: 'timer' } }, {}],
    });
    const { stdout } = await run('show', group);
    expect(stdout).toContain('    at tick (~/timer.js:1:2)');
    expect(stdout).toContain('range '.repeat(HIDDEN.length - 2));
    for (const hidden of HIDDEN) expect(stdout).not.toContain(hidden);
  });

  test('reports show gives the time of the newest report as the last sighting of its group', async () => {
    const { group: shown, reports } = await json('show', group);
    expect(reports).toHaveLength(2);
    expect(shown.last_seen).toBe(reports[0].received_at);
  });

  test('reports show finds one error by the id that its sender received', async () => {
    expect((await json('show', String(errorId))).reports).toEqual([expect.objectContaining({ id: errorId })]);
  });

  test('reports show prints a ticket with its files', async () => {
    expect(await json('show', String(ticket))).toMatchObject({
      kind: 'support',
      ticket: { id: ticket, account_id: 7, detail: 'After\na minute.' },
      account_email: 'ann@example.com',
      files: [{ number: 1, name: 'logs.zip', size: BUNDLE.length }],
    });
    const { stdout } = await run('show', String(ticket));
    expect(stdout).toContain('  After\n  a minute.');
    expect(stdout).toMatch(/^account email +ann@example\.com$/m);
  });

  test('reports show refuses the id of an unknown group', async () => {
    expect((await run('show', `v1:${'0'.repeat(32)}`)).code).toBe(1);
  });
});

describe('the reports bundle command', () => {
  test('reports bundle saves the uploaded file unchanged and readable by its owner only', async () => {
    const out = join(folder, 'saved.zip');
    expect(await json('bundle', String(ticket), '--out', out)).toMatchObject({ name: 'logs.zip', out });
    expect((await readFile(out)).equals(BUNDLE)).toBe(true);
    expect((await stat(out)).mode & 0o777).toBe(0o600);
  });

  test('reports bundle never overwrites a file', async () => {
    const out = join(folder, 'mine.txt');
    await writeFile(out, 'mine');
    const ran = await run('bundle', String(ticket), '--out', out);
    expect([ran.code, ran.stderr]).toEqual([1, `${out} already exists; name another file.\n`]);
    expect(await readFile(out, 'utf8')).toBe('mine');
  });

  test('reports bundle refuses a file that was never uploaded and creates none', async () => {
    const out = join(folder, 'none.zip');
    expect((await run('bundle', String(ticket), '--number', '2', '--out', out)).code).toBe(1);
    await expect(stat(out)).rejects.toThrow('ENOENT');
  });

  test('reports bundle refuses a folder that does not exist', async () => {
    for (const nowhere of [join(folder, 'nowhere'), join(folder, 'data', 'store.db')]) {
      const ran = await run('bundle', String(ticket), '--out', join(nowhere, 'x.zip'));
      expect([ran.code, ran.stderr]).toEqual([1, `There is no folder ${nowhere}; create it, or name another.\n`]);
    }
  });
});

describe('the reports answer command', () => {
  test('reports answer sends the text of a file, which reports show prints, and names the buyer’s address', async () => {
    const file = join(folder, 'answer.txt');
    await writeFile(file, 'Install version 1.2.\nIt mends this.\n');
    const ran = await run('answer', String(ticket), '--text-file', file);
    expect([ran.code, ran.stdout]).toEqual([
      0,
      `Answer 1 is stored with ticket ${ticket}, which is open. The buyer can read it at /support of the account host. If the server sends mail, it is also mailed to ann@example.com.\n`,
    ]);
    const { stdout } = await run('show', String(ticket));
    expect(stdout).toMatch(
      /\nanswers 1\nnumber +1\nanswered +.+Z\n[\s\S]*\ntext\n {2}Install version 1\.2\.\n {2}It mends this\.\n/,
    );
  });

  test('reports answer sends a file, which the ticket then has, and refuses one that is too large or missing', async () => {
    const text = join(folder, 'answer.txt');
    const large = join(folder, 'large.zip');
    await writeFile(large, Buffer.alloc(4_000_001));
    const send = (file: string) => run('answer', String(ticket), '--text-file', text, '--file', file);
    const empty = join(folder, 'empty.zip');
    await writeFile(empty, '');
    const none = join(folder, 'none.zip');
    for (const [path, why] of [
      [large, 'has more than 4000000 bytes, the most that it may have'],
      // A device and a pipe have no size.
      ['/dev/zero', 'has more than 4000000 bytes, the most that it may have'],
      [none, 'does not exist'],
      [folder, "can't be read (EISDIR)"],
      [empty, 'is empty'],
    ] as const) {
      expect((await send(path)).stderr).toBe(`${path} ${why}; nothing was sent.\n`);
    }
    const pipe = join(folder, 'pipe.txt');
    await promisify(execFile)('mkfifo', [pipe]);
    const [piped] = await Promise.all([send(pipe), writeFile(pipe, 'from a pipe')]);
    expect(piped.code).toBe(0);
    expect((await json('show', String(ticket))).files.at(-1)).toMatchObject({ name: 'pipe.txt', size: 11 });
    expect((await send(text)).code).toBe(0);
    const { files, answers } = await json('show', String(ticket));
    expect(files.at(-1)).toMatchObject({ name: 'answer.txt', answer: answers.at(-1).number });
    const out = join(folder, 'sent.txt');
    await json('bundle', String(ticket), '--out', out);
    expect(await readFile(out, 'utf8')).toBe(await readFile(text, 'utf8'));
  });

  test('reports answer refuses an empty text and a missing file', async () => {
    const empty = join(folder, 'empty.txt');
    await writeFile(empty, '\n');
    const refused = async (...args: string[]) => {
      const { code, stdout, stderr } = await run('answer', ...args);
      return [code, stdout, stderr];
    };
    expect(await refused(String(ticket), '--text-file', empty)).toEqual([
      1,
      '',
      'The answer is empty; enter its text.\n',
    ]);
    const missing = join(folder, 'missing.txt');
    expect(await refused(String(ticket), '--text-file', missing)).toEqual([
      1,
      '',
      `${missing} does not exist; nothing was sent.\n`,
    ]);
    expect((await run('answer', '--help')).stdout).toMatch(/by mail\s+if the server sends mail/);
  });
});

describe('the reports close command', () => {
  test('reports close closes an open or closed ticket', async () => {
    expect(await json('close', String(ticket))).toMatchObject({ id: ticket, status: 'closed' });
    const again = await run('close', String(ticket));
    expect([again.code, again.stdout]).toEqual([0, `ticket ${ticket} is closed already\n`]);
    expect(await json('show', String(ticket))).toMatchObject({ ticket: { status: 'closed' } });
    expect(await json('list', '--status', 'closed')).toMatchObject([{ id: String(ticket) }]);
    expect(await json('list', '--status', 'open')).toEqual([]);
  });

  test('reports reopen opens a closed or open ticket', async () => {
    const reopened = await run('reopen', String(ticket));
    expect([reopened.code, reopened.stdout]).toEqual([0, `ticket ${ticket} is open\n`]);
    expect(await json('reopen', String(ticket))).toMatchObject({ id: ticket, status: 'open', result: 'unchanged' });
  });
});
