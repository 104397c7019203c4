import { html } from 'hono/html';
import {
  CHALLENGE_MINUTES,
  LONGEST_PASSKEY_NAME,
  PASSKEY_ALGORITHMS,
  type Passkey,
  passkeyHandle,
  relyingParty,
} from '../../../../domain/sign-in/passkey.ts';
import { ownPath, type Session } from '../../../../domain/sign-in/session.ts';
import { day } from '../../shared/dates.ts';
import { facts, field, type Html } from '../../shared/pieces.ts';
import { type Answer, goTo, show } from '../answer.ts';
import { PASSKEY_SCRIPT_PATH } from '../assets/assets.ts';
import type { PagesSettings } from '../gate-parts.ts';
import type { OwnFormVisit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { faultAnswer, faultOf, faultText } from '../refused.ts';
import { senderOf, signedIn } from '../routes/signed-in.ts';
import { confirmation } from '../views/confirmation.ts';
import { brandName, csrfField, layout, type Page, signInAt } from '../views/page.ts';

/** The passkeys of an account, each with a form to remove it, and the form for a new one. */
export const passkeyCard = (page: Page, passkeys: readonly Passkey[]): Html => {
  const { passkeys: m, notYet } = page.m;
  const rows = passkeys.map(
    ({ id, name, created_at, last_used_at }) => html`<li class="row"><div class="title"><h3>${name}</h3></div>
${facts([
  [m.added, day(page, created_at)],
  [m.lastUsed, last_used_at === null ? notYet : day(page, last_used_at)],
])}
${confirmation(page, { label: m.remove, about: name, question: m.confirm(name), button: m.confirmButton, action: '/security/passkeys/remove', fields: { passkey: id } })}</li>`,
  );
  return html`<section class="split" aria-labelledby="passkeys"><div><h2 id="passkeys">${m.title}</h2><p>${m.lead}</p></div>
<div class="card">${rows.length === 0 ? html`<p class="none">${m.none}</p>` : html`<ul class="rows">${rows}</ul>`}
<form method="post" action="/security/passkeys" class="stack" data-passkeys hidden>${csrfField(page)}
${field({ name: 'name', label: m.name, hint: m.nameHint, maxlength: LONGEST_PASSKEY_NAME })}
<button>${m.add}</button></form>
<noscript><p class="hint">${m.needsScript}</p></noscript></div></section>`;
};

type Step = {
  readonly title: string;
  readonly action: string;
  /** The options of the browser's call (WebAuthn, sections 5.4 and 5.5), with bytes as base64url. */
  readonly options: object;
  readonly fields: Readonly<Record<string, string>>;
  readonly back: string;
};

/** The page on which the browser asks the person for the passkey. */
const stepView = (page: Page, { title, action, options, fields, back }: Step): Html => {
  const { passkeys: m } = page.m;
  return layout(page, {
    title,
    narrow: true,
    script: PASSKEY_SCRIPT_PATH,
    body: html`<h1>${title}</h1>
<p class="lead">${m.follow}</p>
<p class="notice fault" id="passkey-status" role="alert" hidden>${m.cancelled}</p>
<form method="post" action="${action}" class="stack" data-options="${JSON.stringify(options)}">${csrfField(page)}${Object.entries(
      { ...fields, response: '' },
    ).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="actions"><button class="main">${m.proceed}</button><a class="button" href="${back}">${m.back}</a></div></form>`,
  });
};

/**
 * Challenges are bound to the session's id, so they survive a renewal of its value. Form secrets are longer, so none
 * equals this text.
 */
const secretOf = ({ id }: Session): string => `session ${id}`;

/** The pages for an account's passkeys. A host to which browsers give no passkeys has none of these pages. */
export const addPasskeyPages = (paths: Paths<PagesSettings>): void => {
  const { parts, site: own } = paths.settings;
  const { beginPasskey, addPasskey, signInWithPasskey, removePasskey, listPasskeys } = parts;
  const site = relyingParty(own.url);
  if (site === null) return;
  const timeout = CHALLENGE_MINUTES * 60_000;

  const begin = async ({ session, form }: OwnFormVisit): Promise<Answer> => {
    const [challenge, held] = await Promise.all([
      beginPasskey({ secret: secretOf(session) }),
      listPasskeys(session.account_id),
    ]);
    return show(
      (page) => {
        const email = page.email ?? '';
        const options = {
          creates: true,
          challenge,
          timeout,
          rp: { id: site.id, name: brandName(page) },
          user: { id: passkeyHandle(session.account_id, own.place), name: email, displayName: email },
          pubKeyCredParams: PASSKEY_ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
          excludeCredentials: held.map(({ id, transports }) => ({ type: 'public-key', id, transports })),
          authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        };
        const fields = { name: form.text('name').slice(0, LONGEST_PASSKEY_NAME) };
        return stepView(page, {
          title: page.m.passkeys.addTitle,
          action: '/security/passkeys/add',
          options,
          fields,
          back: '/security',
        });
      },
      200,
      '/security',
    );
  };
  paths.boundedForm('/security/passkeys', '/security', begin, { fresh: true });

  const add = async ({ session, form, permit }: OwnFormVisit): Promise<Answer> => {
    const added = await addPasskey(permit, {
      session,
      name: form.text('name'),
      json: form.text('response'),
      secret: secretOf(session),
      site,
    });
    return goTo(
      `/security?done=${added.ok ? 'passkeyAdded' : added.code === 'too_many_passkeys' ? 'passkeysFull' : 'passkeyFailed'}`,
    );
  };
  paths.ownForm('/security/passkeys/add', '/security', add, { fresh: true });

  paths.ownForm('/security/passkeys/remove', '/security', async ({ session, form, permit }) => {
    const removed = await removePasskey(permit, session.account_id, form.text('passkey'));
    return goTo(`/security?done=${removed ? 'passkeyRemoved' : 'passkeyGone'}`);
  });

  paths.openForm('/sign-in/passkey', async ({ sent, form }) => {
    const challenge = await beginPasskey({ secret: sent.form as string });
    const next = ownPath(form.text('next'), '/');
    const options = { challenge, timeout, rpId: site.id, userVerification: 'required' };
    return show(
      (page) =>
        stepView(page, {
          title: page.m.passkeys.signIn,
          action: '/sign-in/passkey/answer',
          options,
          fields: { next },
          back: signInAt(next),
        }),
      200,
      signInAt(next),
    );
  });

  paths.openForm('/sign-in/passkey/answer', async (visit) => {
    const next = ownPath(visit.form.text('next'), '/');
    const json = visit.form.text('response');
    const opened = await signInWithPasskey({ json, site, secret: visit.sent.form as string, ...senderOf(visit, own) });
    if (opened.ok) return signedIn(paths, visit, opened.value, next);
    const fault = faultOf(opened.code, opened);
    return faultAnswer(
      fault,
      (page) =>
        layout(page, {
          title: page.m.passkeys.signIn,
          narrow: true,
          body: html`<h1>${page.m.passkeys.failedTitle}</h1><p class="lead">${faultText(page.m, fault)}</p><p><a class="button main" href="${signInAt(next)}">${page.m.link.toSignIn}</a></p>`,
        }),
      signInAt(next),
    );
  });
};
