import { setTimeout as sleep } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page, type Response } from 'playwright-core';
import { type FileToSend, fileOf } from './design-api.ts';
import { type Lang, type Options, VIEWPORTS, type Viewport } from './options.ts';
import type { PageToCollect } from './pages.ts';

/** The way that a page is looked at. */
export type Look = { readonly viewport: Viewport; readonly lang: Lang; readonly mode: 'light' | 'dark' };

/** A page as the browser showed it. Only a page that was shown as asked has files. */
export type Visited = {
  readonly url: string;
  readonly outcome: 'ok' | 'failed' | 'redirected';
  readonly message: string | null;
  readonly finalUrl: string | null;
  readonly status: number | null;
  readonly title: string | null;
  readonly image: FileToSend | null;
  readonly html: FileToSend | null;
  /** The style sheets of the page, by address. */
  readonly styles: ReadonlyMap<string, FileToSend>;
};

const FLAGS = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--hide-scrollbars'];
const LOCALES = { ko: 'ko-KR', en: 'en-US' } as const;
const TIMEOUT_MS = 20_000;
const VISITS = 3;

/** Signing in failed. */
export class SignInFailed extends Error {
  override name = 'SignInFailed';
}

/**
 * The page's markup; it is evaluated in the page. Hidden fields hold tokens that are new with each visit, and are no
 * part of what a person sees: a saved page would give them away, and no two collections would be the same.
 */
const MARKUP = `(() => {
  const root = document.documentElement.cloneNode(true);
  for (const field of root.querySelectorAll('input[type=hidden], input[type=password]')) field.removeAttribute('value');
  return '<!doctype html>\\n' + root.outerHTML;
})()`;

/**
 * Resolves when the fonts and images of the page are there; it is evaluated in the page. An image that waits until
 * somebody scrolls to it would be a blank in the picture, so every image loads at once. A broken image holds up nothing,
 * and a slow one ten seconds.
 */
const EVERYTHING_SHOWN = `(async () => {
  const images = [...document.images];
  for (const image of images) image.loading = 'eager';
  const shown = Promise.all([document.fonts.ready, ...images.map((image) => image.decode().catch(() => {}))]);
  await Promise.race([shown, new Promise((resolve) => setTimeout(resolve, 10000))]);
})()`;

const STYLE_SHEETS = '[...document.styleSheets].flatMap(({ href }) => href === null ? [] : [href])';

/** A browser that visits pages, each look in its own profile. */
export class Visitor {
  readonly #browser: Browser;
  readonly #options: Options;
  readonly #contexts = new Map<string, Promise<BrowserContext>>();
  /** The cookies of the account that signed in. */
  #session: Awaited<ReturnType<BrowserContext['storageState']>> | undefined;
  readonly #styles = new Map<string, FileToSend>();

  private constructor(browser: Browser, options: Options) {
    this.#browser = browser;
    this.#options = options;
  }

  static async launch(options: Options): Promise<Visitor> {
    const browser = await chromium.launch({
      executablePath: options.chromium,
      args: FLAGS,
      handleSIGINT: false,
      handleSIGTERM: false,
    });
    return new Visitor(browser, options);
  }

  close(): Promise<void> {
    return this.#browser.close();
  }

  /** Signs in once; every profile for signed-in pages begins with the cookies. Throws SignInFailed. */
  async signIn({ url, email, password }: NonNullable<Options['account']>): Promise<void> {
    const context = await this.#browser.newContext({ locale: LOCALES.en });
    const page = await context.newPage();
    const isSent = (response: Response): boolean =>
      response.request().method() === 'POST' && new URL(response.url()).pathname === '/sign-in';
    for (let trial = 1; ; trial++) {
      await answered(page, `${url}/sign-in`);
      await page.fill('input[name=email]', email, { timeout: TIMEOUT_MS });
      await page.fill('input[name=password]', password, { timeout: TIMEOUT_MS });
      const button = page.locator('form:has(input[name=password]) button').first();
      const [response] = await Promise.all([page.waitForResponse(isSent, { timeout: TIMEOUT_MS }), button.click()]);
      if (response.status() < 400) break;
      const seconds = trial < VISITS ? secondsToWait(response) : null;
      if (seconds === null) throw new SignInFailed(refusalOf(response.status(), email, url));
      await sleep(seconds * 1000);
    }
    await page.waitForURL(({ pathname }) => pathname !== '/sign-in', { timeout: TIMEOUT_MS });
    this.#session = await context.storageState();
    await context.close();
  }

