import { html } from 'hono/html';
import { PLATFORMS, type Platform } from '../../../../domain/catalog/platform.ts';
import { CHANNELS } from '../../../../domain/delivery/channel.ts';
import { feedReadersOf } from '../../../../domain/delivery/feed-access.ts';
import type { Release, ReleaseState } from '../../../../domain/delivery/release.ts';
import { inLocale } from '../../../../domain/shared/locale.ts';
import { type Outcome, ok, refuse } from '../../../../domain/shared/outcome.ts';
import { sizeText } from '../../../../domain/shared/wording.ts';
import type { AnswerIn } from '../../../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../../../ports/inbound/refusals.ts';
import {
  changeRelease,
  describeProduct,
  listProductReleases,
  listShopProducts,
  publishRelease,
  signReleaseUpload,
  uploadReleaseFile,
} from '../../../../ports/inbound/shop/products.ts';
import { jsonReply, refusalReply } from '../../../host/reply.ts';
import { policyOf } from '../../account/headers.ts';
import { day, moment } from '../../shared/dates.ts';
import { facts, type Html } from '../../shared/pieces.ts';
import { UPLOAD_SCRIPT_PATH } from '../assets/assets.ts';
import { fieldsOf } from '../fields.ts';
import { releases as en } from '../messages/en/releases.ts';
import { releases as ko } from '../messages/ko/releases.ts';
import { type ConsoleAnswer, type ConsolePage, inBoth, show } from '../page.ts';
import { blocked, type ConsolePaths, done, type MemberFormVisit, type MemberVisit, refused } from '../paths.ts';
import { dangerForm, form, type Kit } from '../views/form.ts';
import { layout } from '../views/layout.ts';
import { badge, figures, folded, list, section } from '../views/pieces.ts';
import { NO_FILE, productName, storedProduct, textLocales } from './products.ts';

const words = inBoth({ en, ko });

type Described = AnswerIn<typeof describeProduct>;
type Offers = AnswerIn<typeof changeRelease>['offered'];
type Listed = Release & { readonly state: ReleaseState };

/** The answer's release, which is the stored record. */
const storedRelease = (release: object): Listed => release as Listed;

const PLATFORM_NAMES: Readonly<Record<Platform, string>> = {
  'darwin-arm64': 'macOS (Apple silicon)',
  'darwin-amd64': 'macOS (Intel)',
  'linux-arm64': 'Linux (ARM)',
  'linux-amd64': 'Linux (x86-64)',
  'windows-arm64': 'Windows (ARM)',
  'windows-amd64': 'Windows (x86-64)',
};

const platformText = (page: ConsolePage, platform: string | null): string =>
  platform === null ? words(page).anywhere : (PLATFORM_NAMES[platform as Platform] ?? platform);

const stateBadge = (page: ConsolePage, { state }: Listed): Html =>
  badge(words(page).states[state], ({ offered: 'good', scheduled: 'due', withdrawn: 'bad' } as const)[state]);

/** The newest version of each channel that has one. */
const offers = (page: ConsolePage, newest: Described['newest']): Html => {
  const m = words(page);
  return figures(
    CHANNELS.flatMap((channel) =>
      channel === 'stable' || newest[channel] !== null
        ? [{ label: `${m.offers}: ${m.channels[channel]}`, value: newest[channel] ?? m.nothing }]
        : [],
    ),
  );
};

