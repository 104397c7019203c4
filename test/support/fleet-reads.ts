import { ABILITIES } from '../../domain/access/abilities.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { ENDPOINTS } from '../../ports/inbound/endpoints.ts';
import { aKey } from '../surface/buyers.ts';
import { OTHER } from '../surface/shop.ts';
import { type Ask, ask } from '../tools/costs/ask.ts';
import { type aFleet, idOf } from './fleet.ts';

type Input = Pick<Ask, 'endpoint' | 'body'>;

const check = (device_id: string): Input => ({
  endpoint: ENDPOINTS.checkLicense,
  body: { product_id: OTHER, device_id },
});

/** The requests that depend on the devices of an account. A device of the fleet sends each. */
export const INPUTS: Readonly<Record<string, Input>> = {
  'the license': { endpoint: ENDPOINTS.getProductLicense },
  'the library': { endpoint: ENDPOINTS.getLibrary },
  'the entitlements of a device': { endpoint: ENDPOINTS.getDeviceEntitlements },
  'a check of a known device': check(idOf(1)),
  'a check of a new device': check('a-new-device'),
  'the revocation of a device': { endpoint: ENDPOINTS.revokeLicenseDevice },
  'the sign-out of a device': { endpoint: ENDPOINTS.logoutDevice },
};

type Fleet = Awaited<ReturnType<typeof aFleet>>;

/** The read units of one request, with a key of its own. */
export const unitsOf = async ({ service, account, measure }: Fleet, input: Input): Promise<number> => {
  const isBound = input.endpoint === ENDPOINTS.revokeLicenseDevice;
  const { value, key } = await aKey(service, account, {
    abilities: ABILITIES,
    device: { device_id: idOf(2) },
    ...(isBound && { product_id: OTHER }),
  });
  const { units } = await measure(() => ask(service, { product: OTHER, ...input, key: value }));
  await service.get('endApiKey')(grantPermit(), key);
  return units;
};
