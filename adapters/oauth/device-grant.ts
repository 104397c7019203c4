import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors, type TokenEndpointGrantContext } from 'oidc-provider';
import type { EndApiKey } from '../../application/access/api-keys.ts';
import type { Authenticate } from '../../application/access/authenticate.ts';
import type { RedeemDeviceSignIn, RedeemRefusal, StartDeviceSignIn } from '../../application/sign-in/device-sign-in.ts';
import { actorOf, waitingDevice } from '../../domain/access/actor.ts';
import { grantPermit } from '../../domain/access/grant-permit.ts';
import { keyOf } from '../../domain/access/principal.ts';
import { deviceIdOf, LONGEST_DEVICE_ID, LONGEST_SENT_NAME } from '../../domain/devices/seat.ts';
import { isBlank, isLine } from '../../domain/shared/plain-text.ts';
import { guarded, type OAuthError } from './answers.ts';

export type DevicePorts = {
  readonly startDeviceSignIn: StartDeviceSignIn;
  /** The URL of the account host, without a trailing slash. */
  readonly issuer: string;
};

export type DeviceAnswer = { readonly status: number; readonly body: object };

const MAX_BODY = 4096;

const refusal = (status: number, error: string, error_description: string): DeviceAnswer => ({
  status,
  body: { error, error_description } satisfies OAuthError,
});

const invalid = (description: string): DeviceAnswer => refusal(400, 'invalid_request', description);

/** The text of a form; undefined if the body is not a form or exceeds 4 KB. */
const formText = async (req: IncomingMessage): Promise<string | undefined> => {
  const [type = ''] = (req.headers['content-type'] ?? '').split(';', 1);
  if (type.trim().toLowerCase() !== 'application/x-www-form-urlencoded') return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of req.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > MAX_BODY) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('latin1');
};

/** A run of percent-encoded bytes, or of bytes above ASCII. */
const ENCODED = /(?:%[\da-f]{2}|[\x80-\xff])+/gi;

/** The parameters of a form; null if some are not UTF-8, which `URLSearchParams` would replace silently. */
const formOf = (text: string): URLSearchParams | null => {
  const percents = (run: string) => run.replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  const encoded = text.replace(ENCODED, percents);
  try {
    for (const [run] of encoded.matchAll(ENCODED)) decodeURIComponent(run);
  } catch {
    return null;
  }
  return new URLSearchParams(encoded);
};

const isPlain = (text: string, most: number): boolean => text.length > 0 && text.length <= most && isLine(text);

/**
 * Starts the sign-in of a device (RFC 8628, section 3.1). `device_id` and `device_name` are extensions: the client's
 * own id of the device, generated if it is missing, and the name that people see. A scope is ignored, because every
 * device gets the same abilities.
 */
export const authorizeDevice = async (
  { startDeviceSignIn, issuer }: DevicePorts,
  req: IncomingMessage,
  address: string,
): Promise<DeviceAnswer> => {
  const text = await formText(req);
  if (text === undefined) return invalid('The body has to be a form of at most 4 KB.');
  const form = formOf(text);
  if (form === null) return invalid('The body has to be a form of UTF-8 text.');
  if (new Set(form.keys()).size !== form.size) return invalid('No parameter may appear twice.');
  const client_id = form.get('client_id') ?? '';
  if (client_id === '') return invalid("missing required parameter 'client_id'");
  const named = form.get('device_id') ?? '';
  const device_id = deviceIdOf(isBlank(named) ? randomUUID() : named);
  const device_name = form.get('device_name') || null;
  if (device_id === null) return invalid(`device_id has at most ${LONGEST_DEVICE_ID} plain characters.`);
  if (device_name !== null && !isPlain(device_name, LONGEST_SENT_NAME)) {
    return invalid(`device_name has at most ${LONGEST_SENT_NAME} plain characters.`);
  }
  const started = await startDeviceSignIn({ client_id, device_id, device_name, address });
  if (!started.ok) {
    return started.code === 'unknown_client'
      ? refusal(401, 'invalid_client', 'This client may not sign in devices.')
      : refusal(429, 'temporarily_unavailable', 'Too many sign-ins were started. Wait a while.');
  }
  const { device_code, user_code, expires_in, interval } = started.value;
  const verification_uri = `${issuer}/device`;
  const verification_uri_complete = `${verification_uri}?user_code=${encodeURIComponent(user_code)}`;
  return {
    status: 200,
    body: { device_code, user_code, verification_uri, verification_uri_complete, expires_in, interval },
  };
};

const REFUSED: Readonly<Record<RedeemRefusal, (message: string | undefined) => Error>> = {
  authorization_pending: () => new errors.AuthorizationPending(),
  slow_down: () => new errors.SlowDown(),
  access_denied: () => new errors.AccessDenied('the account owner denied the request'),
  expired_token: () => new errors.ExpiredToken('the device code is unknown, was used, or has expired'),
  key_limit_reached: (message) => new errors.AccessDenied(message ?? 'the account has no room for another key'),
};

/**
 * Answers the poll of a waiting device (RFC 8628, section 3.5). The access token is a device key. The device's approval
 * in the browser is the guard, so the permit to create the key is granted here.
 */
export const deviceGrant = ({
  redeemDeviceSignIn,
  fault,
  addressOf,
}: {
  readonly redeemDeviceSignIn: RedeemDeviceSignIn;
  readonly fault: (error: unknown) => void;
  readonly addressOf: (req: IncomingMessage) => string;
}) => {
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
 * Ends the key of a device sign-in when its own client revokes it (RFC 7009), and the product keys that its bulk
 * activation created. Possession of the key is the guard, so the permit is granted here. Any other value ends nothing.
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
