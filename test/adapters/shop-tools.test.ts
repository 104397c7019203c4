import { describe, expect, test } from 'vitest';
import { toolInput } from '../../adapters/mcp/endpoint-tools.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../ports/inbound/endpoints.ts';

const TOOLS: readonly EndpointSpec[] = allEndpoints.filter(({ host, tool }) => host === 'shop' && tool !== undefined);

/** The arguments that name a record by an id, which lists return as a number or a string. A leaked key is its text. */
const NAMES = ['account', 'order', 'named', 'product', 'subscription', 'report', 'ticket', 'key', 'id', 'subject'];

const CASES = TOOLS.flatMap((endpoint) =>
  Object.keys(toolInput(endpoint).schema.properties)
    .filter((name) => NAMES.includes(name) && endpoint.id !== 'revokeLeakedKey')
    .map((name) => ({ endpoint, tool: endpoint.tool?.name, name })),
);

describe('the tools of the shop', () => {
  test.each(CASES)('the tool $tool accepts the id from a list for $name, as a number or as text', ({
    endpoint,
    name,
  }) => {
    const read = (id: unknown) => {
      const { params, query, body } = toolInput(endpoint).place({ [name]: id });
      const place = Object.keys(params).length > 0 ? 'params' : Object.keys(query).length > 0 ? 'query' : 'body';
      const [[field, value] = ['', null]] = Object.entries({ params, query, body }[place]);
      return endpoint[place]?.().shape[field]?.safeParse(value) as { success: boolean; data: unknown } | undefined;
    };
    expect(read(8)).toMatchObject({ success: true, data: expect.toSatisfy((id) => String(id) === '8') });
    expect(read(8)).toEqual(read('8'));
  });

  test('every tool calls an account account, and the HTTP API keeps its names', () => {
    for (const endpoint of TOOLS)
      expect(Object.keys(toolInput(endpoint).schema.properties)).not.toContain('account_id');
    const orders = TOOLS.find(({ id }) => id === 'listShopOrders') as EndpointSpec;
    expect(toolInput(orders).place({ account: 1 }).query).toEqual({ account_id: 1 });
    expect(Object.keys(orders.query?.().shape ?? {})).toContain('account_id');
    expect(toolInput(orders).nameOf('account_id')).toBe('account');
  });

  const OF_PATHS = TOOLS.filter(({ params }) => params !== undefined).map((endpoint) => [
    endpoint.tool?.name,
    endpoint,
  ]);

  test.each(
    OF_PATHS as [string, EndpointSpec][],
  )('the tool %s reports a blank path parameter as missing', (_, endpoint) => {
    const names = Object.keys(endpoint.params?.().shape ?? {});
    for (const blank of ['', ' ']) {
      const { params } = toolInput(endpoint).place(Object.fromEntries(names.map((name) => [name, blank])));
      const issues = endpoint.params?.().safeParse(params).error?.issues ?? [];
      expect(issues.map(({ path }) => path)).toEqual(names.map((name) => [name]));
    }
  });
});