const publishView = (page: ConsolePage, described: Described, signs: boolean): Html => {
  const m = words(page);
  const product = storedProduct(described);
  const { id } = product;
  const action = `/releases/${id}/new/publish`;
  const hasFeed = feedReadersOf(product) !== null;
  const build = (kit: Kit): Html =>
    kit.text({ name: 'build', label: m.build, hint: m.buildHint, maxlength: 64, required: hasFeed });
  return layout(page, {
    title: m.publishOf(productName(page, product)),
    section: 'releases',
    up: { href: `/releases/${id}`, text: m.of(productName(page, product)) },
    script: UPLOAD_SCRIPT_PATH,
    body: form(
      page,
      {
        action,
        submit: m.publish,
        kind: 'main',
        takesFile: true,
        signedBy: signs ? `/releases/${id}/new/sign` : undefined,
      },
      (kit) => html`
${kit.file({ label: m.file, hint: m.fileHint(sizeText(page.language, uploadReleaseFile.files.file.maxBytes)), required: true })}
${kit.text({ name: 'version', label: m.version, hint: m.versionHint, maxlength: 64, required: true })}${hasFeed ? build(kit) : ''}
${kit.select({ name: 'channel', label: m.channel, hint: m.channelHint, options: CHANNELS.map((one) => [one, m.channels[one]]) })}
${kit.select({ name: 'platform', label: m.platform, hint: m.platformHint, options: [['', m.anywhere], ...PLATFORMS.map((one) => [one, PLATFORM_NAMES[one]] as const)] })}
${textLocales(page).map((one) => kit.area({ name: `notes_${one}`, label: m.notesIn[one], hint: m.notesHint, maxlength: 20_000 }))}
${folded(
  m.later,
  kit.text({ name: 'released_at', label: m.laterAt, hint: m.laterHint, maxlength: 40 }),
  kit.value('released_at') !== '',
)}
${folded(
  m.more,
  html`${hasFeed ? '' : build(kit)}
${kit.number({ name: 'sparkle.phased_rollout_interval', label: m.rollout, hint: m.rolloutHint, min: 1 })}
${kit.text({ name: 'sparkle.minimum_system_version', label: m.minimum, maxlength: 20 })}
${kit.one({ name: 'critical', label: m.critical, value: 'true', checked: false })}
${kit.text({ name: 'updater_signature', label: m.tauri, hint: m.tauriHint, maxlength: 2000 })}`,
)}`,
    ),
  });
};

const listView = (
  page: ConsolePage,
  described: Described,
  { data, next_after }: AnswerIn<typeof listProductReleases>,
): Html => {
  const m = words(page);
  const product = storedProduct(described);
  const add = { href: `/releases/${product.id}/new`, text: m.publish };
  return layout(page, {
    title: m.of(productName(page, product)),
    section: 'releases',
    up: { href: '/releases', text: m.title },
    actions: html`<a class="button main" href="${add.href}">${add.text}</a>`,
    body: html`${data.length === 0 ? '' : offers(page, described.newest)}
${list(page, {
  caption: m.title,
  columns: [m.version, m.state, m.channel, m.day, m.files],
  rows: data.map(storedRelease).map((release) => ({
    href: `/releases/${product.id}/${encodeURIComponent(release.version)}`,
    cells: [
      release.version,
      stateBadge(page, release),
      m.channels[release.channel],
      day(page, release.released_at),
      release.artifacts.map(({ platform }) => platformText(page, platform)).join(', '),
    ],
  })),
  empty: { title: m.empty, text: m.emptyText, next: add },
  next: next_after,
})}`,
  });
};

const offersText = (page: ConsolePage, offered: Offers): string => {
  const versions = [...new Set(offered.map(({ version }) => version ?? words(page).nothing))];
  return versions.length === 1
    ? (versions[0] ?? '')
    : offered
        .map(({ platform, version }) => `${platformText(page, platform)} ${version ?? words(page).nothing}`)
        .join(', ');
};

type Shown = { readonly described: Described; readonly release: Listed; readonly then: Offers | null };

