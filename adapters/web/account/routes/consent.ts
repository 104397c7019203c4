import type { Ability } from '../../../../domain/access/abilities.ts';
import { type Answer, show } from '../answer.ts';
import type { OwnFormVisit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { consentView, endedConsentView, leavingView, REQUIRED_PERMISSION } from '../views/consent.ts';

const ENDED = show(endedConsentView, 404, '/');

/** The permissions to grant: of those requested, the ticked and the required ones. */
export const permissionsLeft = (requested: readonly Ability[], ticked: readonly string[]): Ability[] =>
  requested.filter((permission) => permission === REQUIRED_PERMISSION || ticked.includes(permission));

/** The page on which a person authorizes an application. It is the provider's interaction page. */
export const addConsentPages = (paths: Paths): void => {
  const { consents } = paths.settings;
  if (consents === null) return;

  paths.own('/interaction/:uid', async ({ req, res }): Promise<Answer> => {
    const request = await consents.find(req, res);
    return request === null ? ENDED : show((page) => consentView(page, request));
  });

  const decide = async ({ req, res, session, form, permit }: OwnFormVisit): Promise<Answer> => {
    const request = await consents.find(req, res);
    if (request === null) return ENDED;
    const { account_id } = session;
    const permissions = permissionsLeft(request.permissions, form.all('permission'));
    const url =
      form.text('decision') === 'allow'
        ? await consents.approve(req, res, permit, { account_id, permissions })
        : await consents.deny(req, res, permit);
    return url === null ? ENDED : show((page) => leavingView(page, url), 200, '/');
  };
  paths.boundedForm('/interaction/:uid', '/', (visit) =>
    visit.form.text('decision') === 'allow' ? paths.fresh(visit.req.path, decide)(visit) : decide(visit),
  );
};
