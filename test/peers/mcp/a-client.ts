import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { DEMO } from '../../sign-in/a-server.ts';
import { letIn } from '../../support/let-in.ts';
import type { PageBrowser } from '../../support/page-browser.ts';

/** A native client's loopback address, which the test's browser never opens (RFC 8252, section 7.3). */
export const REDIRECT = 'http://127.0.0.1:33418/callback';

/** A client's memory of its sign-in. `opened` is the page to which it sent the person. */
export class ClientMemory implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  opened: URL | undefined;
  information: OAuthClientInformationMixed | undefined;
  kept: OAuthTokens | undefined;
  #verifier = '';

  constructor({ redirect = REDIRECT, name = 'Test agent' }: { redirect?: string; name?: string } = {}) {
    this.redirectUrl = redirect;
    this.clientMetadata = { client_name: name, redirect_uris: [redirect] };
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

/** Signs in with the demo account's password if asked, and authorizes the client. */
export const letInDemo = (browser: PageBrowser, authorization: URL): Promise<URL> =>
  letIn(browser, authorization, (next) => browser.signIn(DEMO.email, DEMO.password, next));
