import { expect, test } from 'vitest';
import { Routes } from '../../adapters/host/routes.ts';
import { allEndpoints, ENDPOINTS } from '../../ports/inbound/endpoints.ts';

const twice = (names: readonly (string | undefined)[]): (string | undefined)[] =>
  names.filter((name, at) => name !== undefined && names.indexOf(name) < at);

test('every endpoint has its id as its key in the table', () => {
  expect(allEndpoints.map(({ id }) => id)).toEqual(Object.keys(ENDPOINTS));
});

test('no two endpoints on any host have the same method and path, because the OpenAPI document has one place for both', () => {
  expect(twice(allEndpoints.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`))).toEqual([]);
});

test('tool names are unique and fit MCP clients', () => {
  const names = allEndpoints.map(({ tool }) => tool?.name);
  expect(twice(names)).toEqual([]);
  for (const name of names) expect(name ?? 'none').toMatch(/^[a-z0-9_]{1,40}$/);
});

test('no endpoint’s path is matched by another endpoint', () => {
  for (const { host, method, path } of allEndpoints) {
    const routes = new Routes(
      allEndpoints.filter((one) => one.host === host).map((one) => ({ ...one, entry: one.path })),
    );
    expect(routes.find(path.replaceAll(/\{\w+\}/g, '1'))?.entries.get(method)).toBe(path);
  }
});
