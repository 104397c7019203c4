import { aServer } from '../../../sign-in/a-server.ts';
import { freePort } from '../../../support/free-port.ts';
import { anOpenidUpstream, CLIENT } from '../../../support/openid-upstream.ts';

/** The name on the button. */
export const SHOP = 'Quiet Desk';

/** The service with its shop's own provider, which signs `person.is` in, and declines if it is null. */
export const aShopProvider = async () => {
  const port = await freePort();
  const running = await aServer({
    UPSTREAM_ISSUER: `http://127.0.0.1:${port}`,
    UPSTREAM_CLIENT_ID: CLIENT.id,
    UPSTREAM_CLIENT_SECRET: CLIENT.secret,
    UPSTREAM_NAME: SHOP,
  });
  const { person } = await anOpenidUpstream(port, `${running.urls.account}/sign-in/callback`);
  return { running, person };
};
