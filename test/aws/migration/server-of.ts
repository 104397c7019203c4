import { once } from 'node:events';
import { createServer } from 'node:net';
import { HOSTS, variableOf } from '../../../ports/inbound/hosts.ts';
import type { UpstreamProvider } from '../../../ports/outbound/upstream-provider.ts';
import type { Mount } from '../../surface/mount.ts';
import { openStartMount } from '../../surface/start-mount.ts';

/** A port below the range that the system assigns, so that a server can return to it. */
const aPort = async (): Promise<string> => {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    const free = await Promise.race([
      once(server, 'listening').then(() => true),
      once(server, 'error').then(() => false),
    ]);
    if (!free) continue;
    server.close();
    await once(server, 'close');
    return String(port);
  }
};

/** Ports for the hosts. A store that moves keeps its addresses, as a shop keeps its names. */
export const portsOfHosts = async (): Promise<Record<string, string>> => {
  const ports = new Set<string>();
  while (ports.size < HOSTS.length) ports.add(await aPort());
  return Object.fromEntries([...ports].map((port, n) => [`${variableOf(HOSTS[n] ?? 'api')}_PORT`, port]));
};

/** The shop's own login, which signs everybody in as the person of account 7. */
const upstreamProvider: UpstreamProvider = {
  name: 'Shop',
  begin: async (callbackUrl) => ({ ok: true, value: { url: `${callbackUrl}?state=s`, checks: { state: 's' } } }),
  finish: async () => ({
    ok: true,
    value: {
      issuer: 'https://id.example.com',
      subject: 'zaphod-subject',
      email: null,
      email_verified: false,
      name: null,
    },
  }),
};

/** Starts the whole server on a store. */
export const serverOf = (env: Readonly<Record<string, string>>): Promise<Mount> =>
  openStartMount(env, {}, { overrides: { upstreamProvider } });
