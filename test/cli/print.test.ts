import { expect, test, vi } from 'vitest';
import { answer } from '../../runtimes/cli/command.ts';
import { printed } from '../../runtimes/cli/print.ts';

test('a record is printed with its fields first, then its nested records, with amounts in their currency', () => {
  const order = {
    number: 'O-1',
    paid_at: null,
    currency: 'USD',
    gift: false,
    items: [
      { id: 1, name: { ko: '메모' }, total_cents: 900, tags: ['a', 'b'], first_used_at: null },
      { id: 2, name: { en: 'Tool' }, total_cents: 1250, tags: [], first_used_at: null },
    ],
    counts: { orders: 2, refunds: [] },
  };
  expect(printed(order)).toBe(
    [
      'number    O-1',
      'paid      -',
      'currency  USD',
      'gift      no',
      '',
      'items',
      'id  name  total      tags',
      ' 1  메모  9.00 USD   a, b',
      ' 2  Tool  12.50 USD  -',
      '',
      'counts',
      'orders   2',
      'refunds  -',
    ].join('\n'),
  );
});

test('columns are aligned for letters and emoji of two columns, and for marks of none', () => {
  const rows = [
    { name: '김소영', id: 1 },
    { name: '한글'.normalize('NFD'), id: 2 },
    { name: 'Zoe\u0308', id: 3 },
    { name: '🛠도구', id: 4 },
  ];
  const columns = printed({ rows }).split('\n').slice(1);
  expect(columns).toEqual(['name    id', '김소영   1', `${rows[1]?.name}     2`, 'Zoe\u0308      3', '🛠도구    4']);
});

test('a text of several lines is printed below its name, and lists with one are printed in full', () => {
  const ticket = { id: 7, detail: 'First\nsecond', answers: [{ number: 1, text: 'One\ntwo' }] };
  expect(printed(ticket)).toBe('id  7\n\ndetail\n  First\n  second\n\nanswers 1\nnumber  1\n\ntext\n  One\n  two');
});

test('a stranger’s record can’t move the cursor or break the layout, whatever its names and values are', () => {
  const text = printed({ '\u001b[31mred': 'a\u202eb', currency: 'no such', odd_cents: 1.5, deep: [[1, { a: [] }], 2] });
  expect(text).toBe(' [31mred  a b\ncurrency  no such\nodd       1.5\n\ndeep\n  [[1,{"a":[]}],2]');
});

test('a command prints a stranger’s text without terminal sequences', async () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const text = 'Key \u001b[2J\u009b31m of a\u202egnp.exe\nis revoked';
  await answer({}, async () => ({ ok: true, value: { json: {}, text } }));
  expect(write.mock.calls).toEqual([['Key  [2J 31m of a gnp.exe\nis revoked\n']]);
  write.mockRestore();
});
