import { html } from 'hono/html';
import { commandText, type Html } from '../../shared/pieces.ts';
import type { Page } from './page.ts';

/** A text with a copy button, which needs the page's script. */
export const copied = ({ m: { keys: m } }: Page, id: string, label: string, text: string): Html =>
  html`<div class="secret"><code id="${id}" class="value" tabindex="0" aria-label="${label}" role="textbox" aria-readonly="true">${commandText(text)}</code>
<button type="button" class="copy" hidden data-copy="${id}" data-copied="${m.copied}" data-failed="${m.copyFailed}">${m.copy}</button></div>
<p class="hint" role="status" id="${id}-status"></p>`;