  /** Visits a page. A fault of the page is its outcome; only a fault of the browser itself rejects. */
  async visit(page: PageToCollect, look: Look): Promise<Visited> {
    const base = page.host === 'account' ? (this.#options.account?.url ?? '') : this.#options.design;
    const url = `${base}${page.path}`;
    const context = await this.#context(page.auth, look);
    const tab = await context.newPage();
    try {
      return await this.#shown(tab, url);
    } catch (error) {
      const message = (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
      return { ...NOTHING, url, outcome: 'failed', message: message.slice(0, 2000) };
    } finally {
      await tab.close();
    }
  }

  async #shown(tab: Page, url: string): Promise<Visited> {
    const response = await answered(tab, url);
    const seen = { ...NOTHING, url, status: response?.status() ?? null, title: (await tab.title()) || null };
    if (withoutQuery(tab.url()) !== withoutQuery(url)) return { ...seen, outcome: 'redirected', finalUrl: tab.url() };
    if (response && response.status() >= 400) {
      return { ...seen, outcome: 'failed', message: `The page was answered ${response.status()}.` };
    }
    await tab.evaluate(EVERYTHING_SHOWN);
    const image = await tab.screenshot({ type: 'png', fullPage: true, animations: 'disabled', caret: 'hide' });
    const html = await tab.evaluate<string>(MARKUP);
    const styles = new Map<string, FileToSend>();
    for (const address of await tab.evaluate<string[]>(STYLE_SHEETS))
      styles.set(address, await this.#style(tab, address));
    return {
      ...seen,
      outcome: 'ok',
      image: fileOf(new Uint8Array(image), 'image/png'),
      html: fileOf(new TextEncoder().encode(html), 'text/html'),
      styles,
    };
  }

  /** A style sheet is fetched once in a collection. */
  async #style(tab: Page, address: string): Promise<FileToSend> {
    const known = this.#styles.get(address);
    if (known) return known;
    const response = await tab.context().request.get(address, { timeout: TIMEOUT_MS });
    if (!response.ok()) throw new Error(`The style sheet ${address} was answered ${response.status()}.`);
    const file = fileOf(new Uint8Array(await response.body()), 'text/css');
    this.#styles.set(address, file);
    return file;
  }

  #context(auth: boolean, { viewport, lang, mode }: Look): Promise<BrowserContext> {
    const name = [auth, viewport, lang, mode].join();
    const open = this.#contexts.get(name);
    if (open) return open;
    const made = this.#browser.newContext({
      viewport: VIEWPORTS[viewport],
      locale: LOCALES[lang],
      colorScheme: mode,
      reducedMotion: 'reduce',
      timezoneId: 'UTC',
      ...(viewport === 'mobile' && { isMobile: true, hasTouch: true }),
      ...(auth && this.#session && { storageState: this.#session }),
    });
    this.#contexts.set(name, made);
    return made;
  }
}

const NOTHING = {
  message: null,
  finalUrl: null,
  status: null,
  title: null,
  image: null,
  html: null,
  styles: new Map<string, FileToSend>(),
};

const withoutQuery = (url: string): string => {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
};

/** Loads the page, again after a pause where the server asks for one. */
const answered = async (tab: Page, url: string): Promise<Response | null> => {
  for (let visit = 1; ; visit++) {
    const response = await tab.goto(url, { timeout: TIMEOUT_MS, waitUntil: 'load' });
    const seconds = response && visit < VISITS ? secondsToWait(response) : null;
    if (seconds === null) return response;
    await sleep(seconds * 1000);
  }
};

/** The seconds after which a busy server wants to be asked again; null if it is not busy, or for too long. */
const secondsToWait = (response: Response): number | null => {
  const seconds = Number(response.headers()['retry-after'] ?? 0);
  return [429, 503].includes(response.status()) && seconds <= 90 ? Math.max(1, seconds) : null;
};

const refusalOf = (status: number, email: string, url: string): string =>
  [429, 503].includes(status)
    ? `${url} lets ${email} sign in only later (${status}); try again then.`
    : `${email} could not sign in at ${url}; check the email address and the password.`;
