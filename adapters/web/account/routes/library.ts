import { principalOfSession } from '../../../../domain/access/principal.ts';
import { goTo, show } from '../answer.ts';
import { ownPlatformsFirst } from '../browser-name.ts';
import { idIn } from '../form.ts';
import type { Paths } from '../paths.ts';
import { newKeyView } from '../views/keys.ts';
import { libraryView } from '../views/library.ts';
import { notFoundView } from '../views/messages.ts';
import { noticeIn } from './notices.ts';

/** Refusals that say that the license covers nothing like it, rather than that there is no such product. */
const NOT_COVERED = ['install_not_available', 'version_update_window_expired'];

/** The products of the account, and the downloads of their files. */
export const addLibraryPages = (paths: Paths): void => {
  const { listPurchases, makeLicenseKey, askInstallPlan, saveSetup, clock } = paths.settings.parts;

  paths.own('/library', async ({ req, session, locale, query }) => {
    const listed = await listPurchases({ accountId: session.account_id, locale });
    const first = ownPlatformsFirst(req.headers['user-agent']);
    const purchases = listed.map((one) => ({ ...one, files: one.files.toSorted(first) }));
    const saved = idIn(query.get('saved'));
    const notice = noticeIn(query, {
      faults: ({ library: { unavailable, setupChanged } }) => ({ unavailable, setupChanged }),
    });
    return show((page) => libraryView(page, { purchases, now: clock.now(), saved, notice: notice(page.m) }));
  });

  paths.own('/library/download', async ({ session, address, rate, query }) => {
    const wish = (name: string): string | undefined => query.get(name) ?? undefined;
    const plan = await askInstallPlan(
      { principal: principalOfSession(session), address, rate },
      { product: wish('product'), platform: wish('platform'), release: wish('release') },
    );
    if (plan.ok) return goTo(plan.value.download_url);
    if (NOT_COVERED.includes(plan.code)) return goTo('/library?done=unavailable');
    return show(notFoundView, 404, '/library');
  });

  paths.boundedForm('/library/license-key', '/library', async ({ session, form, permit }) => {
    const made = await makeLicenseKey(permit, { account_id: session.account_id, product_id: form.id('product') ?? 0 });
    const value = made.ok ? made.value.value : null;
    if (value === null) return show(notFoundView, 404, '/library');
    const shown = { value, section: 'library' } as const;
    return show((page) => newKeyView(page, { name: page.m.library.licenseKey, ...shown }), 201, '/library');
  });

  paths.ownForm('/library/setup', '/library', async ({ session, address, rate, form }) => {
    const product = String(form.id('product'));
    const asking = { principal: principalOfSession(session), address, rate };
    const saved = await saveSetup(asking, product, form.all('step').map(Number));
    if (saved.ok) return goTo(`/library?saved=${product}#setup-${product}`);
    return saved.code === 'validation_failed'
      ? goTo('/library?done=setupChanged')
      : show(notFoundView, 404, '/library');
  });
};