const releaseView = (page: ConsolePage, { described, release, then }: Shown): Html => {
  const m = words(page);
  const product = storedProduct(described);
  const { version, channel, released_at, artifacts, withdrawn } = release;
  const to = (word: string): string => `/releases/${product.id}/${encodeURIComponent(version)}/${word}`;
  const notes = inLocale({ en: release.notes_en ?? undefined, ko: release.notes_ko ?? undefined }, page.locale);
  return layout(page, {
    title: `${productName(page, product)} ${version}`,
    section: 'releases',
    up: { href: `/releases/${product.id}`, text: m.of(productName(page, product)) },
    badge: stateBadge(page, release),
    body: html`${withdrawn ? html`<p class="notice">${m.withdrawnFor(withdrawn.reason)}</p>` : ''}
${section(
  m.files,
  html`${facts([
    [m.channel, m.channels[channel]],
    [m.day, moment(page, released_at)],
  ])}<ul class="todo">${artifacts.map(
    ({ platform, filename, size, sha256, signature }) =>
      html`<li><strong>${platformText(page, platform)}</strong> ${filename} <small>${sizeText(page.language, size)}${signature === null ? '' : `, ${m.signed}`}</small><br><code class="id">${sha256}</code></li>`,
  )}</ul>`,
)}
${notes === undefined ? '' : section(m.notes, html`<p class="answer">${notes}</p>`)}
${
  withdrawn
    ? form(page, { action: to('restore'), submit: m.restore })
    : html`${section(
        m.moveTitle,
        form(page, { action: to('move'), submit: m.move }, (kit) =>
          kit.select({
            name: 'channel',
            label: m.channel,
            hint: m.channelHint,
            value: channel,
            options: CHANNELS.map((one) => [one, m.channels[one]]),
          }),
        ),
      )}
${dangerForm(
  page,
  {
    action: to('withdraw'),
    label: m.withdraw,
    submit: m.withdraw,
    question: `${m.withdrawText}${then ? ` ${m.withdrawOffers(offersText(page, then))}` : ''}`,
  },
  (kit) => kit.text({ name: 'reason', label: m.reason, maxlength: 255, required: true }),
)}`
}`,
  });
};

