import { hiddenFields, type PageBrowser } from './page-browser.ts';

/* Authorizes an application as a person does, for tests without a browser. */

type Asked = {
  readonly client_id: string;
  /** The PKCE challenge of method S256 (RFC 7636). */
  readonly challenge: string;
  readonly resource: string;
  readonly redirect: string;
};

/** The URL to which an application sends its person. */
export const authorizationUrl = (account: string, { client_id, challenge, resource, redirect }: Asked): URL => {
  const url = new URL(`${account}/oauth/authorize`);
  const query = {
    client_id,
    response_type: 'code',
    redirect_uri: redirect,
    resource,
    state: 'from-the-suite',
    code_challenge: challenge,
    code_challenge_method: 'S256',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
};

const pathIn = (location: string | null): string => {
  if (location === null) throw new Error('The page did not go on.');
  const { pathname, search } = new URL(location, 'http://127.0.0.1');
  return pathname + search;
};

/** The checkboxes of a page, all ticked. */
const ticked = (body: string): Record<string, string[]> => {
  const fields: Record<string, string[]> = {};
  for (const [box] of body.matchAll(/<input[^>]*type="checkbox"[^>]*>/g)) {
    const name = /name="([^"]*)"/.exec(box)?.[1] ?? '';
    fields[name] = [...(fields[name] ?? []), /value="([^"]*)"/.exec(box)?.[1] ?? 'on'];
  }
  return fields;
};

/**
 * Authorizes an application with all permissions that it requests. If the browser is not signed in, `signIn` is called
 * with the page to continue to. Returns the application's own URL, to which the browser would go.
 */
export const letIn = async (
  browser: PageBrowser,
  authorization: URL,
  signIn: (next: string) => Promise<unknown> = async () => undefined,
): Promise<URL> => {
  const asked = await browser.get(authorization.pathname + authorization.search);
  const consent = pathIn(asked.location);
  let page = await browser.get(consent);
  if (page.location !== null) {
    await signIn(new URL(page.location, 'http://127.0.0.1').searchParams.get('next') ?? '/');
    page = await browser.get(consent);
  }
  let answer = await browser.post(consent, {
    ...hiddenFields(page.body, consent),
    ...ticked(page.body),
    decision: 'allow',
  });
  for (let hop = 0; hop < 5; hop++) {
    const location: string | null = answer.location ?? /content="0;url=([^"]*)"/.exec(answer.body)?.[1] ?? null;
    if (location === null) throw new Error(`No page to go on to: ${answer.status} ${answer.body}`);
    const url = new URL(location.replaceAll('&amp;', '&'), authorization);
    if (url.origin !== authorization.origin) return url;
    answer = await browser.get(url.pathname + url.search);
  }
  throw new Error('The browser was sent around in a circle.');
};
