import type { Request, Response, Router } from 'express';
import { type ProofRefusal, provesByPassword } from '../../../application/accounts/own-account.ts';
import type { Refused } from '../../../domain/shared/outcome.ts';
import type { Methods } from '../shared/methods.ts';
import { type Answer, goTo, send, show } from './answer.ts';
import type { Cookies } from './cookies.ts';
import type { Form } from './form.ts';
import type { PagesSettings } from './gate-parts.ts';
import type { FormGuard, FormVisit, GuardRefusal, OwnFormVisit, OwnVisit, PageGuard, Unsent, Visit } from './guard.ts';
import { PAGE_HEADERS } from './headers.ts';
import type { Messages } from './messages/en.ts';
import type { AccountPagesSettings } from './parts.ts';
import { faultAnswer, faultOf } from './refused.ts';
import type { ShopFace } from './shop.ts';
import { signInForm } from './sign-in-form.ts';
import {
  fileTooLargeView,
  forbiddenView,
  tooLargeView,
  tooManyChangesView,
  tooManyView,
  unavailableView,
} from './views/messages.ts';
import { signInAt } from './views/page.ts';
import { proofView } from './views/proof.ts';

type FormOptions = { readonly fresh?: boolean } & Pick<FormGuard, 'takesFile' | 'keeps'>;

type Answering<V> = (visit: V) => Answer | Promise<Answer>;

/** The page of a form, to which a browser continues that signs in first. The form of a signed-out one is not read. */
type From = string | ((req: Request, form?: Form) => string);

const pathFrom = (from: From, req: Request, form?: Form): string => (typeof from === 'string' ? from : from(req, form));

type Parts<S> = {
  readonly router: Router;
  readonly methods: Methods;
  readonly guard: PageGuard;
  readonly cookies: Cookies;
  readonly settings: S;
  readonly shop: ShopFace;
};

/** Adds the pages to the router, each behind its guard. */
export class Paths<S extends PagesSettings = AccountPagesSettings> {
  readonly settings: S;
  readonly cookies: Cookies;
  readonly guard: PageGuard;
  readonly #router: Router;
  readonly #methods: Methods;
  readonly #shop: ShopFace;

  constructor({ router, methods, guard, cookies, settings, shop }: Parts<S>) {
    this.#router = router;
    this.#methods = methods;
    this.guard = guard;
    this.cookies = cookies;
    this.settings = settings;
    this.#shop = shop;
  }

