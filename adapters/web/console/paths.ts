import type * as z from 'zod';
import type { ReceivedFile } from '../../../application/shared/files.ts';
import { isSecret } from '../../../application/sign-in/sessions.ts';
import { permits } from '../../../domain/access/access-rule.ts';
import { ANYONE, hasRole, type MemberPrincipal } from '../../../domain/access/principal.ts';
import { type Outcome, type Refused, refuse } from '../../../domain/shared/outcome.ts';
import type { AnswerIn, EndpointSpec } from '../../../ports/inbound/endpoint.ts';
import { REFUSALS, type RefusalCode } from '../../../ports/inbound/refusals.ts';
import { type Answer, goTo } from '../account/answer.ts';
import { isTokenOf, newSecret, saidToken } from '../account/csrf.ts';
import { Form, MOST_FILE_BYTES } from '../account/form.ts';
import type { FormVisit, Keeping, OwnFormVisit, OwnVisit, TakesFile, Unsent } from '../account/guard.ts';
import { keptFields, type Paths } from '../account/paths.ts';
import type { Notice } from '../shared/pieces.ts';
import type { Fields } from './fields.ts';
import { shellWords } from './messages/shell.ts';
import { type ConsoleAnswer, type ConsoleFacts, type FilledForm, show } from './page.ts';
import type { ConsoleSettings } from './parts.ts';
import { GROUPS, type Needs, type SectionId } from './sections.ts';
import { blockedView } from './views/blocked.ts';

/** A request of a signed-in member. */
export type MemberVisit = OwnVisit & { readonly principal: MemberPrincipal };
export type MemberFormVisit = FormVisit<MemberVisit>;

type Scalar = string | number | boolean | null | undefined;

/** The input of a call, as its endpoint declares it. */
type InputOf<E extends EndpointSpec> = {
  readonly query?: E extends { query: () => infer S extends z.ZodObject }
    ? { readonly [N in keyof z.input<S>]?: Scalar }
    : never;
  readonly body?: E extends { body: () => infer S extends z.ZodObject } ? z.input<S> | Fields : never;
  readonly files?: Readonly<Record<string, ReceivedFile | null>>;
};
type Input<E extends EndpointSpec> = E extends { params: () => infer S extends z.ZodObject }
  ? [InputOf<E> & { readonly params: { readonly [N in keyof z.input<S>]: string | number } }]
  : [InputOf<E>?];
type AnyInput = {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, Scalar>>;
  readonly body?: object;
  readonly files?: Readonly<Record<string, ReceivedFile | null>>;
};

type FormOptions = {
  /** The step can't be undone, so it needs a recent proof of identity. */
  readonly fresh?: boolean;
  /** The call that the form's file is for. The file of a member who may not make it is not read. */
  readonly takesFile?: Pick<EndpointSpec, 'access' | 'files'>;
  /** The call whose answer shows what it made, so the form with the same secret is taken once (`FormSpec`). */
  readonly once?: EndpointSpec;
};

/** True if the member may make these calls. */
export const allows = (member: MemberPrincipal, needs: Needs): boolean =>
  typeof needs === 'string' ? hasRole(member.role, needs) : needs.every((endpoint) => permits(member, endpoint));

/**
 * Adds the pages of the console behind the gate of the sites. A page reads and changes the shop only by the endpoints of
 * the shop host, with its member as the caller, so the roles, the limits and the audit log are those of the API.
 */
export class ConsolePaths {
  readonly gate: Paths<ConsoleSettings>;
  readonly #sections = new Map<SectionId | 'search', Needs>();
  /** The paths of the forms that need a recent proof of identity. */
  readonly #fresh: RegExp[] = [];

  constructor(gate: Paths<ConsoleSettings>) {
    this.gate = gate;
  }

  /** Adds a section to the navigation of the members who may open it. */
  section(id: SectionId | 'search', needs: Needs): void {
    this.#sections.set(id, needs);
  }

  /** A page for the members who may make the calls that it needs. */
  page(path: string, needs: Needs, answer: (visit: MemberVisit) => ConsoleAnswer | Promise<ConsoleAnswer>): void {
    this.gate.own(path, async (visit) => {
      const own = memberVisit(visit);
      if (!allows(own.principal, needs)) return this.#shown(own, CLOSED);
      return this.#shown(own, await answer(own), keptForm(await keptFields(this.gate.settings, own)));
    });
  }

  /**
   * A form. Its path is that of its page and one more word, such as `/orders/:order/refund`: a member who must sign in
   * first continues to the page.
   */
  form(
    path: string,
    { fresh = false, takesFile: taker, once }: FormOptions,
    answer: (visit: MemberFormVisit) => ConsoleAnswer | Promise<ConsoleAnswer>,
  ): void {
    if (fresh) this.#fresh.push(new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`));
    const answering = async (visit: OwnFormVisit): Promise<Answer> => {
      const own = { ...memberVisit(visit), form: visit.form };
      const call = taker ?? once;
      if (call && !permits(own.principal, call)) return this.#shown(own, CLOSED);
      if (!once) return this.#shown(own, await answer(own));
      const { sent, form, locale, req } = own;
      if (sent.once === undefined || form.text('once') !== sent.once)
        return this.#shown(own, done(own, pageOf(req.path), shellWords({ locale }).sentTwice));
      const made = await answer(own);
      return this.#shown('view' in made && !made.filled ? { ...own, sent: { ...sent, once: undefined } } : own, made);
    };
    const takesFile: TakesFile | undefined =
      taker &&
      ((sender) => {
        if (permits(sender, taker)) return Math.max(MOST_FILE_BYTES, taker.files?.['file']?.maxBytes ?? 0);
        // The texts of a form without a file are also read from a signed-out sender.
        return sender === ANYONE ? 0 : undefined;
      });
    this.gate.ownForm(path, ({ path: sent }) => pageOf(sent), answering, { fresh, takesFile, keeps: keepAll });
  }

