import { html } from 'hono/html';
import { LONGEST_PASSWORD } from '../../../../domain/sign-in/password-rules.ts';
import { FRESH_PROOF_MINUTES } from '../../../../domain/sign-in/session.ts';
import { field, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { csrfField, layout, type Page } from './page.ts';

export type PasswordFault =
  | { readonly code: 'wrong_credentials' | 'password_too_short' | 'password_too_long' | 'busy' }
  | { readonly code: 'too_many_attempts'; readonly minutes: number };

/** The notice of a fault that is none of a field's. */
export const blockedBy = ({ m }: Page, fault: PasswordFault | null): Notice | null => {
  if (fault?.code === 'too_many_attempts')
    return { kind: 'fault', text: m.errors.tooManyAttempts(fault.minutes), first: true };
  return fault?.code === 'busy' ? { kind: 'fault', text: m.errors.busy, first: true } : null;
};

type ProofModel = {
  /** The form that is sent again, and its fields. */
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly by_password: boolean;
  /** The page to sign in on again. */
  readonly again: string;
  readonly fault: PasswordFault | null;
};

/** The page that asks the owner to prove to be there, before a step that a copied cookie may not take. */
export const proofView = (page: Page, { action, fields, by_password, again, fault }: ProofModel): Html => {
  const { proof: m } = page.m;
  const wrong = fault?.code === 'wrong_credentials' ? m.wrong : undefined;
  return layout(page, {
    title: m.title,
    narrow: true,
    body: html`<h1>${m.title}</h1>
${noticeBox(blockedBy(page, fault))}
<p class="lead">${m.lead(FRESH_PROOF_MINUTES)}</p>
${
  by_password
    ? html`<form method="post" action="${action}" class="stack">${csrfField(page)}${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<input type="text" value="${page.email ?? ''}" autocomplete="username" hidden readonly>
${field({ name: 'proof', label: m.password, type: 'password', autocomplete: 'current-password', maxlength: LONGEST_PASSWORD, required: true, error: wrong, first: true })}
<button class="main wide">${m.go}</button></form>`
    : ''
}
<p><a class="button wide" href="${again}">${by_password ? m.otherWay : m.again}</a></p>
<p class="hint">${m.typedAgain}</p>`,
  });
};
