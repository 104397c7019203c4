import { mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ACTOR_KINDS, actorOf } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { ANYONE } from '../../domain/access/principal.ts';
import { ACTIONS } from '../../domain/audit/actions.ts';
import { auditEvent } from '../../domain/audit/event.ts';
import { openService } from '../processes/data-dir.ts';
import { aProduct } from '../support/builders.ts';
import { cli, type Ran } from '../support/cli.ts';

let folder: string;

const run = (...args: string[]): Promise<Ran> => cli(args, { DATA_DIR: folder });
const list = async (...args: string[]) => (await run('audit', 'list', ...args, '--json')).json();
const actions = async (...args: string[]) => (await list(...args)).map(({ action }: { action: string }) => action);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cli-audit-'));
  const { service, close } = await openService(folder);
  const product = aProduct({ id: 1, slug: 'timer', name: { en: 'Timer' } });
  await service.get('catalogEditor').save(grantPermit(), { kind: 'product', value: product });
  const anyone = grantPermit(() => actorOf(ANYONE, '/sign-in/callback', '2001:db8:1:2:3:4:5:6'));
  const device = { kind: 'device', id: 'la\u001bptop', account_id: 7, product_id: 1 } as const;
  await service.get('auditLog').add(anyone, auditEvent(device, 'released', { a: 1, b: [], c: 1, d: 1 }, {}));
  await close();
  const made = await run('account', 'add', '--email', 'ann@example.com', '--json');
  expect(made).toMatchObject({ code: 0, stderr: '' });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the audit list command', () => {
  test('audit list shows who changed what, with the command and the machine, newest first', async () => {
    const { code, stdout } = await run('audit', 'list');
    expect(code).toBe(0);
    const [headings, newest, ...older] = stdout.trimEnd().split('\n');
    expect(headings).toMatch(/^when +who +through +from +what +subject +account +product +changes$/);
    expect(newest).toContain(`command:${userInfo().username}`);
    expect(newest).toMatch(/ account add +\S+ +account\.created +\d+ +\d+ +-$/);
    expect(newest).toContain(hostname());
    expect(older).toHaveLength(2);
    expect(older[0]).toMatch(
      / anyone +\/sign-in\/callback +2001:db8:1:2::\/64 +device\.released +la ptop +7 +timer +a, b, c/,
    );
    expect(older[0]).toMatch(/and 1 more$/);
  });

  test('audit list --json prints whole entries without a buyer’s address or name', async () => {
    const entries = await list();
    expect(entries[0]).toMatchObject({
      action: 'account.created',
      by: { kind: 'command', id: userInfo().username, through: 'account add', from: hostname() },
      changes: expect.arrayContaining([{ field: 'email' }]),
    });
    expect(JSON.stringify(entries)).not.toContain('ann@example.com');
  });

  test('each filter of audit list omits the other entries', async () => {
    expect(await actions('--account', '7')).toEqual(['device.released']);
    expect(await actions('--product', 'timer')).toEqual(['device.released', 'product.created']);
    expect(await actions('--action', 'device')).toEqual(['device.released']);
    expect(await actions('--action', 'account.created')).toEqual(['account.created']);
    expect(await actions('--by', 'service')).toEqual(['product.created']);
    expect(await actions('--by', `command:${userInfo().username}`)).toEqual(['account.created']);
    expect(await actions('--subject', '1')).toEqual(['product.created']);
    expect(await actions('--since', '2000-01-01', '--limit', '1')).toEqual(['account.created']);
    expect(await actions('--until', '2000-01-01')).toEqual([]);
  });

  test('the help of audit list names every kind of record with its actions, and the kinds of actors', async () => {
    const { stdout } = await run('audit', 'list', '--help');
    for (const action of ACTIONS) {
      const [kind, done] = action.split('.') as [string, string];
      expect(stdout).toMatch(new RegExp(`^  ${kind} .*\\b${done}\\b`, 'm'));
    }
    expect(stdout).toContain(ACTOR_KINDS.join(', '));
  });
});