  /**
   * Calls an endpoint of the shop for the member. The request was counted with its page, so a page of several calls
   * counts once.
   */
  readonly ask = async <E extends EndpointSpec>(
    { principal, address, rate, locale }: MemberVisit,
    endpoint: E,
    ...[wish]: Input<E>
  ): Promise<Outcome<AnswerIn<E>, RefusalCode>> => {
    const { params = {}, query = {}, body = {}, files = {} }: AnyInput = wish ?? {};
    const asked = Object.entries(query).filter(([, value]) => value !== null && value !== undefined);
    const given = Object.fromEntries(asked.map(([name, value]) => [name, String(value)]));
    const input = { params, query: given, body, files, locale };
    return this.gate.settings.parts.askShop<AnswerIn<E>>({ principal, address, rate }, endpoint, input);
  };

  /** Like `ask`, for a part of a page that is left out if the member may not see it, or the call is refused. */
  readonly glance = async <E extends EndpointSpec>(
    visit: MemberVisit,
    endpoint: E,
    ...input: Input<E>
  ): Promise<AnswerIn<E> | null> => {
    if (!allows(visit.principal, [endpoint])) return null;
    const answer = await this.ask(visit, endpoint, ...input);
    return answer.ok ? answer.value : null;
  };

  #shown(visit: MemberVisit, answer: ConsoleAnswer, kept: FilledForm | null = null): Answer {
    if (!('view' in answer)) return answer;
    const { view, filled = kept, ...rest } = answer;
    const mayOpen = (id: SectionId | 'search'): boolean => {
      const needs = this.#sections.get(id);
      return needs !== undefined && allows(visit.principal, needs);
    };
    const isStale = this.gate.guard.isStale(visit);
    const once = isSecret(visit.sent.once) ? visit.sent.once : newSecret();
    const facts: ConsoleFacts = {
      member: visit.principal,
      sections: new Set(GROUPS.flat().filter(mayOpen)),
      hasSearch: mayOpen('search'),
      notice: kept ? { kind: 'done', text: shellWords(visit).keptForm } : filled ? null : noticeOf(visit),
      filled,
      once,
      asksProof: (action) => isStale && this.#fresh.some((path) => path.test(action)),
    };
    const cookies = once === visit.sent.once ? [] : [this.gate.cookies.set('once', once)];
    return {
      ...rest,
      cookies,
      view: (page) => view({ ...page, ...facts }),
    };
  }
}

const CLOSED = show((page) => blockedView(page, refuse('missing_api_key_ability')), 403);

/** The site's principals are members (`consoleSite`). */
const memberVisit = (visit: OwnVisit): MemberVisit => visit as MemberVisit;

/** The page that a form belongs to, by the path of the form. */
const pageOf = (path: string): string => path.slice(0, path.lastIndexOf('/')) || '/';

/** Preserves every field of a form. The longest text is the one to copy. */
const keepAll: Keeping = (form, action) => {
  const fields = form.but('csrf', 'once', 'proof');
  const [text] = fields.map(([, value]) => value.trim()).sort((a, b) => b.length - a.length);
  return text ? { page: pageOf(action), fields: { action, fields: JSON.stringify(fields) }, text } : null;
};

/** A form that `keepAll` preserved. */
const keptForm = (kept: Unsent['fields'] | undefined): FilledForm | null => {
  if (kept?.['fields'] === undefined) return null;
  const fields = Map.groupBy(JSON.parse(kept['fields']) as [string, string][], ([name]) => name);
  const form = new Form(Object.fromEntries([...fields].map(([name, all]) => [name, all.map(([, value]) => value)])));
  return { action: kept['action'] ?? '', form, refusal: null };
};

/** The notice in the URL, if this browser's session made it: no other site can put words into a page. */
const noticeOf = ({ query, sent }: MemberVisit): Notice | null => {
  const text = query.get('done');
  const isOurs = text !== null && isTokenOf(sent.session ?? '', query.get('said') ?? '', text);
  return isOurs ? { kind: 'done', text, first: true } : null;
};

/** Continues to a page with a notice about the step that was taken. Its path may have a text from a path as it is. */
export const done = ({ sent }: MemberVisit, location: string, text: string): ConsoleAnswer => {
  const { pathname, searchParams } = new URL(location, 'http://console');
  searchParams.set('done', text);
  searchParams.set('said', saidToken(sent.session ?? '', text));
  return goTo(`${pathname}?${searchParams}`);
};

const statusOf = (code: RefusalCode): number => REFUSALS[code].status;

/** The page that a refused call leaves to show, such as that of a missing record. */
export const blocked = (refusal: Refused<RefusalCode>): ConsoleAnswer =>
  show((page) => blockedView(page, refusal), statusOf(refusal.code));

/** The page of a form again, with what was typed and why the call was refused. `again` is the answer of the page. */
export const refused = (
  { req, form }: MemberFormVisit,
  refusal: Refused<RefusalCode>,
  again: ConsoleAnswer,
): ConsoleAnswer =>
  'view' in again
    ? { ...again, status: statusOf(refusal.code), here: pageOf(req.path), filled: { action: req.path, form, refusal } }
    : again;
