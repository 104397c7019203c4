import type { MemberPrincipal } from '../../../domain/access/principal.ts';
import type { Locale } from '../../../domain/shared/locale.ts';
import type { Refused } from '../../../domain/shared/outcome.ts';
import type { Answer } from '../account/answer.ts';
import type { Form } from '../account/form.ts';
import type { Page } from '../account/views/page.ts';
import type { Html, Notice } from '../shared/pieces.ts';
import type { SectionId } from './sections.ts';

/** A form to show again with what was typed, and why its call was refused: null if its session had ended. */
export type FilledForm = { readonly action: string; readonly form: Form; readonly refusal: Refused | null };

/** The facts of a request that every page of the console needs in addition to those of a site. */
export type ConsoleFacts = {
  readonly member: MemberPrincipal;
  /** The sections that the member may open. */
  readonly sections: ReadonlySet<SectionId>;
  readonly hasSearch: boolean;
  /** The outcome of the last step. */
  readonly notice: Notice | null;
  readonly filled: FilledForm | null;
  /** The secret with which a form makes something only once. */
  readonly once: string;
  /** True for a form that would ask for a sign-in before it is taken, and lose what was typed. */
  readonly asksProof: (action: string) => boolean;
};

export type ConsolePage = Page & ConsoleFacts;

export type ConsoleView = (page: ConsolePage) => Html;

/** A page of the console to show, or any other answer of a site. */
export type ConsoleAnswer =
  | {
      readonly status: number;
      readonly view: ConsoleView;
      readonly here?: string;
      readonly headers?: Readonly<Record<string, string>>;
      readonly filled?: FilledForm;
    }
  | Exclude<Answer, { readonly view: unknown }>;

export const show = (view: ConsoleView, status = 200): ConsoleAnswer => ({ status, view });

/** The words of an area in the language of a page. */
export const inBoth =
  <T>(words: Readonly<Record<Locale, T>>) =>
  ({ locale }: { readonly locale: Locale }): T =>
    words[locale];
