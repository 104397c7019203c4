import type { Request, Response } from 'express';
import type { ProofRefusal } from '../../../application/accounts/own-account.ts';
import { isSecret } from '../../../application/sign-in/sessions.ts';
import { actorOf } from '../../../domain/access/actor.ts';
import { grantPermit } from '../../../domain/access/grant-permit.ts';
import type { Permit } from '../../../domain/access/permit.ts';
import {
  type AccountPrincipal,
  ANYONE,
  type MemberPrincipal,
  type Principal,
} from '../../../domain/access/principal.ts';
import type { RateVerdict } from '../../../domain/access/rate-limit.ts';
import { type Owner, ownerName, ownerOf } from '../../../domain/access/rate-limit.ts';
import type { Allowance } from '../../../domain/accounts/account.ts';
import { CHANGES_ON_PAGES } from '../../../domain/audit/bounds.ts';
import { secondsOfDayLeft } from '../../../domain/shared/daily-bound.ts';
import { type Language, localeFor } from '../../../domain/shared/language.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import { type Outcome, ok, type Refused, refuse } from '../../../domain/shared/outcome.ts';
import { needsProof, type Session } from '../../../domain/sign-in/session.ts';
import { showRate } from '../shared/rate.ts';
import type { Cookies, SentCookies } from './cookies.ts';
import { csrfToken, isFromOrigin, isTokenOf, newSecret } from './csrf.ts';
import { type Form, isMultipart, readFileForm, readForm } from './form.ts';
import type { PagesSettings } from './gate-parts.ts';
import { languageFor } from './language.ts';
import type { ShopFace } from './shop.ts';

export type Visit = {
  readonly req: Request;
  readonly res: Response;
  readonly query: URLSearchParams;
  readonly sent: SentCookies;
  readonly language: Language;
  /** The language of texts that exist only in those of the API. */
  readonly locale: Locale;
  readonly address: () => string;
  readonly csrf: string;
  /** Set-Cookie headers of the answer, in addition to those of the page. */
  readonly cookies: readonly string[];
};

export type OwnVisit = Visit & {
  readonly session: Session & Allowance;
  readonly principal: AccountPrincipal | MemberPrincipal;
  /** The rate verdict on the request, which was counted against the account. */
  readonly rate: RateVerdict;
};

export type FormVisit<V extends Visit> = V & { readonly form: Form };
export type OwnFormVisit = FormVisit<OwnVisit> & { readonly permit: Permit };

/** For too many requests and for too many changes in a day, the refusal's data contains `seconds`. */
export type GuardRefusal =
  | 'signed_out'
  /** The form belongs to a former session of the browser, which has signed in again since. */
  | 'stale'
  | 'rate_limited'
  | 'too_many_changes'
  | 'forbidden'
  | 'too_large'
  | 'file_too_large'
  | 'too_many_uploads'
  | 'malformed';

/** The maximum size of a form's file in bytes; undefined for a sender whose file is not read. */
export type TakesFile = (sender: Principal) => number | undefined;

/**
 * The name of a form in the audit log, whether it counts toward the daily limit of changes, and whether it accepts a
 * file.
 */
export type FormGuard = {
  readonly page: string;
  readonly isBounded: boolean;
  readonly takesFile?: TakesFile | undefined;
  /** Selects what is preserved of a form that was sent to `path` if the session ended before that. */
  readonly keeps?: Keeping | undefined;
};

/** Null for a form in which nothing was filled in. */
export type Keeping = (form: Form, path: string) => Unsent | null;

/** A form that was filled in but not accepted: the data of the refusals `signed_out` and `stale`. */
export type Unsent = {
  /** The path of the page with the form. */
  readonly page: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The text that the person typed, to copy. */
  readonly text: string;
};

/** The data of a refusal of the form: the fields to preserve, if any. */
const unsent = ({ keeps }: FormGuard, form: Form, path: string): { readonly data?: Unsent } => {
  const data = keeps?.(form, path);
  return data ? { data } : {};
};

/** Preserves the texts and the choices with these names. */
export const keepFields =
  (page: (form: Form) => string, texts: readonly string[], choices: readonly string[] = []): Keeping =>
  (form) => ({
    page: page(form),
    fields: Object.fromEntries([...choices, ...texts].map((name) => [name, form.text(name)])),
    text: texts
      .map((name) => form.text(name))
      .join('\n\n')
      .trim(),
  });

