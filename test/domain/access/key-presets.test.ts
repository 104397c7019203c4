import { expect, test } from 'vitest';
import { type NewKeyForm, wrongKeyFields } from '../../../domain/access/key-presets.ts';

const NOW = '2026-11-22T10:00:00.000Z';
const FORM: NewKeyForm = { name: 'Build', abilities: ['products.read'], product: '', expires: '' };

test.each<[string, Partial<NewKeyForm>, string[]]>([
  ['a whole account and no end', {}, []],
  ['one of the products and the current day', { product: '7', expires: '2026-11-22' }, []],
  ['a time that is to come', { expires: '2026-11-22T10:00:01Z' }, []],
  ['a name of 100 characters', { name: 'x'.repeat(100) }, []],
  ['no name', { name: '' }, ['name']],
  ['a name of 101 characters', { name: 'x'.repeat(101) }, ['name']],
  ['no ability', { abilities: [] }, ['abilities']],
  ['a product of another account', { product: '8' }, ['product']],
  ['a day that has passed', { expires: '2026-11-21' }, ['expires']],
  ['a day that does not exist', { expires: '2026-11-31' }, ['expires']],
  ['a day in another order', { expires: '22.11.2026' }, ['expires']],
  [
    'everything wrong',
    { name: '', abilities: [], product: 'x', expires: 'x' },
    ['name', 'abilities', 'product', 'expires'],
  ],
])('the form for a new key with %s shows the fields to correct', (_, more, wrong) => {
  expect(wrongKeyFields({ ...FORM, ...more }, [{ id: 7 }], NOW)).toEqual(wrong);
});