/** The pages of the releases: what each channel offers, a new version, and a version's channel and withdrawal. */
export const addReleasePages = (paths: ConsolePaths): void => {
  const { ask } = paths;
  paths.section('releases', [listShopProducts]);
  const named = ({ req }: MemberVisit): string => String(req.params['product']);
  const describe = (visit: MemberVisit) => ask(visit, describeProduct, { params: { named: named(visit) } });

  paths.page('/releases', [listShopProducts], async (visit) => {
    const found = await ask(visit, listShopProducts, { query: { after: visit.query.get('after'), limit: 50 } });
    if (!found.ok) return blocked(found);
    return show((page) => {
      const m = words(page);
      return layout(page, {
        title: m.title,
        section: 'releases',
        body: list(page, {
          caption: m.title,
          columns: [m.product, ...CHANNELS.map((channel) => m.channels[channel])],
          rows: found.value.data.map(({ newest, ...listed }) => {
            const product = storedProduct(listed);
            const cells = [productName(page, product), ...CHANNELS.map((channel) => newest[channel] ?? '')];
            return { href: `/releases/${product.id}`, cells };
          }),
          empty: { title: m.none, text: m.noneText, next: { href: '/products/new', text: m.addProduct } },
          next: found.value.next_after,
        }),
      });
    });
  });

  paths.page('/releases/:product', [listProductReleases], async (visit) => {
    const query = { after: visit.query.get('after'), limit: 20 };
    const [described, listed] = await Promise.all([
      describe(visit),
      ask(visit, listProductReleases, { params: { named: named(visit) }, query }),
    ]);
    if (!described.ok) return blocked(described);
    if (!listed.ok) return blocked(listed);
    return show((page) => listView(page, described.value, listed.value));
  });

  const { parts, uploads } = paths.gate.settings;
  const publishAnswer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const described = await describe(visit);
    if (!described.ok) return blocked(described);
    if (uploads !== 'directly') return show((page) => publishView(page, described.value, false));
    // Signing any file tells where the object store takes files.
    const signed = await ask(visit, signReleaseUpload, { body: { sha256: '0'.repeat(64), size: 1 } });
    if (!signed.ok) return blocked(signed);
    const { storefront } = await parts.catalogs.current();
    const { upload } = signed.value;
    const policy = policyOf(
      { storefront, disclosure: null },
      `'self'${upload ? ` ${new URL(upload.url).origin}` : ''}`,
    );
    const headers = { 'content-security-policy': policy };
    return { ...show((page) => publishView(page, described.value, true)), headers };
  };
  paths.page('/releases/:product/new', [publishRelease], publishAnswer);

  paths.form('/releases/:product/new/sign', {}, async (visit) => {
    const signed = await ask(visit, signReleaseUpload, { body: fieldsOf(visit.form, signReleaseUpload) });
    return { reply: signed.ok ? jsonReply(200, signed.value) : refusalReply(signed) };
  });

  paths.form('/releases/:product/new/publish', { takesFile: uploadReleaseFile }, async (visit) => {
    const { form: sent } = visit;
    const m = words(visit);
    const { file } = sent;
    const isUploaded = sent.has('sha256');
    if (!file?.size && !isUploaded) return refused(visit, NO_FILE, await publishAnswer(visit));
    const fields = fieldsOf(sent, publishRelease);
    const kept = isUploaded
      ? ok({ sha256: sent.text('sha256'), filename: sent.text('filename') })
      : await ask(visit, uploadReleaseFile, { body: {}, files: { file } });
    if (!kept.ok) return refused(visit, kept, await publishAnswer(visit));
    const critical = sent.all('critical').includes('true') && { critical: {} };
    const { sha256, filename } = kept.value;
    const body = { ...fields, sha256, filename, sparkle: { ...(fields['sparkle'] as object), ...critical } };
    const published = await ask(visit, publishRelease, { params: { named: named(visit) }, body: body as never });
    if (!published.ok) return refused(visit, published, await publishAnswer(visit));
    const { release, result, behind } = published.value;
    const text =
      result === 'unchanged'
        ? m.unchanged
        : behind.length > 0
          ? m.behind(behind.map(({ platform }) => PLATFORM_NAMES[platform as Platform] ?? platform).join(', '))
          : m.published;
    return done(visit, `/releases/${named(visit)}/${encodeURIComponent(release.version)}`, text);
  });

  /** The release of the path. A list has them newest first, in pages. */
  const findRelease = async (visit: MemberVisit): Promise<Outcome<Listed, RefusalCode>> => {
    const version = String(visit.req.params['version']);
    for (let after: string | null = null; ; ) {
      const query: { readonly after: string | null; readonly limit: number } = { after, limit: 100 };
      const listed: Outcome<AnswerIn<typeof listProductReleases>, RefusalCode> = await ask(visit, listProductReleases, {
        params: { named: named(visit) },
        query,
      });
      if (!listed.ok) return listed;
      const found = listed.value.data.find((one) => one.version === version);
      if (found) return ok(storedRelease(found));
      after = listed.value.next_after;
      if (after === null) return refuse('shop_not_found');
    }
  };

  type Change = { readonly kind: string };
  const changing = (visit: MemberVisit, change: Change, trial: boolean) =>
    ask(visit, changeRelease, {
      params: { named: named(visit), version: String(visit.req.params['version']) },
      body: { change, trial } as never,
    });

  const releaseAnswer = async (visit: MemberVisit): Promise<ConsoleAnswer> => {
    const [described, release] = await Promise.all([describe(visit), findRelease(visit)]);
    if (!described.ok) return blocked(described);
    if (!release.ok) return blocked(release);
    const trial = release.value.withdrawn
      ? null
      : await changing(visit, { kind: 'withdraw', reason: '-' } as Change, true);
    const then = trial?.ok ? trial.value.offered : null;
    return show((page) => releaseView(page, { described: described.value, release: release.value, then }));
  };
  paths.page('/releases/:product/:version', [listProductReleases], releaseAnswer);

  const taking = (word: string, change: (visit: MemberFormVisit) => Change, text: 'moved' | 'restored' | 'withdrawn') =>
    paths.form(`/releases/:product/:version/${word}`, { fresh: word === 'withdraw' }, async (visit) => {
      const changed = await changing(visit, change(visit), false);
      if (!changed.ok) return refused(visit, changed, await releaseAnswer(visit));
      const path = `/releases/${named(visit)}/${encodeURIComponent(changed.value.release.version)}`;
      return done(visit, path, words(visit)[text]);
    });
  taking('move', ({ form: sent }) => ({ kind: 'move', channel: sent.text('channel') }) as Change, 'moved');
  taking('withdraw', ({ form: sent }) => ({ kind: 'withdraw', reason: sent.text('reason') }) as Change, 'withdrawn');
  taking('restore', () => ({ kind: 'restore' }), 'restored');
};
