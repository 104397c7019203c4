import { LONGEST_SENT_NAME } from '../../../../domain/devices/seat.ts';
import type { Refused } from '../../../../domain/shared/outcome.ts';
import { type Answer, goTo, show } from '../answer.ts';
import type { Form } from '../form.ts';
import type { OwnFormVisit } from '../guard.ts';
import type { Paths } from '../paths.ts';
import { faultAnswer, faultOf } from '../refused.ts';
import { clientName } from '../views/client-name.ts';
import { type DeviceFault, deviceCodeView, deviceConfirmView, deviceResultView } from '../views/device.ts';

/** The maximum length of a code to read. */
const LONGEST_CODE = 64;

/** The form for the code again, with the fault. */
const again = (code: string, refused: Refused<DeviceFault['code']>): Answer => {
  const fault = faultOf(refused.code, refused);
  return faultAnswer(fault, (page) => deviceCodeView(page, { code, fault }), '/device');
};

const codeIn = (form: Form): string => form.text('user_code').slice(0, LONGEST_CODE);
const codeAt = (code: string): string => `/device?user_code=${encodeURIComponent(code)}`;

/** The pages on which a person approves a device (RFC 8628, section 3.3). */
export const addDeviceSignInPages = (paths: Paths): void => {
  const { catalogs, findDeviceSignIn, findReplacedKey, decideDeviceSignIn } = paths.settings.parts;

  /** A link may contain the code, but the person must still submit the form (RFC 8628, section 5.4). */
  paths.own('/device', ({ query }) => {
    const code = (query.get('user_code') ?? '').slice(0, LONGEST_CODE);
    return show((page) => deviceCodeView(page, { code, fault: null }));
  });

  paths.ownForm('/device', '/device', async ({ session, form, address, locale }) => {
    const user_code = codeIn(form);
    const found = await findDeviceSignIn({ account_id: session.account_id, address: address(), user_code });
    if (!found.ok) return again(user_code, found);
    const { client_id } = found.value;
    const [replaced, { productsByBundleId }] = await Promise.all([
      findReplacedKey(session.account_id, client_id),
      catalogs.current(),
    ]);
    const client = clientName(client_id, productsByBundleId, locale);
    return show(
      (page) => deviceConfirmView(page, { code: user_code, client, signIn: found.value, replaced }),
      200,
      codeAt(user_code),
    );
  });

  const decide = async ({ session, form, permit, address }: OwnFormVisit): Promise<Answer> => {
    const user_code = codeIn(form);
    const name = form.text('device_name').trim().slice(0, LONGEST_SENT_NAME);
    const decision = form.text('decision') === 'approve' ? 'approve' : 'deny';
    const decided = await decideDeviceSignIn(permit, {
      account_id: session.account_id,
      address: address(),
      user_code,
      decision,
      device_name: name === '' ? null : name,
    });
    return decided.ok ? goTo(`/device/done?decision=${decision}`) : again(user_code, decided);
  };

  // Approving a device creates a key, so only an approval needs a recent proof of identity.
  paths.boundedForm('/device/decide', '/device', (visit) =>
    visit.form.text('decision') === 'approve' ? paths.fresh(codeAt(codeIn(visit.form)), decide)(visit) : decide(visit),
  );

  paths.own('/device/done', ({ query }) => show((page) => deviceResultView(page, query.get('decision') === 'approve')));
};
