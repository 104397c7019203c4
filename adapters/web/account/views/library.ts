import { html } from 'hono/html';
import type { Purchase } from '../../../../application/sign-in/list-purchases.ts';
import type { Platform } from '../../../../domain/catalog/platform.ts';
import type { Channel } from '../../../../domain/delivery/channel.ts';
import type { Instant } from '../../../../domain/shared/instant.ts';
import { dayText, sizeText } from '../../shared/dates.ts';
import { checkbox, emptyBox, facts, flag, type Html, type Notice, noticeBox, unseen } from '../../shared/pieces.ts';
import { csrfField, layout, type Page } from './page.ts';

export type LibraryModel = {
  readonly purchases: readonly Purchase[];
  readonly now: Instant;
  /** The product whose setup steps were just saved. */
  readonly saved: number | null;
  readonly notice: Notice | null;
};

const licenseText = (page: Page, license: Purchase['license']): Html | string => {
  const { library: m } = page.m;
  if (license.state !== 'active') return license.state === 'ended' ? m.endedText : m.revokedText;
  const end = license.access_expires_at;
  if (end === null) return license.source === 'subscription' ? m.whileSubscribed : m.forever;
  return m.until(dayText(page.locale, end));
};

const updatesText = (page: Page, license: Purchase['license'], now: Instant): string | null => {
  const { library: m } = page.m;
  if (license.state !== 'active') return null;
  const end = license.updates_supported_until;
  // A subscription without an end of its updates says all by its license.
  if (end === null) return license.source === 'subscription' ? null : m.updatesForever;
  const text = dayText(page.locale, end);
  return end > now ? m.updatesUntil(text) : m.updatesEnded(text);
};

const versionText = (page: Page, { release, devices, uncovered_version: newer }: Purchase): Html | string | null => {
  const { library: m } = page.m;
  // A product that has ended, or only stands for a bundle, has no devices and no files.
  if (release === null && newer === null) return devices === null ? null : m.noFile;
  const note = newer === null ? '' : html`<small>${m.newerExists(newer)}</small>`;
  if (release === null) return html`${note}`;
  const released = dayText(page.locale, release.released_at);
  return html`${m.versionText(release.version, released)}${prerelease(page.m, release.channel)}${note}`;
};

const prerelease = ({ library: m }: Page['m'], channel: Channel): Html | '' =>
  channel === 'stable' ? '' : html` <span class="tag">${m.prerelease(channel)}</span>`;

const downloadLabel = ({ library: m, platforms }: Page['m'], platform: Platform | null, isOnly: boolean): string => {
  if (platform !== null) return m.downloadFor(platforms[platform]);
  return isOnly ? m.download : m.downloadForOthers;
};

const downloads = (page: Page, { id, name, files }: Purchase): Html | '' => {
  const { library: m } = page.m;
  if (files.length === 0) return '';
  const links = files.map(({ release_id, version, channel, platform, size }) => {
    const query = `product=${id}&release=${release_id}${platform === null ? '' : `&platform=${platform}`}`;
    const label = downloadLabel(page.m, platform, files.length === 1);
    return html`<li><a class="button" href="/library/download?${query}">${label}${unseen(name)}</a>
<small>${version} · ${sizeText(page.locale, size)}${prerelease(page.m, channel)}</small></li>`;
  });
  const notes = new Map(files.flatMap((file) => (file.notes === null ? [] : [[file.version, file.notes] as const])));
  const sums = files.map(({ filename, sha256 }) => [filename, html`<code>${sha256}</code>`] as const);
  return html`<ul class="actions files">${links}</ul>
${[...notes].map(
  ([version, text]) =>
    html`<details class="more"><summary>${m.notes(version)}${unseen(name)}</summary><p class="answer">${text}</p></details>`,
)}
<details class="more"><summary>${m.sums}${unseen(name)}</summary>${facts(sums)}</details>`;
};

const setupForm = (page: Page, { id, name, setup }: Purchase, isSaved: boolean): Html | '' => {
  const { library: m } = page.m;
  if (setup === null) return '';
  const done = new Set(setup.completed_step_indexes);
  const steps = setup.steps.map((label, index) =>
    checkbox({ name: 'step', value: String(index), label, checked: done.has(index) }),
  );
  return html`<details class="more" id="setup-${id}"${flag('open', isSaved)}><summary>${m.setup(setup.completed_count, setup.total_count)}${unseen(name)}</summary>
${noticeBox(isSaved ? { kind: 'done', text: m.setupSaved } : null)}
<form method="post" action="/library/setup" class="stack">${csrfField(page)}<input type="hidden" name="product" value="${id}">
<fieldset><legend class="unseen">${m.setupSteps(name)}</legend>${steps}</fieldset>
<button>${m.setupSave}</button></form></details>`;
};

const licenseKeyForm = (page: Page, { id, name, license_keys }: Purchase): Html | '' => {
  const { library: m } = page.m;
  if (license_keys === null) return '';
  const [kind, label, text, button] =
    license_keys.length > 0
      ? ['confirm', m.renewLicenseKey, m.renewLicenseKeyText, 'danger']
      : ['more', m.makeLicenseKey, m.makeLicenseKeyText, 'main'];
  return html`<details class="${kind}"><summary>${label}${unseen(name)}</summary>
<form method="post" action="/library/license-key">${csrfField(page)}<input type="hidden" name="product" value="${id}"><p>${text}</p><button class="${button}">${m.licenseKeyButton}</button></form></details>`;
};

const BADGES = { active: 'good', ended: 'past', revoked: 'past' } as const;

const purchaseCard = (page: Page, purchase: Purchase, { now, saved }: LibraryModel): Html => {
  const { library: m } = page.m;
  const { id, name, type_label, description, license, devices, installed, license_keys } = purchase;
  const used =
    devices === null
      ? null
      : html`${m.devicesUsed(devices.used, devices.limit)} <a class="inline" href="/devices?product=${id}">${m.manageDevices}${unseen(name)}</a>`;
  return html`<li class="card">
<div class="head"><h2>${name}</h2><span class="badge ${BADGES[license.state]}">${m[license.state]}</span></div>
<p class="kind">${type_label}${license.state === 'active' ? ` · ${m.source[license.source]}` : ''}</p>
${description === null ? '' : html`<p class="about">${description}</p>`}
${facts([
  [m.license, licenseText(page, license)],
  [m.updates, updatesText(page, license, now)],
  [m.version, versionText(page, purchase)],
  [m.installed, installed && m.installedText(installed.version, dayText(page.locale, installed.installed_at))],
  [m.devices, used],
  [m.licenseKey, license_keys && (license_keys.map(({ prefix }) => `${prefix}…`).join(', ') || m.noLicenseKey)],
])}
${downloads(page, purchase)}
${setupForm(page, purchase, saved === id)}
${licenseKeyForm(page, purchase)}
</li>`;
};

/** The products of an account, with their licenses and files. */
export const libraryView = (page: Page, model: LibraryModel): Html => {
  const { purchases, notice } = model;
  const { library: m } = page.m;
  return layout(page, {
    title: m.title,
    section: 'library',
    body: html`<h1>${m.title}</h1>
${noticeBox(notice)}
${purchases.length === 0 ? emptyBox(m.empty, m.emptyText) : html`<ul class="cards">${purchases.map((one) => purchaseCard(page, one, model))}</ul>`}`,
  });
};