/**
 * Guards the pages, and counts every request once. A page of an account requires a live session. A form is checked in
 * this order: the origin of the page that sent it, the session, the rate limit, its size, and the token that is bound
 * to the browser's cookie. Only an account's form that passed every guard gets a permit.
 */
export class PageGuard {
  readonly #settings: PagesSettings;
  readonly #cookies: Cookies;
  readonly #shop: ShopFace;
  readonly #origin: string;

  constructor(settings: PagesSettings, cookies: Cookies, shop: ShopFace) {
    this.#settings = settings;
    this.#cookies = cookies;
    this.#shop = shop;
    this.#origin = new URL(settings.site.url).origin;
  }

  /** A request for a public page. Its forms are bound to a cookie of their own, which is set with it. */
  visit(req: Request, res: Response): Visit {
    const plain = this.#plain(req, res);
    const { form } = plain.sent;
    const secret = isSecret(form) ? form : newSecret();
    const cookies = secret === form ? plain.cookies : [...plain.cookies, this.#cookies.set('form', secret)];
    return { ...plain, csrf: csrfToken(secret), cookies };
  }

  /** Like `visit`, and counts the request against the IP address. */
  async countedVisit(req: Request, res: Response): Promise<Outcome<Visit, GuardRefusal>> {
    await this.#shop.known();
    const visit = this.visit(req, res);
    const limited = await this.#limit(res, ownerOf(ANYONE, visit.address));
    return limited.ok ? ok(visit) : limited;
  }

  /**
   * A request for a page of the signed-in account. It counts against the account; without a live session, against the
   * IP address.
   */
  async ownVisit(req: Request, res: Response): Promise<Outcome<OwnVisit, GuardRefusal>> {
    await this.#shop.known();
    const plain = this.#plain(req, res);
    const own = await this.#own(plain);
    const limited = await this.#limit(res, ownerOf(own?.principal ?? ANYONE, plain.address));
    if (!limited.ok) return limited;
    if (!own) return refuse('signed_out');
    return ok({ ...plain, ...own, csrf: csrfToken(plain.sent.session as string), rate: limited.value });
  }

  /** A public form. It counts against the IP address. */
  async submitted(req: Request, res: Response): Promise<Outcome<FormVisit<Visit>, GuardRefusal>> {
    const visit = await this.countedVisit(req, res);
    if (!visit.ok) return visit;
    if (!isFromOrigin(req.headers, this.#origin)) return refuse('forbidden');
    const { form: secret } = visit.value.sent;
    const form = await readForm(req, res);
    if (!form.ok) return form;
    if (!isSecret(secret) || !isTokenOf(secret, form.value.text('csrf'))) return refuse('forbidden');
    return ok({ ...visit.value, form: form.value });
  }

  /** A form that changes the signed-in account. */
  async ownSubmitted(req: Request, res: Response, guard: FormGuard): Promise<Outcome<OwnFormVisit, GuardRefusal>> {
    if (!isFromOrigin(req.headers, this.#origin)) {
      const counted = await this.countedVisit(req, res);
      return counted.ok ? refuse('forbidden') : counted;
    }
    const visit = await this.ownVisit(req, res);
    if (!visit.ok) return visit.code === 'signed_out' ? this.#signedOut(req, res, guard) : visit;
    const form = await this.#form(visit.value, guard, visit.value.principal);
    if (!form.ok) return form;
    let passed: Outcome<OwnFormVisit, GuardRefusal> | undefined;
    try {
      // While a file arrives, the session may end and the role of a member may change.
      const own = form.value.file ? await this.#own(visit.value) : visit.value;
      passed = own
        ? await this.#passed({ ...visit.value, ...own, form: form.value }, guard)
        : refuse('signed_out', unsent(guard, form.value, req.path));
      return passed;
    } finally {
      if (!passed?.ok) await form.value.discard();
    }
  }

  /** True if a critical form of this browser needs another proof of identity first. */
  isStale({ session }: OwnVisit): boolean {
    return needsProof(session, this.#settings.parts.clock.now());
  }

  /**
   * A form from an owner who proved their identity within the last minutes, or proves it with the password in the field
   * `proof`. The browser then gets a new session value, and so a new token for its forms.
   */
  async proved(visit: OwnFormVisit): Promise<Outcome<OwnFormVisit, ProofRefusal>> {
    const { proveOwner, signInMethods } = this.#settings.parts;
    if (!this.isStale(visit)) return ok(visit);
    const proved = await proveOwner(visit.session, signInMethods.password ? visit.form.text('proof') : '');
    if (!proved.ok) return proved;
    const { value, session } = proved.value;
    const cookies = [...visit.cookies, this.#cookies.set('session', value)];
    return ok({ ...visit, session, sent: { ...visit.sent, session: value }, csrf: csrfToken(value), cookies });
  }

  /** A process receives a limited number of files at once, and fewer from one account. */
  async #form(
    { req, res, address }: Pick<Visit, 'req' | 'res' | 'address'>,
    { takesFile }: FormGuard,
    principal: Principal,
  ): Promise<Outcome<Form, GuardRefusal>> {
    const { formBytes } = this.#settings.site;
    const fileBytes = isMultipart(req) ? takesFile?.(principal) : undefined;
    if (fileBytes === undefined) return readForm(req, res, formBytes);
    const spool = this.#settings.options.spool.take(ownerName(ownerOf(principal, address)));
    return spool ? readFileForm(req, spool, formBytes, fileBytes) : refuse('too_many_uploads');
  }

  /** The refusal of a form without a live session, with the fields that were filled in. */
  async #signedOut(req: Request, res: Response, guard: FormGuard): Promise<Refused<GuardRefusal>> {
    const form = guard.keeps && (await this.#form(this.visit(req, res), guard, ANYONE));
    if (!form?.ok) return refuse('signed_out');
    await form.value.discard();
    return refuse('signed_out', unsent(guard, form.value, req.path));
  }

  async #passed(
    visit: FormVisit<OwnVisit>,
    guard: FormGuard,
  ): Promise<Outcome<OwnFormVisit, 'forbidden' | 'stale' | 'too_many_changes'>> {
    const { req, sent, form, session, principal, address } = visit;
    if (sent.session === undefined || !isTokenOf(sent.session, form.text('csrf'))) {
      const { data } = unsent(guard, form, req.path);
      return data ? refuse('stale', { data: { ...data, account_id: session.account_id } }) : refuse('forbidden');
    }
    const permit = grantPermit(() => actorOf(principal, guard.page, address()));
    const counted = guard.isBounded ? await this.#countChange(permit, session) : ok(null);
    return counted.ok ? ok({ ...visit, permit }) : counted;
  }

  /**
   * The permit for writes of a sign-in, such as creating an account. The upstream provider's answer, which the use case
   * verifies, is the guard.
   */
  signInPermit({ address }: Visit, page: string): Permit {
    return grantPermit(() => actorOf(ANYONE, page, address()));
  }

  /** The live session of the browser; null without one. The caller counts the request. */
  async session(visit: Pick<Visit, 'sent'>): Promise<OwnVisit['session'] | null> {
    return (await this.#own(visit))?.session ?? null;
  }

  async #own({ sent }: Pick<Visit, 'sent'>): Promise<Pick<OwnVisit, 'session' | 'principal'> | null> {
    const { parts, site } = this.#settings;
    const session = sent.session === undefined ? undefined : await parts.findSession(sent.session, site.place);
    const principal = session && (await site.principalOf(session));
    return session && principal ? { session, principal } : null;
  }

  #plain(req: Request, res: Response): Omit<Visit, 'csrf'> {
    const sent = this.#cookies.read(req.headers.cookie);
    const query = new URLSearchParams(req.originalUrl.split('?').slice(1).join('?'));
    const language = languageFor(req, query, sent, this.#settings.site.languages(this.#shop.last));
    const chosen = query.has('lang') && sent.language !== language;
    const address = (): string => this.#settings.options.addressOf(req);
    const cookies = chosen ? [this.#cookies.set('language', language)] : [];
    return { req, res, query, sent, language, locale: localeFor(language), address, cookies };
  }

  async #countChange(permit: Permit, { account_id }: Session): Promise<Outcome<null, 'too_many_changes'>> {
    const { dailyBounds, clock } = this.#settings.parts;
    const now = clock.now();
    const changes = await dailyBounds.count(permit, CHANGES_ON_PAGES, String(account_id), 1, now);
    if (changes <= CHANGES_ON_PAGES.most) return ok(null);
    return refuse('too_many_changes', { data: { seconds: secondsOfDayLeft(now) } });
  }

  async #limit(res: Response, owner: Owner): Promise<Outcome<RateVerdict, 'rate_limited'>> {
    const { limitRate } = this.#settings.parts;
    const rate = limitRate.spent(owner) ?? (await limitRate.count(owner));
    showRate(res, rate);
    return rate.allowed ? ok(rate) : refuse('rate_limited', { data: { seconds: rate.retry_after } });
  }
}
