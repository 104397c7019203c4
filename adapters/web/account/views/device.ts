import { html } from 'hono/html';
import { DEVICE_KEY_ABILITIES } from '../../../../domain/access/abilities.ts';
import type { ApiKey } from '../../../../domain/access/api-key.ts';
import { LONGEST_SENT_NAME } from '../../../../domain/devices/seat.ts';
import { type DeviceSignIn, plainUserCode, shownUserCode } from '../../../../domain/sign-in/device-sign-in.ts';
import { moment } from '../../shared/dates.ts';
import { facts, field, type Html, noticeBox } from '../../shared/pieces.ts';
import { SCRIPT_PATH } from '../assets/assets.ts';
import { type Fault, faultText } from '../refused.ts';
import { messageView } from './messages.ts';
import { csrfField, layout, type Page } from './page.ts';

export type DeviceFault = Fault<'unknown_user_code' | 'key_limit_reached' | 'too_many_attempts'>;

/** The form for the code that a device shows (RFC 8628, section 3.3). */
export const deviceCodeView = (page: Page, { code, fault }: { code: string; fault: DeviceFault | null }): Html => {
  const { device: m } = page.m;
  return layout(page, {
    title: m.title,
    narrow: true,
    body: html`<h1>${m.title}</h1>
<p class="lead">${m.lead}</p>
${noticeBox(fault === null ? null : { kind: 'fault', text: faultText(page.m, fault) })}
${fault?.code === 'key_limit_reached' ? html`<p><a class="button" href="/keys">${m.toKeys}</a></p>` : ''}
<form method="post" action="/device" class="stack">${csrfField(page)}
${field({ name: 'user_code', label: m.code, hint: m.codeHint, value: code, maxlength: 32, required: true, first: true, code: true })}
<button class="main wide">${m.submit}</button></form>
<p class="warning">${m.warning}</p>`,
  });
};

type DeviceQuestion = {
  readonly code: string;
  /** The name of the client application, in the language of the page. */
  readonly client: string;
  readonly signIn: Pick<DeviceSignIn, 'device' | 'created_at'>;
  /** The key that this device replaces; null if there is room. */
  readonly replaced: Pick<ApiKey, 'name' | 'device'> | null;
};

/** The proposed name: the device's own, else one made of its program and its id. */
const offeredName = ({ m }: Page, { client, signIn }: Pick<DeviceQuestion, 'client' | 'signIn'>): string => {
  const { name, device_id } = signIn.device;
  return [...(name ?? m.device.nameOffered(client, device_id))].slice(0, LONGEST_SENT_NAME).join('');
};

/** A typed code in the format that the device shows, so that the two can be compared. */
const shownCode = (typed: string): string => {
  const plain = plainUserCode(typed);
  return plain === undefined ? typed : shownUserCode(plain);
};

/** Asks whether to approve the device that showed the code. */
export const deviceConfirmView = (page: Page, { code, client, signIn, replaced }: DeviceQuestion): Html => {
  const { device: m, abilities } = page.m;
  return layout(page, {
    title: m.confirmTitle,
    narrow: true,
    script: SCRIPT_PATH,
    body: html`<h1>${m.confirmTitle}</h1>
<p class="warning">${m.warning}</p>
${replaced ? html`<p class="warning">${m.replaces(replaced.device?.name ?? replaced.name)}</p>` : ''}
${facts([
  [m.client, client],
  [m.deviceLabel, signIn.device.name ?? signIn.device.device_id],
  [m.code, html`<code>${shownCode(code)}</code>`],
  [m.started, moment(page, signIn.created_at)],
  [m.account, page.email],
])}
<form method="post" action="/device/decide" class="stack">${csrfField(page)}<input type="hidden" name="user_code" value="${code}">
${field({ name: 'device_name', label: m.name, hint: m.nameHint, value: offeredName(page, { client, signIn }), maxlength: LONGEST_SENT_NAME })}
<p>${m.grants}</p><ul class="points">${DEVICE_KEY_ABILITIES.map((ability) => html`<li>${abilities[ability]}</li>`)}</ul>
<div class="actions"><button class="main" name="decision" value="approve">${m.approve}</button><button name="decision" value="deny">${m.deny}</button></div>
</form>`,
  });
};

/** The result of an approval or a denial. */
export const deviceResultView = (page: Page, approved: boolean): Html => {
  const { device: m, library } = page.m;
  return messageView(page, {
    title: approved ? m.approvedTitle : m.deniedTitle,
    text: approved ? m.approvedText : m.deniedText,
    more: html`<p><a class="button" href="${approved ? '/devices' : '/library'}">${approved ? library.manageDevices : m.toLibrary}</a></p>`,
  });
};
