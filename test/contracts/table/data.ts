import { expect, test } from 'vitest';
import { newKey, stored, type Use } from './helpers.ts';

/** JSON data that some stores change. */
const TEXTS: readonly [string, string][] = [
  ['the order of members', '{"b":1,"a":2,"B":3,"":4,"ä":5,"aa":{"z":1,"y":[{"x":1,"w":2}]}}'],
  [
    'members with names of JavaScript',
    '{"__proto__":{"a":1},"constructor":{"prototype":1},"toString":null,"length":0}',
  ],
  ['members with names of stores', '{"pk":1,"sk":2,"version":3,"expires_at":4,"ttl":5,"data":6,"$ne":7,"a.b":8,"#":9}'],
  ['very large and very small numbers', '[1e+21,1.7976931348623157e+308,5e-324,-2.5e-7,123456789012345680000]'],
  ['whole numbers to the last digit', '[9007199254740991,-9007199254740991,2147483648,4294967296,0.1,1.1]'],
  ['texts that look like other values', '["1","1.0","true","null","2026-01-01","2026-01-01T00:00:00.000Z","{}"," a "]'],
  ['control characters', JSON.stringify(String.fromCharCode(...Array.from({ length: 160 }, (_, code) => code)))],
  ['halves of surrogate pairs', '["\\ud83d","\\ude00","\\ude00\\ud83d","😀","\u2028\u2029"]'],
  ['forms of Unicode', '["á","a\u0301","Å","ﬀ","ı","İ","ß"]'],
  ['a deep nest', `${'['.repeat(100)}${']'.repeat(100)}`],
];

export const data = (use: Use): void => {
  test.each(TEXTS)('stored data keep %s', async (_, text) => {
    const [put, written] = [newKey(), newKey()];
    const value = { value: JSON.parse(text) };
    await use().put({ ...put, data: value });
    await use().transact([{ put: { ...written, data: value } }]);
    for (const key of [put, written]) {
      expect(JSON.stringify((await stored(use(), key)).data)).toBe(JSON.stringify(value));
      expect(JSON.stringify((await use().query({ pk: key.pk })).items[0]?.data)).toBe(JSON.stringify(value));
      expect(JSON.stringify((await use().getMany([key]))[0]?.data)).toBe(JSON.stringify(value));
    }
  });

  test('a negative zero becomes zero, as in JSON', async () => {
    const key = newKey();
    await use().put({ ...key, data: { n: -0 } });
    expect((await stored(use(), key)).data).toEqual({ n: 0 });
  });
};
