import { html } from 'hono/html';
import type { ProofRefusal } from '../../../../application/accounts/own-account.ts';
import { LONGEST_PASSWORD } from '../../../../domain/sign-in/password-rules.ts';
import { FRESH_PROOF_MINUTES } from '../../../../domain/sign-in/session.ts';
import { field, type Html, type Notice, noticeBox } from '../../shared/pieces.ts';
import { type Fault, type FormRefusal, faultText } from '../refused.ts';
import { csrfField, layout, type Page } from './page.ts';

/** The notice of a fault that belongs to no field. */
export const blockedBy = ({ m }: Page, fault: Fault<FormRefusal> | null): Notice | null => {
  if (fault?.code !== 'too_many_attempts' && fault?.code !== 'busy') return null;
  return { kind: 'fault', text: faultText(m, { ...fault, code: fault.code }), first: true };
};

type ProofModel = {
  /** The form to resubmit, and its fields. */
  readonly action: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  readonly by_password: boolean;
  /** The sign-in page, to sign in again. */
  readonly again: string;
  readonly fault: Fault<ProofRefusal> | null;
};

/** The page that asks for a proof of identity, before an action that a stolen cookie must not permit. */
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
