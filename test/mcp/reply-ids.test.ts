import { expect, test } from 'vitest';
import { idOf } from '../../adapters/mcp/protocol.ts';

test.each([['a'], [''], [0], [-7], [Number.MAX_SAFE_INTEGER]])('an error repeats the id %j of its message', (id) => {
  expect(idOf({ id })).toBe(id);
});

test.each([
  [0.5],
  [2.2250738585072014e-308],
  [1e300],
  [true],
  [{}],
  [null],
  [undefined],
])('an error has no id if its message has %j, which is not an MCP id', (id) => {
  expect(idOf({ id })).toBeNull();
});
