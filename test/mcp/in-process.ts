import { randomBytes } from 'node:crypto';
import { createHost, type HostFunction } from '../../adapters/host/host.ts';
import type { Reply } from '../../adapters/host/reply.ts';
import type { HostRequest } from '../../adapters/host/request.ts';
import { authenticateToken } from '../../application/sign-in/authenticate-token.ts';
import type { RateLimitSettings } from '../../domain/access/rate-limit.ts';
import type { SignInToken } from '../../domain/sign-in/oauth-grant.ts';
import { mcp } from '../../runtimes/composition/areas/mcp.ts';
import type { Service } from '../../runtimes/composition/bootstrap.ts';
import { API } from '../support/memory-engines.ts';
import { memoryService } from '../support/service.ts';
import { openShop } from '../surface/shop.ts';

export const RESOURCE = `${API}/api/mcp`;

export type Answer = Omit<Reply, 'body'> & {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of every shape, and a wrong look fails the test
  readonly body: any;
};

export type McpHost = {
  readonly service: Service;
  readonly faults: readonly unknown[];
  /** Sends one message with a credential in the header. */
  readonly tell: (
    message: unknown,
    credential?: string,
    headers?: Record<string, string>,
    query?: string,
  ) => Promise<Answer>;
  /** Sends one request with its own kind of body. */
  readonly send: (
    sent: Partial<Pick<HostRequest, 'headers' | 'query'>> & Pick<HostRequest, 'length' | 'body'>,
    credential?: string,
  ) => Promise<Answer>;
  /** Issues the access token of a sign-in, which expires in an hour by default. */
  readonly issue: (token: Pick<SignInToken, 'account_id' | 'permissions'> & Partial<SignInToken>) => string;
  /** Ends a token, like an owner who disconnects the client. */
  readonly end: (value: string) => void;
};

const replaced = (service: Service, overrides: Readonly<Record<string, unknown>>): never =>
  new Proxy(overrides, {
    get: (parts, name: string) => parts[name] ?? service.get(name as Parameters<Service['get']>[0]),
  }) as never;

/** The account MCP in this process, with a shop and with sign-in tokens that the test issues. */
export const openMcp = async (
  overrides: Readonly<Record<string, unknown>> = {},
  limits: Partial<RateLimitSettings> = {},
): Promise<McpHost> => {
  const service = memoryService({}, undefined, limits);
  await openShop(service);
  const digest = service.get('digest');
  const tokens = new Map<string, SignInToken>();
  const signInTokens = { find: async (hash: string) => tokens.get(hash) };
  const ofToken = authenticateToken({
    signInTokens,
    accounts: service.get('accounts'),
    digest,
    clock: service.get('clock'),
  });
  const { route, metadata } = mcp.parts.accountMcp(replaced(service, { authenticateToken: ofToken, ...overrides }));
  const faults: unknown[] = [];
  const host: HostFunction = createHost([route, ...metadata], {
    log: () => undefined,
    fault: (error) => void faults.push(error),
    health: async () => undefined,
  });

  const send: McpHost['send'] = async ({ headers = {}, query = '', length, body }, credential) => {
    const reply = await host.handle({
      method: 'POST',
      path: '/api/mcp',
      query,
      headers: {
        host: 'api.example.com',
        'content-type': 'application/json',
        ...(credential !== undefined && { authorization: `Bearer ${credential}` }),
        ...headers,
      },
      address: () => '203.0.113.7',
      length,
      body,
    });
    return { ...reply, body: typeof reply.body === 'string' ? JSON.parse(reply.body) : reply.body };
  };

  const tell: McpHost['tell'] = (message, credential, headers = {}, query = '') => {
    const bytes = Buffer.from(JSON.stringify(message));
    return send({ headers, query, length: bytes.length, body: () => bytes }, credential);
  };

  const issue: McpHost['issue'] = (token) => {
    const value = randomBytes(32).toString('base64url');
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    tokens.set(digest.sha256(value), { client_id: 'a-client', resource: RESOURCE, expires_at, ...token });
    return value;
  };
  return { service, faults, tell, send, issue, end: (value) => void tokens.delete(digest.sha256(value)) };
};
