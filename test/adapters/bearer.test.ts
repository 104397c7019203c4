import { expect, test } from 'vitest';
import { bearerOf } from '../../adapters/pipeline/bearer.ts';
import { ok } from '../../domain/shared/outcome.ts';

test.each([undefined, ''])('the header %j has no credential', (header) => {
  expect(bearerOf(header)).toMatchObject({ code: 'missing_api_key' });
});

test.each(['Bearer abc', 'bearer abc', 'BEARER   abc  '])('the credential of %j is abc', (header) => {
  expect(bearerOf(header)).toEqual(ok('abc'));
});

test.each([
  'Bearer',
  'Bearer ',
  'Basic abc',
  'Bearer a b',
  'abc',
  'Bearer\tabc',
])('%j has none that is valid', (header) => {
  expect(bearerOf(header)).toMatchObject({ code: 'invalid_api_key' });
});
