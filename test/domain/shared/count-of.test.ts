import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { countOf, plural } from '../../../domain/shared/count-of.ts';
import { invalid } from '../../../domain/shared/fault.ts';

describe('a count and its noun', () => {
  test('a count and its noun agree for every number, and one takes the singular', () => {
    fc.assert(
      fc.property(fc.nat(), (count) => {
        expect(countOf(count, 'file')).toBe(count === 1 ? '1 file' : `${count} files`);
        expect(plural(count, 'id', 'ids')).toBe(count === 1 ? 'id' : 'ids');
      }),
      { examples: [[0], [1], [2], [11], [21], [101]] },
    );
  });

  test('a count and its noun agree where the plural does not end in s', () => {
    expect([0, 1, 2].map((count) => countOf(count, 'entry', 'entries'))).toEqual(['0 entries', '1 entry', '2 entries']);
  });
});

test('the summary of errors counts the omitted ones', () => {
  const errors = (count: number) => ({ a: Array.from({ length: count }, () => 'Wrong.') });
  const said = [1, 2, 3].map((count) => invalid(errors(count)).message);
  expect(said).toEqual(['Wrong.', 'Wrong. (and 1 more error)', 'Wrong. (and 2 more errors)']);
});
