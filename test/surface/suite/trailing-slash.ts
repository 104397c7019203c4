import { describe, expect, test } from 'vitest';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import type { Host } from '../../../ports/inbound/hosts.ts';
import { pathOf } from '../good-requests.ts';
import type { Mount } from '../mount.ts';
import { all, type Choice } from '../requests.ts';
import { TOOL } from '../shop.ts';

/** One path of each endpoint, except those whose last part may contain slashes. */
const ENDPOINTS = [...new Map(allEndpoints.map((endpoint) => [endpoint.path, endpoint])).values()].filter(
  ({ path }) => !path.endsWith('{path}'),
);

const BESIDE: readonly [Host, string][] = [
  ['api', '/healthz'],
  ['api', '/docs'],
  ['api', '/docs/start.js'],
  ['api', '/docs/scalar.js'],
  ['api', '/openapi.json'],
  ['api', '/.well-known/jwks.json'],
  ['api', '/.well-known/oauth-protected-resource'],
  ['api', '/.well-known/oauth-protected-resource/api/mcp'],
  ['api', '/nothing'],
  ['app', '/healthz'],
  ['design', '/healthz'],
  ['design', '/media/none.png'],
  ['design', '/screens/1/page'],
  ['design', '/screens'],
  ['design', '/apps'],
  ['account', '/healthz'],
  ['account', '/sign-in'],
  ['account', '/library'],
  ['account', '/nothing'],
  ['account', '/oauth/token'],
  ['account', '/.well-known/oauth-authorization-server'],
];

/** Tests that one trailing slash changes nothing, whatever answers the path. */
export const trailingSlashSuite = (mount: () => Mount, choice: Choice = all): void => {
  const asked = choice(ENDPOINTS).map((endpoint): [Host, string] => [endpoint.host, pathOf(endpoint, TOOL)]);

  const ask = async (host: Host, path: string, method: string) => {
    const { status, headers } = await fetch(mount().urls[host] + path, { method });
    return { status, allow: headers.get('allow'), type: headers.get('content-type') };
  };

  describe.each([...asked, ...BESIDE])('on the %s host', (host, path) => {
    test(`${path}/ gets the response of ${path}, for every method`, async () => {
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS']) {
        expect({ method, ...(await ask(host, `${path}/`, method)) }).toEqual({
          method,
          ...(await ask(host, path, method)),
        });
      }
    });
  });

  test('a path with two slashes at the end is unknown', async () => {
    expect((await ask('api', '/api/library//', 'GET')).status).toBe(404);
  });

  test('a slash at the end of a file’s path belongs to the path', async () => {
    const { design } = mount().urls;
    const [file, folder] = [await fetch(`${design}/skill/SKILL.md`), await fetch(`${design}/skill/SKILL.md/`)];
    expect([file.status, folder.status]).toEqual([200, 404]);
  });
};
