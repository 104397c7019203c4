import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { overlap } from '../../adapters/host/overlap.ts';
import { Routes } from '../../adapters/host/routes.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';

const isFound = (pattern: string, path: string): boolean =>
  new Routes([{ method: 'GET', path: pattern, entry: pattern }]).find(path) !== undefined;

const literal = fc.constantFrom('a', 'b', 'a.css');
const segment = fc.oneof(literal, fc.constantFrom('{}', '{}.css'));
const pathOf = (segments: readonly string[]): string => `/${segments.join('/')}`;
/** The segments as a path, whose parameters have a name each. */
const patternOf = (segments: readonly string[]): string =>
  pathOf(segments.map((text, at) => text.replace('{}', `{p${at}}`)));
const pattern = fc
  .tuple(fc.array(segment, { minLength: 1, maxLength: 3 }), fc.boolean())
  .map(([segments, isGreedy]) => patternOf(isGreedy ? [...segments, '{path}'] : segments));
const path = fc.array(literal, { minLength: 1, maxLength: 5 }).map(pathOf);

describe('two paths with parameters', () => {
  test.each([
    ['/api/products/{product}/seats', '/api/products/4/seats', true],
    ['/api/products/{product}', '/api/products/{id}', true],
    ['/api/products/{product}/seats', '/api/products/{product}/releases', false],
    ['/api/products/{product}', '/api/products', false],
    ['/api/files/{path}', '/api/files/a/{b}', true],
    ['/api/files/{path}', '/api/files', false],
    ['/api/{name}.css', '/api/product.css', true],
    ['/api/{name}.css', '/api/.css', false],
  ])('%s and %s fit the same request: %s', (one, other, both) => {
    expect([overlap(one, other), overlap(other, one)]).toEqual([both, both]);
  });

  test('they overlap wherever the router finds both by one path', () => {
    fc.assert(
      fc.property(pattern, pattern, path, (one, other, asked) => {
        fc.pre(isFound(one, asked) && isFound(other, asked));
        expect(overlap(one, other)).toBe(true);
      }),
    );
  });

  test('no two endpoints of this package on one host overlap, but where the path is the same', () => {
    const met = allEndpoints.flatMap((one) =>
      allEndpoints
        .filter((other) => other.host === one.host && other.path !== one.path && overlap(one.path, other.path))
        .map((other) => [one.id, other.id]),
    );
    expect(met).toEqual([]);
  });
});
