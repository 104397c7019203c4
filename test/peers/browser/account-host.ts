import { createHash, randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { MemoryObjects } from '../../../adapters/memory/memory-objects.ts';
import type { AccountPagesParts } from '../../../adapters/web/account/parts.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import { LANGUAGES } from '../../../domain/shared/language.ts';
import { openAuthorizationServer } from '../../../runtimes/composition/account-app.ts';
import { anAccount } from '../../support/account-builders.ts';
import { EMAIL, letIn, PASSWORD, servePages } from '../../support/account-pages.ts';
import { aDevice, anArtifact, anEntitlement, aProduct, aRelease, NOW } from '../../support/builders.ts';
import { put, storedFile } from '../../support/contents.ts';
import { listen, withDownloads } from '../../support/download-server.ts';
import { memoryEngines } from '../../support/memory-engines.ts';
import { passed } from '../../support/permits.ts';
import { aContent } from '../../support/public-builders.ts';
import { memoryService } from '../../support/service.ts';

/* Helpers for browser tests of the account host: the whole host in this process, on the memory engine. */

const API = 'https://api.example.com';

/** A guide with each kind of block; its table and its code are wider than a phone. */
const GUIDE = `# Hashcheck

Tells whether files have changed. See [the site](https://example.com), or ![the window](https://example.com/p.png).

#### Check a folder

1. Open a terminal
2. Run \`hashcheck\`:

   \`\`\`sh
   hashcheck --algorithm sha256 --exclude node_modules --report changes.json ~/Documents/Projects
   \`\`\`

- first
  - second
    - third
      - fourth, which stands no further in
        - fifth

> Keep the report: **the next run** compares with it.
>
> > And quotes in quotes.

#### Options

| Option | Short form | What it does | Default value | Since version | Bytes |
| --- | --- | --- | --- | --- | ---: |
| \`--algorithm\` | \`-a\` | The algorithm of the checksum of each file | sha256 | 1.0 | 64 |
| \`--exclude\` | \`-e\` | Leaves out a folder | none | 1.2 | 4096 |

---

<script>alert(1)</script>

##### Ends here
`;

const fillStore = async (service: ReturnType<typeof memoryService>): Promise<void> => {
  const file = await storedFile(service, 'the file that was bought');
  const guide = { path: 'guide.md', content_type: 'text/markdown', ...(await storedFile(service, GUIDE)) };
  await put(service, {
    storefront: { product_url: null, product_detail_url: null, languages: LANGUAGES },
    accounts: [anAccount({ password_hash: `salt:${PASSWORD}` }), anAccount({ id: 2 })],
    products: [
      aProduct({
        id: 1,
        name: { en: 'Hashcheck', ko: '해시체크' },
        type_label: { en: 'Command-line tool', ko: '명령줄 도구' },
        description: { en: 'Tells whether files have changed.', ko: '파일이 바뀌었는지 알려 줍니다.' },
        device_limit: 2,
        license_keys: true,
        manual: {
          en: {
            summary: 'One file, no account, no network.',
            requirements: ['Linux or macOS'],
            install_steps: ['Put the file on your PATH', 'Run hashcheck --version'],
            verification_steps: ['The version is that of your download'],
            troubleshooting: ['“Permission denied”: run chmod +x hashcheck'],
          },
        },
        setup_steps: [
          { en: 'Put the file on your PATH', ko: 'PATH에 있는 폴더에 파일을 넣습니다' },
          { en: 'Run hashcheck --version', ko: 'hashcheck --version을 실행합니다' },
        ],
      }),
      aProduct({ id: 2, name: { en: 'Old Notes', ko: '옛 메모' } }),
    ],
    productContents: [aContent({ usage_path: guide.path, assets: [guide] })],
    entitlements: [
      anEntitlement({ id: 1, product_id: 1 }),
      anEntitlement({ id: 2, product_id: 2, access_expires_at: '2026-01-31T00:00:00.000Z' }),
    ],
    releases: [
      aRelease({ artifacts: [anArtifact({ platform: 'linux-amd64', filename: 'hashcheck', ...file })] }),
      aRelease({
        id: 2,
        version: '1.9.0',
        notes_en: 'Reads folders twice as fast.\nTells which file changed first.',
        notes_ko: '폴더를 두 배 빠르게 읽습니다.\n어느 파일이 먼저 바뀌었는지 알려 줍니다.',
        artifacts: [anArtifact({ platform: 'darwin-arm64', filename: 'hashcheck-mac', ...file })],
      }),
    ],
  });
  const last_used_at = service.get('clock').now();
  await letIn(service, [
    {
      grant_id: 'grant-1',
      account_id: 1,
      client_id: 'client',
      client_name: 'Notebook',
      redirect_host: 'notebook.example',
      permissions: ['products.read', 'mcp.read'],
      created_at: NOW,
      last_used_at,
    },
  ]);
};

/** The account host with its authorization server, a store with files, and an application on its own origin. */
export const openAccountHost = async (
  browser: Browser,
  change: (parts: AccountPagesParts) => AccountPagesParts = (parts) => parts,
  host = '127.0.0.1',
) => {
  const downloads = await withDownloads((signature) => new MemoryObjects(signature));
  const service = memoryService({}, { ...memoryEngines(), objects: downloads.store });
  await fillStore(service);
  const application = await listen((_req, res) => res.end('the application has its answer'));
  const server = await servePages({
    parts: change(service.parts),
    host,
    beside: (account) => {
      const opened = openAuthorizationServer({
        service,
        urls: { account, api: API },
        addressOf: () => '203.0.113.9',
        fault: (error) => server.faults.push(error),
      });
      return { consents: opened.consents, before: [opened.listener as RequestListener] };
    },
  });
  const contexts: BrowserContext[] = [];
  const complaints: string[] = [];
  const elsewhere: string[] = [];

  /** A page in a new browser without cookies. */
  const aBrowser = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'en-GB', ...options });
    contexts.push(context);
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      const ours = [server.url, downloads.url, application.url].some((url) => request.url().startsWith(url));
      if (!ours) elsewhere.push(request.url());
    });
    return page;
  };

  /** Signs in on the page, or on the page that asks for it. */
  const signIn = async (page: Page, path = '/sign-in'): Promise<void> => {
    await page.goto(new URL(path, server.url).href);
    await page.fill('#email', EMAIL);
    await page.fill('#password', PASSWORD);
    await page.click('form.stack button.main');
    await page.waitForURL((url) => url.pathname !== '/sign-in');
  };

  return {
    service,
    url: server.url,
    application: application.url,
    /** The errors in the browsers' consoles, and the foreign addresses that they requested. */
    complaints,
    elsewhere,
    aBrowser,
    signIn,
    signedIn: async (options: BrowserContextOptions = {}): Promise<Page> => {
      const page = await aBrowser(options);
      await signIn(page);
      return page;
    },
    close: async (): Promise<void> => {
      await Promise.all(contexts.map((context) => context.close()));
      await Promise.all([server.close(), downloads.close(), application.close()]);
    },
  };
};

