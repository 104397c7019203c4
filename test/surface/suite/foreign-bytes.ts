import { beforeAll, describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { type Caller, callerOf } from '../callers.ts';
import { get } from '../client.ts';
import { ASSET_BYTES, goodBody, pathOf } from '../good-requests.ts';
import type { Mount } from '../mount.ts';
import { sendRaw } from '../raw.ts';
import { all, type Choice } from '../requests.ts';

/** The endpoints whose query the service parses itself. */
const ASKED = allEndpoints.filter(({ query, protocol }) => query !== undefined && protocol === undefined);

/** The endpoints that accept a form. */
const FORMED = allEndpoints.filter(({ files }) => files !== undefined);

const part = (name: string, more = ''): string =>
  `--x7\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;

/** Tests that bytes that are not UTF-8 are refused in every text, and never replaced. */
export const foreignBytesSuite = (mount: () => Mount, choice: Choice = all): void => {
  describe.each(choice(ASKED))('the query of $method $path', (endpoint) => {
    let caller: Caller;
    beforeAll(async () => {
      caller = await callerOf(mount().service, endpoint);
    });
    const ask = (query: string) => get(mount(), `${pathOf(endpoint, caller.product)}?${query}`, caller.key);

    test.each(
      Object.keys(endpoint.query?.().shape ?? {}),
    )('a query with %s in bytes that are not UTF-8 is 400', async (field) => {
      for (const value of ['%ff', 'caf%E9', '%ED%A0%80', 'a%C3', '%']) {
        const { status, body } = await ask(`${field}=${value}`);
        const isMalformed = status === 400;
        expect([value, isMalformed]).toEqual([value, value !== '%']);
        if (isMalformed) expect(body).toEqual({ message: expect.stringContaining(`query parameter ${field} is not`) });
      }
    });

    test('an unknown query parameter in such bytes is ignored', async () => {
      const [plain, more] = [await ask(''), await ask('profile=%ff&%ff=1')];
      expect(more.status).toBe(plain.status);
    });
  });

  describe.each(choice(FORMED))('the form of $method $path', (endpoint) => {
    let caller: Caller;
    beforeAll(async () => {
      caller = await callerOf(mount().service, endpoint);
    });
    const files = Object.entries(endpoint.files ?? {}).filter(([, { required }]) => required);

    /** Sends a valid form whose parts have this type, with an additional field of these bytes. */
    const upload = (field: string, bytes: Buffer, type = '') => {
      const own = Object.entries(goodBody(endpoint, caller.product) ?? {}).filter(([name]) => name !== field);
      const chunks = [
        ...own.map(([name, value]) => `${part(name, type)}${value}\r\n`),
        ...files.flatMap(([name]) => [part(name, '; filename="a.css"'), ASSET_BYTES, '\r\n']),
        part(field, type),
        bytes,
        '\r\n--x7--\r\n',
      ];
      // The length detects a gateway that treats the body as text.
      const length = chunks.reduce((sum, chunk) => sum + Buffer.byteLength(chunk), 0);
      return sendRaw(mount(), {
        method: endpoint.method,
        path: pathOf(endpoint, caller.product),
        headers: {
          authorization: `Bearer ${caller.key}`,
          'content-type': 'multipart/form-data; boundary=x7',
          'content-length': String(length),
        },
        chunks,
      });
    };

    test.each([
      'url',
      'summary',
      'unknown',
    ])('a form with the field %s in bytes that are not UTF-8 is 400', async (field) => {
      const { status, body } = await upload(field, Buffer.from([0x63, 0x61, 0x66, 0xe9]));
      expect([status, body]).toEqual([400, { message: `The field ${field} is not valid UTF-8.` }]);
    });

    test('a form in UTF-8 is accepted, whether or not its fields say so', async () => {
      for (const type of ['', '\r\nContent-Type: text/plain; charset=utf-8']) {
        expect((await upload('unknown', Buffer.from('도구 \ufffd'), type)).status).toBeLessThan(300);
      }
    });
  });
};
