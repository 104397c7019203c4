import { HOST_TITLES, type Host } from '../../ports/inbound/hosts.ts';
import type { HostRoute } from '../host/host.ts';
import { type Reply, revalidatedReply } from '../host/reply.ts';
import { type HostRequest, prefersJson } from '../host/request.ts';

type Face = {
  readonly text: string;
  /** The links to pages of the host, by path, and to its pages on other hosts, by URL. */
  readonly ways: Readonly<Record<string, string>>;
};

/** The address of the host, and of those that its root leads to. */
type Addresses<H extends Host> = Readonly<Record<H | 'api' | 'account', string>>;

const facesOf = ({ api, account }: Addresses<never>): Readonly<Record<Host, Face>> => {
  const reference = `${api}/docs`;
  const openapi = '/openapi.json';
  return {
    api: {
      text: 'Products, licenses, devices and orders of a shop’s buyers. Send an account API key with each call.',
      ways: { reference, openapi, mcp: '/api/mcp', keys: `${account}/keys`, account: `${account}/` },
    },
    app: {
      text: 'Update feeds and downloads for the shop’s applications, which read them by themselves.',
      ways: { reference, openapi, account: `${account}/` },
    },
    design: {
      text: 'Screens, flows and design documents for agents and the people who work with them.',
      ways: { reference, openapi, mcp: '/mcp', skill: '/skill/SKILL.md' },
    },
    account: {
      text: 'Buyers sign in here and manage what they own. Applications sign them in by OAuth 2.1.',
      ways: { sign_in: '/sign-in', oauth: '/.well-known/oauth-authorization-server', reference },
    },
    shop: {
      text: 'For the shop’s own systems. Send a token with the role that a call needs.',
      ways: { reference, openapi, mcp: '/api/shop/mcp' },
    },
  };
};

const JSON_TYPE = 'application/json; charset=utf-8';

/** Loads the templates of pages for a browser only, because a server that answers its health check needs none. */
const pageReply = async (face: Face & { readonly title: string }, request: Pick<HostRequest, 'headers'>) => {
  const { ROOT_POLICY, rootPage } = await import('./root-page.ts');
  const reply = revalidatedReply(request, rootPage(face), 'text/html; charset=utf-8', 'public, no-cache');
  return { ...reply, headers: { ...reply.headers, 'content-security-policy': ROOT_POLICY } };
};

/**
 * The answer at the root of a host to a caller without a path: the purpose of the host, and links. A browser gets a
 * page, and every other client JSON.
 */
export const rootReply = async <H extends Host>(
  host: H,
  urls: Addresses<NoInfer<H>>,
  request: Pick<HostRequest, 'headers'>,
): Promise<Reply> => {
  const { text, ways } = facesOf(urls)[host];
  const absolute = Object.entries(ways).map(([name, way]) => [name, way.startsWith('/') ? urls[host] + way : way]);
  const face = { title: HOST_TITLES[host], text, ways: Object.fromEntries(absolute) };
  const reply = prefersJson(request.headers['accept'], true)
    ? revalidatedReply(request, JSON.stringify({ host, ...face }), JSON_TYPE, 'public, no-cache')
    : await pageReply(face, request);
  return { ...reply, headers: { ...reply.headers, vary: 'Accept' } };
};

/** The route at the root of a host that has no pages. */
export const rootRoute = (host: Exclude<Host, 'account'>, urls: Readonly<Record<Host, string>>): HostRoute => ({
  method: 'GET',
  path: '/',
  entry: (request) => rootReply(host, urls, request),
});