export type AccountHost = Awaited<ReturnType<typeof openAccountHost>>;

/** A device that waits for approval. */
export const aWaitingDevice = async ({ service }: AccountHost) => {
  const input = { client_id: 'cli', device_id: 'd-1', device_name: 'studio.local', address: '203.0.113.9' };
  const started = await service.get('startDeviceSignIn')(input);
  if (!started.ok) throw new Error(started.code);
  return { user_code: started.value.user_code };
};

/** Fills both slots of product 1, requests a third, and returns the path of the page that the device names. */
export const aRefusedDevice = async ({ service }: AccountHost): Promise<string> => {
  for (const [n, name] of ['서연의 MacBook', 'Old laptop'].entries()) {
    const { slots } = await service.get('devices').find(1, 1, null);
    const device = aDevice({ device_id: `device-${n}`, name, activated_at: `2026-0${n + 1}-01T08:00:00.000Z` });
    await service.get('devices').activate(grantPermit(), 1, 1, device, slots);
  }
  const refused = await passed(
    service.get('checkLicense')({
      account_id: 1,
      scope: { product_id: null },
      key: null,
      body: { product_id: 1, bundle_id: null, device_id: 'third', app_version: null },
      locale: 'en',
    }),
    Promise.resolve(grantPermit()),
  );
  if (refused.ok) throw new Error('The third device was let in.');
  const url = new URL(String(refused.data?.['manage_url']));
  return url.pathname + url.search;
};

/** The path of a one-time link for an account. */
export const aLink = async ({ service }: AccountHost, account_id: number): Promise<string> => {
  const link = await service.get('createSignInLink')(grantPermit(), account_id);
  if (!link.ok) throw new Error(link.code);
  return `/sign-in/link?code=${link.value.code}`;
};

/** Registers the application and begins its sign-in. Returns the path to open. */
export const anAuthorization = async ({ url, application }: AccountHost) => {
  const redirect_uri = `${application}/callback`;
  const registered = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Notebook <b>',
      redirect_uris: [redirect_uri],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = (await registered.json()) as { client_id: string };
  const code_verifier = randomBytes(32).toString('base64url');
  const resource = `${API}/api/mcp`;
  const authorize = new URL('/oauth/authorize', url);
  const asked = {
    client_id,
    redirect_uri,
    response_type: 'code',
    scope: 'mcp.read products.read orders.read',
    state: 'state-1',
    code_challenge: createHash('sha256').update(code_verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource,
  };
  for (const [name, value] of Object.entries(asked)) authorize.searchParams.set(name, value);
  return { path: authorize.pathname + authorize.search };
};
