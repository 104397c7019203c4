import * as openid from 'openid-client';

/** The command-line client on a device that has begun its sign-in (RFC 8628) at this account host. */
export const aDeviceClient = async (account: string, device_id: string) => {
  const config = await openid.discovery(new URL(account), 'cli', undefined, openid.None(), {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  });
  const codes = await openid.initiateDeviceAuthorization(config, { device_id });
  return {
    codes,
    /** Polls for the key as often as allowed, until its owner has decided. */
    poll: () => openid.pollDeviceAuthorizationGrant(config, codes),
  };
};
