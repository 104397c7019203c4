import { expect, test } from 'vitest';
import { allEndpoints } from '../../../ports/inbound/endpoints.ts';
import { HOSTS } from '../../../ports/inbound/hosts.ts';
import { callerOf } from '../../surface/callers.ts';
import type { Mount } from '../../surface/mount.ts';
import { callEndpoint } from '../../surface/requests.ts';

/** The endpoints whose good requests need a file or an order that only their own suites make. */
const BY_SUITES = [
  'downloadBundle',
  'downloadRelease',
  'getAppcast',
  'getOrder',
  'getTauriUpdate',
  'openUpdateFile',
  'planInstall',
];

const WALKED = allEndpoints.filter(({ id }) => !BY_SUITES.includes(id));

/** Sends a valid request to each other endpoint, and requests each host's health and the API reference. */
export const endpointsWalk = (mount: () => Mount): void => {
  test.each(WALKED)('the endpoint $method $path answers a valid request', async (endpoint) => {
    const reply = await callEndpoint(mount(), endpoint, await callerOf(mount().service, endpoint));
    expect([endpoint.id, reply.status < 400 || reply.text]).toEqual([endpoint.id, true]);
  });

  test.each(HOSTS)('the %s host is healthy', async (host) => {
    expect((await fetch(`${mount().urls[host]}/healthz`)).status).toBe(200);
  });

  test('the reference page is shown', async () => {
    expect((await fetch(`${mount().urls.api}/docs`)).status).toBe(200);
  });
};