  /** A public page. */
  open(path: string, answer: Answering<Visit>): void {
    this.#add('GET', path, async (req, res) => {
      const visit = await this.guard.countedVisit(req, res);
      return visit.ok ? this.#send(visit.value, answer) : this.#refuse(req, res, visit, '/');
    });
  }

  /** A public form. */
  openForm(path: string, answer: Answering<FormVisit<Visit>>): void {
    this.#add('POST', path, async (req, res) => {
      const visit = await this.guard.submitted(req, res);
      return visit.ok ? this.#send(visit.value, answer) : this.#refuse(req, res, visit, '/');
    });
  }

  /** A file for every signed-in browser. The app counts the request. False means that the file does not exist. */
  file(path: string, answer: (req: Request, res: Response) => Promise<boolean>): void {
    this.#methods.add(path, 'GET');
    this.#router.get(path, async (req, res, next) => {
      const session = await this.guard.session({ sent: this.cookies.read(req.headers.cookie) });
      if (session === null || !(await answer(req, res))) next('router');
    });
  }

  /** A page of the signed-in account. A signed-out browser signs in first and returns. */
  own(path: string, answer: Answering<OwnVisit>): void {
    this.#add('GET', path, async (req, res) => {
      const visit = await this.guard.ownVisit(req, res);
      return visit.ok ? this.#sendOwn(visit.value, answer) : this.#refuse(req, res, visit, req.originalUrl);
    });
  }

  /**
   * A form of the signed-in account. A signed-out browser signs in and continues to the page `from`. With `fresh`, the
   * form needs a recent proof of identity (`needsProof`): an older session is asked for one first, and the form
   * continues with its fields.
   */
  ownForm(
    path: string,
    from: From,
    answer: Answering<OwnFormVisit>,
    { fresh = false, takesFile, keeps }: FormOptions = {},
  ): void {
    this.#ownForm({ page: path, isBounded: false, takesFile, keeps }, from, fresh ? this.fresh(from, answer) : answer);
  }

  /**
   * Like `ownForm`, for a change that is in the audit log and that a script could repeat endlessly: it counts toward a
   * daily limit. A form that only ends access has no limit, so nobody is kept from ending it. With `takesFile`, the
   * form may be multipart and contain a file. With `keeps`, the fields are preserved when the session ends.
   */
  boundedForm(
    path: string,
    from: From,
    answer: Answering<OwnFormVisit>,
    { takesFile, fresh = false, keeps }: FormOptions = {},
  ): void {
    this.#ownForm({ page: path, isBounded: true, takesFile, keeps }, from, fresh ? this.fresh(from, answer) : answer);
  }

  /** The answer to a form with `fresh`, where only one of the form's answers needs the proof. */
  fresh(from: From, answer: Answering<OwnFormVisit>): Answering<OwnFormVisit> {
    return async (visit) => {
      const proved = await this.guard.proved(visit);
      if (!proved.ok) return this.proofAnswer(visit, pathFrom(from, visit.req, visit.form), proved);
      const answered = await answer(proved.value);
      const renewed = proved.value.cookies.slice(visit.cookies.length);
      return { ...answered, csrf: proved.value.csrf, cookies: [...renewed, ...(answered.cookies ?? [])] };
    };
  }

  /** The page that asks for a proof of identity and then resubmits the form. */
  async proofAnswer(visit: OwnFormVisit, from: string, refused: Refused<ProofRefusal>): Promise<Answer> {
    const { accounts, signInMethods } = this.settings.parts;
    const account = await accounts.get(visit.session.account_id);
    const fault = faultOf(refused.code, refused);
    const model = {
      action: visit.req.path,
      fields: visit.form.but('csrf', 'proof'),
      by_password: account !== undefined && provesByPassword(account, signInMethods),
      again: `/sign-in?next=${encodeURIComponent(from)}&again=1`,
      fault,
    };
    return faultAnswer(fault, (page) => proofView(page, model), from);
  }

  #ownForm(form: FormGuard, from: From, answer: Answering<OwnFormVisit>): void {
    this.#add('POST', form.page, async (req, res) => {
      const visit = await this.guard.ownSubmitted(req, res, form);
      if (!visit.ok)
        return visit.data?.['fields']
          ? this.#keep(req, res, visit)
          : this.#refuse(req, res, visit, pathFrom(from, req));
      try {
        await this.#sendOwn(visit.value, answer);
      } finally {
        await visit.value.form.discard();
      }
    });
  }

  /**
   * Preserves a form that was filled in and redirects through a sign-in to its page, which shows it again
   * (`keptFields`). If nothing can be preserved for the browser, it shows the text to copy.
   */
  async #keep(req: Request, res: Response, { code, data }: Refused<GuardRefusal>): Promise<void> {
    const visit = this.guard.visit(req, res);
    const { page, fields, text, account_id = null } = data as Unsent & { readonly account_id?: number };
    const isKept = await this.settings.parts.keepDraft({ account_id, known: visit.sent.known ?? null, page, fields });
    const next = `${page}?kept=1`;
    const form = {
      next: isKept ? next : page,
      fault: ({ draft }: Messages) => (isKept ? draft.kept : draft.copy),
      ...(!isKept && { text }),
    };
    const answer =
      code === 'stale' && isKept ? goTo(next) : show(signInForm(this.settings)(form), 403, signInAt(form.next));
    const cookies = code === 'signed_out' ? staleSession(this.cookies, visit) : [];
    const frame = { site: this.settings.site, shop: await this.#shop.current(), email: null };
    return send(res, visit, { ...answer, cookies: [...(answer.cookies ?? []), ...cookies] }, frame);
  }

  #add(method: 'GET' | 'POST', path: string, answer: (req: Request, res: Response) => Promise<void>): void {
    this.#methods.add(path, method);
    this.#router[method === 'GET' ? 'get' : 'post'](path, (req, res) => {
      res.setHeaders(new Map(Object.entries(PAGE_HEADERS)));
      return answer(req, res);
    });
  }

  async #send<V extends Visit>(visit: V, answer: Answering<V>): Promise<void> {
    const [answered, shop] = await Promise.all([answer(visit), this.#shop.current()]);
    await send(visit.res, visit, answered, { site: this.settings.site, shop, email: null });
  }

  async #sendOwn<V extends OwnVisit>(visit: V, answer: Answering<V>): Promise<void> {
    const [answered, account, shop] = await Promise.all([
      answer(visit),
      this.settings.parts.accounts.get(visit.session.account_id),
      this.#shop.current(),
    ]);
    await send(visit.res, visit, answered, { site: this.settings.site, shop, email: account?.email ?? '' });
  }

  #refuse(req: Request, res: Response, { code, data }: Refused<GuardRefusal>, next: string): Promise<void> {
    const visit = this.guard.visit(req, res);
    const answer =
      code === 'signed_out' || code === 'stale'
        ? goTo(signInAt(next), staleSession(this.cookies, visit))
        : refusalAnswer(code, Number(data?.['seconds'] ?? 1), `${this.settings.site.url}/`);
    return send(res, visit, answer, { site: this.settings.site, shop: this.#shop.last, email: null });
  }
}

/** The preserved fields of a page's form from before its session ended; undefined for none. */
export const keptFields = async (
  { parts }: Pick<PagesSettings, 'parts'>,
  { req, query, session }: OwnVisit,
): Promise<Readonly<Record<string, string>> | undefined> =>
  query.get('kept') === '1' ? parts.findDraft(session.account_id, req.path) : undefined;

/** Clears the cookie of an ended session. */
const staleSession = (cookies: Cookies, { sent }: Visit): readonly string[] =>
  sent.session === undefined ? [] : [cookies.clear('session')];

/** The answer to a sender over a limit. The response already has the rate limit headers. */
export const tooManyAnswer = (seconds: number): Answer => show((page) => tooManyView(page, seconds), 429, '/');

/** The answer to an account that has used up its changes for the day. */
export const tooManyChangesAnswer = (seconds: number): Answer => ({
  ...show((page) => tooManyChangesView(page, Math.ceil(seconds / 3600)), 429, '/'),
  headers: { 'retry-after': String(seconds) },
});

export const UNAVAILABLE: Answer = { ...show(unavailableView, 503, '/'), headers: { 'retry-after': '5' } };

const refusalAnswer = (code: Exclude<GuardRefusal, 'signed_out' | 'stale'>, seconds: number, home: string): Answer => {
  if (code === 'rate_limited') return tooManyAnswer(seconds);
  if (code === 'too_many_changes') return tooManyChangesAnswer(seconds);
  if (code === 'too_large') return show(tooLargeView, 413, '/');
  if (code === 'file_too_large') return show(fileTooLargeView, 413, '/');
  if (code === 'too_many_uploads') return UNAVAILABLE;
  return show((page) => forbiddenView(page, home), code === 'malformed' ? 400 : 403, '/');
};
