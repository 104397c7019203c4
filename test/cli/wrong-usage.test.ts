import { describe, expect, test } from 'vitest';
import { cli } from '../support/cli.ts';

/** The arguments after a command, with the part of the error that gives the reason. */
type Wrong = readonly [args: string | readonly string[], why: string];

const LIMIT = 'It takes a whole number from 1 to 1000.';
const CHANNELS = 'Allowed choices are stable, beta, alpha, dev.';
const MOMENT = 'a date and time with an offset';

/** Calls that are wrong regardless of the store. */
const WRONG: Readonly<Record<string, readonly Wrong[]>> = {
  '': [
    ['', 'error: missing command; --help lists the commands'],
    ['acount', "error: unknown command 'acount'"],
    ['--no-such-option', "error: unknown option '--no-such-option'"],
    [['--server', '', 'account', 'list'], 'It takes an address such as https://shop.example.com.'],
    ['--server localhost:8084 account list', 'It takes an address such as https://shop.example.com.'],
    ['--server https://ann:secret@example.com account list', 'It takes an address'],
    ['account list --server https://example.com', 'Put --server before the command.'],
    ['search -x', 'Put -- before a value that begins with a hyphen.'],
  ],
  account: [
    ['add', "error: required option '--email <address>' not specified"],
    ['add --email nobody', 'It takes an email address.'],
    ['show', "missing required argument 'account'"],
    ['rename 1', "name what to change: '--email' or '--name'"],
    ['rename 1 --email ann', 'It takes an email address.'],
    ['rename ann --name Ann', 'It takes an id'],
    ['erase ann', 'It takes an id'],
    ['limit 1 0', 'It takes a whole number from 1 to 60000.'],
  ],
  key: [
    [
      'create --account 1 --name k --abilities products.write',
      'There is no ability products.write. It takes a comma-separated',
    ],
    ['create --account 1 --name k --expires 2027-02-30', 'It takes a date such as 2027-01-31'],
    ['revoke', "name the key by its id or '--stdin'"],
    ['revoke 1 --stdin', "name the key by its id or '--stdin'"],
    ['create --account 1 --name k --client cli', "options '--client' and '--device' go together"],
    ['revoke x', 'It takes an id'],
  ],
  'agent-token': [
    ['', 'missing command'],
    [
      'create --role admin --name x',
      'Allowed choices are collect, read, write, review, orders, support, catalog, everything.',
    ],
    ['create --role read', '--name'],
    ['create --role read --name x --role write', "option '--role <role>' was given twice; give it once"],
    ['create --name x', '--role'],
    [['create', '--role', 'read', '--name', 'a\nb'], 'on one line'],
    ['revoke x', 'It takes an id'],
  ],
  device: [
    ['', 'missing command'],
    ['nothing', "unknown command 'nothing'"],
    ['list', '--account'],
    ['list --account 1 --limit 0', 'from 1 to 1000'],
    ['release laptop --account 1', '--product'],
    ['release laptop --product memo', '--account'],
    [['withdraw', 'laptop', '--product', 'memo', '--reason', 'stolen from Bea at new@example.com'], 'It takes no @'],
    ['withdraw --product memo', "missing required argument 'device'"],
    ['restore laptop', '--product'],
  ],
  grant: [
    ['--account 0 --product 1', 'It takes an id'],
    [['--account', '1', '--product', ' '], 'It takes 1 to 255 characters'],
    ['revoke 1', '--account'],
    ['revoke x --account 1', 'It takes an id'],
    ['extend 1 --account 1', 'name what to extend'],
    ['extend 1 --account 1 --access-expires soon', 'It takes a date'],
    ['extend 1 --account 1 --device-limit -1', 'It takes a whole number'],
    ['list', '--account'],
    [['--account', '1', '--product', 'memo', '--edition', ''], "argument '' is invalid. It is empty."],
  ],
  product: [
    ['show', "missing required argument 'product'"],
    ['remove', "unknown command 'remove'"],
  ],
  'usage show': [
    ['', "name '--product', '--account' or both"],
    ['--product memo --days 0', 'It takes a whole number from 1 to 366.'],
    ['--product memo --days 367', 'It takes a whole number from 1 to 366.'],
  ],
  order: [
    ['refund O-15 --item all', 'It takes an id'],
    ['list --status paid --status refunded', "option '--status <status>' was given twice; give it once"],
    [['refund', 'O-15', '--reason', 'ann@example.com asked', '--yes'], 'It takes no @, because the reason outlives'],
    ['refund', "missing required argument 'order'"],
  ],
  subscription: [
    ['show 9', "required option '--account <id-or-email>' not specified"],
    ['list', "required option '--account <id-or-email>' not specified"],
  ],
  import: [
    ['', "error: missing required argument 'file'"],
    [[''], 'It is empty.'],
  ],
  backup: [[[''], 'It is empty.']],
  export: [[[''], 'It is empty.']],
  publish: [
    ['tool file --version 1 --channel nightly', CHANNELS],
    ['memo file --version 9 --minimum-system Ventura', '--minimum-system'],
    ['memo file --version 9 --link javascript:alert(1)', '--link'],
    ['memo file --version 9 --phased-rollout daily', '--phased-rollout'],
    ['memo file --version 9 --delta memo.delta', '--delta'],
    ['memo file --version 9 --delta old=memo.delta', '--delta'],
    ['memo file --version 9 --critical yes', '--critical'],
    ['memo file --version 9 --release-notes-link https://example.com', '--release-notes-link'],
    ['memo file --version 9 --release-notes-link fr=https://example.com', '--release-notes-link'],
    ['memo file --version 9 --full-release-notes-link notes.html', '--full-release-notes-link'],
    ['memo file --version 9 --installation-type application', '--installation-type'],
    ['memo file --version 9 --signature nonsense', '--signature'],
  ],
  release: [
    ['withdraw memo 1.0.0', '--reason'],
    [['withdraw', 'memo', '1.0.0', '--reason', ' '], 'It takes 1 to 255 characters'],
    ['move memo 1.0.0', '--channel'],
    ['move memo 1.0.0 --channel nightly', CHANNELS],
    ['schedule memo 1.0.0 --released-at 2027-01-31', MOMENT],
    ['schedule memo 1.0.0 --released-at 9999-12-31T23:59:59-01:00', MOMENT],
    ['schedule memo 1.0.0 --released-at 2027-02-30T00:00:00Z', MOMENT],
  ],
  reports: [
    ['list --kind other', 'Allowed choices are error, support.'],
    ['list --status new', 'Allowed choices are open, closed.'],
    ['list --status open --kind error', "option '--status' is for tickets"],
    ['list --since yesterday', 'which is the beginning of that day in UTC'],
    ['list --limit 0', LIMIT],
    ['list --limit 1001', LIMIT],
    ['show everything', 'It takes'],
    ['answer', "missing required argument 'ticket'"],
  ],
  'audit list': [
    ['--action device.flown', '--action'],
    ['--by robot', '--by'],
    ['--by key:', '--by'],
    ['--limit 1001', LIMIT],
  ],
  collect: [['list --limit 0', 'It takes a whole number']],
  'signing-key': [['list --use downloads', 'Allowed choices are policy, license, artifact']],
  restore: [
    ['x', '--to'],
    ['x --to y --files', '--files'],
  ],
  migrate: ['dynamodb:shop', 's3:files', 'oracle:shop', 'dynamodb:shop,sqlite:.data', 'folder:'].map(
    (place) => [`--from ${place} --to unused`, 'dynamodb:TABLE,s3:BUCKET'] as const,
  ),
};

const words = (text: string): string[] => text.split(' ').filter((word) => word !== '');

const CALLS = Object.entries(WRONG).flatMap(([command, wrongs]) =>
  wrongs.map(([args, why]) => [[...words(command), ...(typeof args === 'string' ? words(args) : args)], why] as const),
);

describe('wrong usage', () => {
  test.each(CALLS)('the call %j exits with 2 and says in at most two lines what is wrong', async (call, why) => {
    const { code, stdout, stderr } = await cli(call, { DATA_DIR: '/proc/nowhere' });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(why)]);
    expect(stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(2);
  });
});
