import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ABILITIES } from '../../domain/access/abilities.ts';
import { answersTo, fromAnExport } from './answers.ts';
import { type Buyer, MEMO, sales } from './shop-files.ts';
import { readLog, STORY, storyOf } from './story.ts';
import { until, Week } from './week.ts';

/* The first week of a shop's operator, day by day. Each day continues from the previous one. */

/** The maximum time of a day on a busy machine. */
const timeout = 600_000;

let week: Week;
let ann: Buyer;
let bob: Buyer;
let carol: Buyer;

beforeAll(async () => {
  week = await Week.begin();
});
afterAll(() => week.end());

describe('the first week of an operator', { timeout }, () => {
  test('on Monday a shop is created from nothing', async () => {
    expect((await week.shop.run(['account', 'list'])).stderr).toContain('holds no store');
    await week.shop.do(['import', week.at('store.json')]);
    await week.addSigningKey('policy');
    await week.publish('memo', '1.0', '--build', '100', '--minimum-system', '13.0.0');
    await week.publish('tool', '1.0.0');
    const { code, stdout } = await week.shop.run(['doctor']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^next {3}accounts/m)]);
    await week.shop.start();
  });

  test('on Tuesday the shop sells, and buyers use their products on as many devices as allowed', async () => {
    ann = await week.addAccount('Ann Archer', 'ann@example.com');
    bob = await week.addAccount('Bob Baker', 'bob@example.com');
    carol = await week.addAccount('Carol Carter', 'carol@example.com');
    await writeFile(week.at('sales.json'), JSON.stringify(sales(ann, bob)));
    await week.shop.do(['import', week.at('sales.json')]);
    await week.give('memo', carol);

    await week.addFullKey('Ann’s key', ann);
    expect(await week.offered('Ann’s key')).toEqual(['1.0', '1.0', '1.0']);
    for (const [owner, name, device] of [
      [ann, 'Ann’s laptop', 'laptop'],
      [ann, 'Ann’s phone', 'phone'],
      [bob, 'Bob’s desktop', 'desktop'],
      [carol, 'Carol’s tablet', 'tablet'],
    ] as const) {
      await week.addDeviceKey(name, owner, device);
      expect(await week.verdict(name, device)).toBe('valid');
    }
    expect(await week.verdict('Ann’s key', 'spare')).toBe('device_limit_reached');
  });

  test('on Wednesday an order is refunded, and a laptop is stolen', async () => {
    await week.shop.do(['order', 'refund', 'O-15', '--reason', 'Bought twice', '--yes']);
    expect(await week.verdict('Bob’s desktop', 'desktop')).toBe('entitlement_revoked');

    const onMemo = ['laptop', '--account', String(ann.id), '--product', 'memo', '--yes'];
    await week.shop.do(['device', 'withdraw', ...onMemo, '--reason', 'Stolen']);
    await until(async () =>
      expect(await week.withdrawn('Ann’s phone')).toEqual([{ product_id: MEMO, device_id: 'laptop' }]),
    );
    expect(await week.verdict('Ann’s laptop', 'laptop')).toBe('device_revoked');
    await week.shop.do(['device', 'release', ...onMemo, '--revoke-keys']);
    expect(await week.verdict('Ann’s laptop', 'laptop')).toBe(401);
    expect(await week.verdict('Ann’s key', 'new laptop')).toBe('valid');
  });

  test('on Thursday a key leaks, and a bad release is withdrawn before it is fixed', async () => {
    await week.revokeKey('Ann’s key');
    expect(await week.verdict('Ann’s key', 'new laptop')).toBe(401);
    await week.addFullKey('Ann’s new key', ann);

    await week.publish('memo', '1.1', '--build', '110');
    await until(async () => expect(await week.offered('Ann’s new key')).toEqual(['1.1', '1.1', '1.1']));
    await week.shop.do(['release', 'withdraw', 'memo', '1.1', '--reason', 'It loses notes.', '--yes']);
    await until(async () => expect(await week.offered('Ann’s new key')).toEqual(['1.0', '1.0', '1.0']));
    await week.publish('memo', '1.2', '--build', '120');
    await until(async () => expect(await week.offered('Ann’s new key')).toEqual(['1.2', '1.2', '1.2']));
  });

  test('on Friday a signing key is rotated, a question answered, and a buyer erased', async () => {
    const kid = await week.addSigningKey('license');
    await until(async () => expect(await week.signer('Ann’s phone', 'phone')).toBe(kid));

    const ticket = await week.ask('Ann’s new key', 'Where are my notes?');
    await week.shop.do(['reports', 'answer', ticket, '--close'], 'Version 1.2 brings them back.');
    expect(await week.shop.do(['reports', 'show', ticket])).toMatchObject({
      ticket: { status: 'closed' },
      answers: [{ text: 'Version 1.2 brings them back.' }],
    });

    await week.shop.do(['account', 'erase', String(carol.id), '--yes']);
    expect(await week.verdict('Carol’s tablet', 'tablet')).toBe(401);
    using store = new DatabaseSync(join(week.shop.dataDir, 'store.db'), { readOnly: true });
    const left = store.prepare("SELECT * FROM items WHERE pk || sk || data LIKE '%carol%'").all();
    expect(left).toEqual([]);
  });

  test('on Saturday a backup is made under load and repairs what the disk has altered', async () => {
    let backup = '';
    const statuses = await week.underLoad('Ann’s phone', 'phone', async () => {
      backup = await week.backUp();
    });
    expect(statuses).toEqual([200]);

    await week.rot('memo-1.2.zip');
    const found = await week.shop.run(['doctor']);
    expect([found.code, found.stdout]).toEqual([1, expect.stringMatching(/^WRONG {2}files .*memo 1\.2 /m)]);
    const advice = /run: (restore BACKUP --files)$/m.exec(found.stdout)?.[1] ?? '';
    await week.shop.do(advice.replace('BACKUP', backup).split(' '));
    expect(await week.shop.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('on Sunday the machine is lost, and a new one gives the same responses', async () => {
    const backup = await week.backUp();
    const before = await answersTo(week.shop, week.keyOf('Ann’s new key'));
    const signer = await week.signer('Ann’s phone', 'phone');
    expect(Object.values(before).filter((answer) => !answer.startsWith('200 '))).toEqual([]);

    await week.shop.burn();
    week.shop = week.machine('new');
    await week.shop.do(['restore', backup, '--to', week.shop.dataDir]);
    await week.shop.start();
    expect(await answersTo(week.shop, week.keyOf('Ann’s new key'))).toEqual(before);
    expect(await week.signer('Ann’s phone', 'phone')).toBe(signer);
    expect(await week.verdict('Bob’s desktop', 'desktop')).toBe('entitlement_revoked');
    expect(await week.verdict('Ann’s laptop', 'laptop')).toBe(401);
  });
});

describe('after the first week', { timeout }, () => {
  test('an export gives an empty store the same responses, with new keys', async () => {
    const before = fromAnExport(await answersTo(week.shop, week.keyOf('Ann’s new key')));
    const copy = week.machine('copy');
    await copy.do(['import', await week.export()]);
    await copy.do(['signing-key', 'create']);
    const { key } = await copy.do([
      'key',
      'create',
      '--account',
      String(ann.id),
      '--name',
      'new',
      '--abilities',
      ABILITIES.join(','),
    ]);
    await copy.start();
    const after = await answersTo(copy, key).finally(() => copy.stop());
    expect(fromAnExport(after)).toEqual(before);
  });

  test('the doctor finds nothing wrong, and its only next step is a mail server', async () => {
    const { code, stdout } = await week.shop.run(['doctor']);
    expect([code, stdout]).toEqual([0, expect.not.stringMatching(/^(?:WRONG|next {3}(?!mail\b))/m)]);
  });

  test('the audit log has an entry for each step of the week', async () => {
    expect(storyOf(await readLog(week.shop), week.named)).toEqual(STORY);
  });

  test('the audit log contains no secret, and no address, name or words of a buyer', async () => {
    const entries = JSON.stringify(await readLog(week.shop));
    const { stdout } = await week.shop.run(['audit', 'list', '--limit', '1000']);
    const buyers = [ann, bob, carol].flatMap(({ name, email }) => [email, ...name.split(' ')]);
    for (const hidden of [...week.secrets(), ...buyers, 'a password of', 'my notes', 'brings them back']) {
      for (const text of [entries, stdout]) expect(text).not.toContain(hidden);
    }
  });
});
