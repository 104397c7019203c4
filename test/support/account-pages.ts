import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import type { RequestHandler } from 'express';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { accountPages } from '../../adapters/web/account/account-pages.ts';
import type { AccountPagesParts, Consents } from '../../adapters/web/account/parts.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { toInstant } from '../../domain/shared/instant.ts';
import type { ConnectedApp } from '../../domain/sign-in/oauth-grant.ts';
import type { OAuthRecord } from '../../ports/outbound/oauth-records.ts';
import type { Overrides, Service } from '../../runtimes/composition/bootstrap.ts';
import type { Settings } from '../../runtimes/composition/settings.ts';
import { anAccount } from './account-builders.ts';
import { type Contents, put } from './contents.ts';
import { memoryEngines } from './memory-engines.ts';
import { PageBrowser } from './page-browser.ts';
import { memoryService } from './service.ts';

/* Helpers for tests of the account pages: a real service behind a real server, on a free port. */

/** The address and the password of account 1. */
export const EMAIL = 'buyer-1@example.com';
export const PASSWORD = 'correct horse';

/** A service with account 1, which has a password, and with these contents. */
export const aBuyersService = async (
  contents: Contents = {},
  overrides: Overrides = {},
  settings: Partial<Settings> = {},
): Promise<Service> => {
  const service = memoryService(overrides, memoryEngines(), settings);
  const accounts = [anAccount({ password_hash: `salt:${PASSWORD}` }), ...(contents.accounts ?? [])];
  await put(service, { ...contents, accounts });
  return service;
};

/** Authorizes applications, as their owners did. */
export const letIn = async (service: Service, apps: readonly ConnectedApp[]): Promise<void> => {
  const records = service.get('oauthRecords');
  const name = { kind: 'interaction', hash: '0'.repeat(64) } as const;
  const request: OAuthRecord = { payload: {}, grant_id: null, expires_at: toInstant(Date.now()), consumed_at: null };
  for (const app of apps) {
    await records.save(name, request);
    const read = await records.find(name);
    if (read) await records.decide(grantPermit(), { interaction: { ...name, read }, payload: {}, app });
  }
};

/** The authorization server of the pages, and the handlers before them. */
type Beside = { readonly consents?: Consents | null; readonly before?: readonly RequestHandler[] };

type Serving = {
  readonly parts: AccountPagesParts;
  /** The public URL; by default the server's own. */
  readonly url?: string;
  /** The name of this machine in the server's own address; 127.0.0.1 by default. */
  readonly host?: string;
  readonly beside?: (url: string) => Beside;
};

export type PagesServer = {
  readonly url: string;
  readonly lines: { readonly path: string; readonly status: number }[];
  readonly faults: unknown[];
  readonly spool: SpoolFolder;
  readonly close: () => Promise<void>;
};

/** Serves the pages at 127.0.0.1. */
export const servePages = async ({
  parts,
  url,
  host = '127.0.0.1',
  beside = () => ({}),
}: Serving): Promise<PagesServer> => {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const own = `http://${host}:${(server.address() as AddressInfo).port}`;
  const account = url ?? own;
  const { consents = null, before = [] } = beside(account);
  const spool = new SpoolFolder(tmpdir());
  const { router, methods, answers } = accountPages({
    urls: { account },
    parts,
    consents,
    options: { addressOf: (req) => req.socket.remoteAddress ?? '', spool },
  });
  const lines: PagesServer['lines'] = [];
  const faults: unknown[] = [];
  const options = {
    log: (line: PagesServer['lines'][number]) => lines.push(line),
    fault: (e: unknown) => faults.push(e),
  };
  server.on('request', webApp([...before, router], { ...options, methods }, answers));
  return {
    url: own,
    lines,
    faults,
    spool,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** The pages of a service, with a browser that is signed in to account 1. */
export const openPages = async (service: Service, consents: Consents | null = null) => {
  const server = await servePages({ parts: service.parts, beside: () => ({ consents }) });
  const browser = new PageBrowser(server.url);
  await browser.signIn(EMAIL, PASSWORD);
  return { server, browser };
};
