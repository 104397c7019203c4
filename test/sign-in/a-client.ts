import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { hiddenFields, type PageBrowser } from '../support/page-browser.ts';
import { DEMO } from './a-server.ts';

/** A loopback address of a native client, to which the test's browser never goes (RFC 8252, section 7.3). */
export const REDIRECT = 'http://127.0.0.1:33418/callback';

/** A client's memory of its sign-in. `opened` is the page that it sent the person to. */
export class ClientMemory implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata: OAuthClientMetadata;
  opened: URL | undefined;
  information: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  #verifier = '';

  constructor(scope?: string) {
    this.clientMetadata = { client_name: 'Test agent', redirect_uris: [REDIRECT], ...(scope && { scope }) };
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.information;
  }

  saveClientInformation(information: OAuthClientInformationMixed): void {
    this.information = information;
  }

  tokens(): OAuthTokens | undefined {
    return this.kept;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.kept = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.opened = url;
  }

  invalidateCredentials(scope: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    if (scope === 'all' || scope === 'tokens') this.kept = undefined;
    if (scope === 'all' || scope === 'client') this.information = undefined;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }
}

const pathIn = (location: string | null): string => {
  if (location === null) throw new Error('The page did not go on.');
  const { pathname, search } = new URL(location, 'http://127.0.0.1');
  return pathname + search;
};

/**
 * Does what a person does who was sent to the authorization endpoint: signs in with the demo account's password, and
 * lets the client in with all that it asks for. The value is the URL that the browser would go to, which is the client's.
 */
export const letIn = async (browser: PageBrowser, authorization: URL): Promise<URL> => {
  const asked = await browser.get(authorization.pathname + authorization.search);
  let page = await browser.get(pathIn(asked.location));
  if (page.location?.includes('/sign-in')) {
    const next = new URL(page.location, 'http://127.0.0.1').searchParams.get('next') ?? '/';
    await browser.signIn(DEMO.email, DEMO.password, next);
    page = await browser.get(pathIn(asked.location));
  }
  const action = pathIn(asked.location);
  const boxes = [...page.body.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)].map(([box]) => box);
  const ticked = Object.groupBy(boxes, (box) => /name="([^"]*)"/.exec(box)?.[1] ?? '');
  const fields = Object.fromEntries(
    Object.entries(ticked).map(([name, all = []]) => [
      name,
      all.map((box) => /value="([^"]*)"/.exec(box)?.[1] ?? 'on'),
    ]),
  );
  let answer = await browser.post(action, { ...hiddenFields(page.body, action), ...fields, decision: 'allow' });
  for (let hop = 0; hop < 5; hop++) {
    const location: string | null = answer.location ?? /content="0;url=([^"]*)"/.exec(answer.body)?.[1] ?? null;
    if (location === null) throw new Error(`No page to go on to: ${answer.status} ${answer.body}`);
    const url = new URL(location.replaceAll('&amp;', '&'), authorization);
    if (url.origin !== authorization.origin) return url;
    answer = await browser.get(url.pathname + url.search);
  }
  throw new Error('The browser was sent around in a circle.');
};
