import { text } from 'node:stream/consumers';
import { html } from 'hono/html';
import type { Guide } from '../../../../application/catalog/guides.ts';
import type { GuideKind } from '../../../../domain/catalog/guide.ts';
import type { Manual } from '../../../../domain/catalog/product.ts';
import type { Language } from '../../../../domain/shared/language.ts';
import { RenderedDocuments } from '../../shared/markdown.ts';
import type { Html } from '../../shared/pieces.ts';
import { Turns } from '../../shared/turns.ts';
import { show } from '../answer.ts';
import { idIn } from '../form.ts';
import type { Messages } from '../messages/en.ts';
import { MESSAGES } from '../messages/messages.ts';
import type { Paths } from '../paths.ts';
import { notFoundView } from '../views/messages.ts';
import { layout, type Page } from '../views/page.ts';

/** A manual, whose texts are plain. Steps are numbered. */
const manualHtml = ({ guides: m }: Messages, manual: Manual): Html => {
  const items = (lines: readonly string[]): Html[] => lines.map((line) => html`<li class="answer">${line}</li>`);
  const points = (title: string, lines: readonly string[]): Html | '' =>
    lines.length === 0 ? '' : html`<h2>${title}</h2><ul>${items(lines)}</ul>`;
  const steps = (title: string, lines: readonly string[]): Html | '' =>
    lines.length === 0 ? '' : html`<h2>${title}</h2><ol>${items(lines)}</ol>`;
  return html`${manual.summary === null ? '' : html`<p class="answer">${manual.summary}</p>`}
${points(m.requirements, manual.requirements)}${steps(m.install, manual.install_steps)}${steps(m.verify, manual.verification_steps)}${points(m.troubleshooting, manual.troubleshooting)}`;
};

/** The language of a file, which nothing names: Korean if a tenth of its letters or more is, else unknown. */
const languageOfFile = (body: string): Language | '' =>
  (body.match(/\p{Script=Hangul}/gu)?.length ?? 0) * 10 >= body.length && body !== '' ? 'ko' : '';

type GuideModel = {
  readonly product: number;
  readonly name: string;
  readonly kind: GuideKind;
  readonly lang: Language | '';
  readonly body: Html;
};

const guideView = (page: Page, { product, name, kind, lang, body }: GuideModel): Html => {
  const title = page.m.guides.kinds[kind];
  return layout(page, {
    title: `${title} · ${name}`,
    section: 'library',
    isText: true,
    body: html`<p class="up"><a href="/library/${product}">${name}</a></p><h1>${title}</h1>
<article class="card"><div class="prose" lang="${lang}">${body}</div></article>`,
  });
};

/** The guides of the products that the account may use, for people. Agents get the same texts from the API. */
export const addGuidePages = (paths: Paths): void => {
  const { listGuides } = paths.settings.parts;
  const rendered = new RenderedDocuments(new Turns());

  const shown = async (guide: Guide, m: Messages, title: string): Promise<Pick<GuideModel, 'lang' | 'body'> | null> => {
    if (guide.kind === 'manual') return { lang: guide.locale, body: manualHtml(MESSAGES[guide.locale], guide.manual) };
    const stream = await guide.open();
    if (!stream) return null;
    const body = await text(stream);
    return {
      lang: languageOfFile(body),
      body: await rendered.html({ body, sha256: guide.sha256 }, { ...m.guides, title }),
    };
  };

  paths.own('/library/:product/guides/:kind', async ({ req, session, locale, language }) => {
    const product = idIn(String(req.params['product'])) ?? 0;
    const found = await listGuides({ account_id: session.account_id, product_id: product, locale });
    const guide = found?.guides.find(({ kind }) => kind === req.params['kind']);
    const read = found && guide ? await shown(guide, MESSAGES[language], found.name) : null;
    if (!found || !guide || !read) return show(notFoundView, 404, '/library');
    return show((page) => guideView(page, { product, name: found.name, kind: guide.kind, ...read }));
  });
};
