/* A browser for tests without a real one: it keeps cookies, follows no redirect, and fills in forms. */

export type PageAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  readonly location: string | null;
  /** The Set-Cookie headers. */
  readonly cookies: readonly string[];
};

const unescaped = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The hidden fields of the first form on a page with this action. */
export const hiddenFields = (body: string, action: string): Record<string, string> => {
  const form = new RegExp(`<form method="post" action="${action}"[^>]*>([\\s\\S]*?)</form>`).exec(body)?.[1];
  if (form === undefined) throw new Error(`The page has no form to ${action}:\n${body}`);
  const hidden = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...hidden].map(([, name, value]) => [name, unescaped(value as string)]));
};

/** A browser without scripts for the pages of one server. */
export class PageBrowser {
  readonly jar = new Map<string, string>();
  readonly #base: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(base: string, headers: Readonly<Record<string, string>> = {}) {
    this.#base = base;
    this.#headers = headers;
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<PageAnswer> {
    return this.#ask(path, { headers });
  }

  /** Submits a form as a page of the server does. */
  post(
    path: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
    headers: Readonly<Record<string, string>> = { origin: this.#base, 'sec-fetch-site': 'same-origin' },
  ): Promise<PageAnswer> {
    const body = new URLSearchParams(
      Object.entries(fields).flatMap(([name, value]) =>
        [value].flat().map((one): [string, string] => [name, one as string]),
      ),
    );
    return this.#ask(path, {
      method: 'POST',
      body: body.toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    });
  }

  /** Submits a form with a file as a page of the server does. */
  attach(path: string, fields: Readonly<Record<string, string>>, name: string, bytes: Uint8Array): Promise<PageAnswer> {
    const body = new FormData();
    for (const [field, value] of Object.entries(fields)) body.append(field, value);
    body.append('file', new Blob([bytes.slice()], { type: 'text/html' }), name);
    const headers = { origin: this.#base, 'sec-fetch-site': 'same-origin' };
    return this.#ask(path, { method: 'POST', body, headers });
  }

  /** Opens a page, fills in its form to `action`, and submits it. */
  async submit(
    page: string,
    action: string,
    fields: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<PageAnswer> {
    const { body } = await this.get(page);
    return this.post(action, { ...hiddenFields(body, action), ...fields });
  }

  async signIn(email: string, password: string, next = '/'): Promise<PageAnswer> {
    return this.submit(`/sign-in?next=${encodeURIComponent(next)}`, '/sign-in', { email, password });
  }

  async #ask(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<PageAnswer> {
    const cookie = [...this.jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(this.#base + path, {
      ...init,
      redirect: 'manual',
      headers: { ...this.#headers, ...(cookie === '' ? {} : { cookie }), ...init.headers },
    });
    const cookies = response.headers.getSetCookie();
    for (const line of cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/;\s*Max-Age=0/i.test(line)) this.jar.delete(name);
      else this.jar.set(name, value);
    }
    const { status, headers } = response;
    return { status, headers, body: await response.text(), location: headers.get('location'), cookies };
  }
}
