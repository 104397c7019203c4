import { beforeAll, describe, expect, test } from 'vitest';
import { bodyTypes } from '../../../ports/inbound/endpoint.ts';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { type Caller, callerOf } from '../callers.ts';
import { get, send } from '../client.ts';
import { goodBody, pathOf } from '../good-requests.ts';
import type { Mount } from '../mount.ts';

/** The endpoints whose input the service parses itself. */
const OWN = allEndpoints.filter(({ protocol }) => protocol === undefined);

const ASKED = OWN.filter(({ query }) => query !== undefined);

/** The optional fields of each JSON body, including its files. */
const OPTIONAL = OWN.filter((endpoint) => bodyTypes(endpoint).includes('application/json')).flatMap((endpoint) => {
  const { body, files = {}, perMinute } = endpoint;
  const members = Object.entries(body?.().shape ?? {}).filter(([, field]) => field.safeParse(undefined).success);
  const names = [...members.map(([name]) => name), ...Object.keys(files)];
  return perMinute === undefined ? names.map((name) => [endpoint.id, name, endpoint] as const) : [];
});

/** Tests that every endpoint accepts clumsy clients' notations of an absent value, and a repeated parameter. */
export const everyInputSuite = (mount: () => Mount): void => {
  describe.each(ASKED)('$method $path', (endpoint) => {
    let caller: Caller;
    beforeAll(async () => {
      caller = await callerOf(mount().service, endpoint);
    });
    const ask = (query: string) => get(mount(), `${pathOf(endpoint, caller.product)}?${query}`, caller.key);

    test.each(
      Object.keys(endpoint.query?.().shape ?? {}),
    )('the parameter %s can be empty, and can be repeated with one value', async (name) => {
      const [without, empty, emptyTwice] = [await ask(''), await ask(`${name}=`), await ask(`${name}=&${name}=`)];
      expect([empty.status, emptyTwice.status]).toEqual([without.status, without.status]);
      const [once, twice] = [await ask(`${name}=1`), await ask(`${name}=1&${name}=1`)];
      expect([twice.status, twice.body?.errors]).toEqual([once.status, once.body?.errors]);
      const { status, body } = await ask(`${name}=1&${name}=2`);
      expect([status, body.errors[name]]).toEqual([
        422,
        expect.arrayContaining([expect.stringContaining('was sent more than once with different values')]),
      ]);
    });
  });

  test.each(
    OPTIONAL,
  )('a request with %s accepts null and an empty text for %s as if absent', async (_, name, endpoint) => {
    const answers = [];
    for (const value of [undefined, null, '']) {
      const { key, product } = await callerOf(mount().service, endpoint);
      const json = { ...goodBody(endpoint, product), [name]: value };
      // A product is named in one of two ways, and the other is required if one is absent.
      if (name === 'product_id') Object.assign(json, { bundle_id: 'com.example.none' });
      const { status, body } = await send(mount(), endpoint.method, pathOf(endpoint, product), { key, json });
      answers.push([status, body.message]);
    }
    const [absent, ...others] = answers;
    expect(others).toEqual([absent, absent]);
    if (name !== 'product_id') expect(absent?.[0]).toBeLessThan(300);
  });
};
