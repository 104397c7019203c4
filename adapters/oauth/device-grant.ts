import type { IncomingMessage } from 'node:http';
import { errors, type TokenEndpointGrantContext } from 'oidc-provider';
import type { EndApiKey } from '../../application/access/api-keys.ts';
import type { Authenticate } from '../../application/access/authenticate.ts';
import type { RedeemDeviceSignIn, RedeemRefusal } from '../../application/sign-in/device-sign-in.ts';
import { actorOf, waitingDevice } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { keyOf } from '../../domain/access/principal.ts';
import { guarded } from './unavailable.ts';

type Ports = {
  readonly redeemDeviceSignIn: RedeemDeviceSignIn;
  readonly fault: (error: unknown) => void;
  readonly addressOf: (req: IncomingMessage) => string;
};

const REFUSED: Readonly<Record<RedeemRefusal, (message: string | undefined) => Error>> = {
  authorization_pending: () => new errors.AuthorizationPending(),
  slow_down: () => new errors.SlowDown(),
  access_denied: () => new errors.AccessDenied('the account owner denied the request'),
  expired_token: () => new errors.ExpiredToken('the device code is unknown, was used, or has expired'),
  key_limit_reached: (message) => new errors.AccessDenied(message ?? 'the account has no room for another key'),
};

/**
 * Answers the question of a device that waits (RFC 8628, section 3.5). The access token is a device key. The device's
 * approval in the browser is the gate, so that the permit for making the key is granted here.
 */
export const deviceGrant = ({ redeemDeviceSignIn, fault, addressOf }: Ports) => {
  const redeem = guarded(fault, (device_code: string, client_id: string, address: string) =>
    redeemDeviceSignIn(
      grantPermit(() => waitingDevice(client_id, address)),
      { device_code, client_id },
    ),
  );
  return async (ctx: TokenEndpointGrantContext<{ device_code?: string }>): Promise<void> => {
    const { params, client } = ctx.oidc;
    if (!params.device_code) throw new errors.InvalidRequest("missing required parameter 'device_code'");
    const redeemed = await redeem(params.device_code, client.clientId, addressOf(ctx.req));
    if (!redeemed.ok) throw REFUSED[redeemed.code](redeemed.message);
    const { key, value, replaced } = redeemed.value;
    ctx.body = {
      access_token: value,
      token_type: 'Bearer',
      scope: key.abilities.join(' '),
      device_id: key.device?.device_id,
      key_prefix: key.prefix,
      replaced_key_prefix: replaced?.prefix,
    };
  };
};

export type DeviceKeys = {
  readonly authenticate: Authenticate;
  readonly endApiKey: EndApiKey;
};

/**
 * Ends the key of a device sign-in that its own client revokes (RFC 7009), with the product keys that its bulk
 * activation made. The key's value is the gate, so that the permit is granted here. Any other value ends nothing.
 */
export const endDeviceKey = async (
  { authenticate, endApiKey }: DeviceKeys,
  { value, client_id, address }: { readonly value: string; readonly client_id: string; readonly address: string },
): Promise<void> => {
  const caller = await authenticate(value, true);
  const key = caller.ok ? keyOf(caller.value) : null;
  if (!caller.ok || key?.kind !== 'device' || key.client !== client_id) return;
  const by = () => actorOf(caller.value, 'token revocation', address);
  await endApiKey(grantPermit(by), key);
};
