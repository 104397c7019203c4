import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { SpoolFolder } from '../../adapters/host/spool.ts';
import { consolePages } from '../../adapters/web/console/console-pages.ts';
import { webApp } from '../../adapters/web/web-app.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import type { ShopRole } from '../../domain/access/principal.ts';
import type { Overrides, Service } from '../../runtimes/composition/bootstrap.ts';
import type { Settings } from '../../runtimes/composition/settings.ts';
import { anAccount } from './account-builders.ts';
import { type Contents, put } from './contents.ts';
import { memoryEngines } from './memory-engines.ts';
import { PageBrowser } from './page-browser.ts';
import { memoryService } from './service.ts';

/* Helpers for tests of the console: a real service behind a real server, on a free port. */

/** The account of the member who is signed in. Contents of tests have the accounts before it. */
export const MEMBER = { account_id: 900, email: 'owner@example.com', name: 'Olga Owner' };

/** Makes account 900 a member with a role. */
export const addMember = async (service: Service, role: ShopRole, { account_id, name } = MEMBER): Promise<void> => {
  const members = service.get('members');
  const read = await members.read();
  const before = read.members.find((member) => member.account_id === account_id);
  const after = { account_id, role, name, added_at: service.get('clock').now() };
  if (!(await members.change(grantPermit(), read, { before, after }))) throw new Error('The member was not written.');
};

export type Console = {
  readonly service: Service;
  /** Signed in as the member. */
  readonly browser: PageBrowser;
  readonly url: string;
  readonly faults: unknown[];
  /** The paths of the console with their methods, in Express's notation. */
  readonly paths: readonly (readonly [path: string, methods: readonly string[]])[];
  /** Another browser that is not signed in. */
  readonly stranger: () => PageBrowser;
  readonly close: () => Promise<void>;
};

/** Serves the console of a service whose store has the member's account, on a free port. */
export const serveConsole = async (service: Service, role: ShopRole, uploads?: 'directly') => {
  await addMember(service, role);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const spool = new SpoolFolder(tmpdir());
  const { router, methods, answers } = consolePages({
    urls: { ...service.get('addresses').urls, shop: url },
    parts: service.parts,
    options: { addressOf: (req) => req.socket.remoteAddress ?? '', spool },
    uploads,
  });
  const faults: unknown[] = [];
  server.on('request', webApp([router], { log: () => {}, fault: (e) => faults.push(e), methods }, answers));
  const device = { browser: '', address: '127.0.0.1', place: 'console' } as const;
  const opened = await service.get('openSession')(MEMBER.account_id, 'link', device);
  if (!opened.ok) throw new Error(opened.code);
  return { server, url, methods, faults, session: opened.value.value };
};

/** The console of a service with these contents, and a browser that is signed in as a member with the role. */
export const openConsole = async (
  contents: Contents = {},
  role: ShopRole = 'everything',
  {
    overrides = {},
    settings = {},
    uploads,
  }: { overrides?: Overrides; settings?: Partial<Settings>; uploads?: 'directly' } = {},
): Promise<Console> => {
  const service = memoryService(overrides, memoryEngines(), settings);
  const { account_id: id, email } = MEMBER;
  await put(service, { ...contents, accounts: [anAccount({ id, email }), ...(contents.accounts ?? [])] });
  const { server, url, methods, faults, session } = await serveConsole(service, role, uploads);
  const browser = new PageBrowser(url, { accept: 'text/html' });
  browser.jar.set('console-session', session);
  return {
    service,
    browser,
    url,
    faults,
    paths: [...methods.entries()],
    stranger: () => new PageBrowser(url, { accept: 'text/html' }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
