import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import { CONFLICT, untilWritten } from '../../application/shared/contended.ts';
import type { EndUnusedApps } from '../../application/sign-in/end-unused-apps.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { addDays, hasPassed } from '../../domain/shared/instant.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { ConnectedApp } from '../../domain/sign-in/connected-app.ts';
import type { ConsentRequest } from '../../domain/sign-in/consent.ts';
import { CLIENT_DAYS } from '../../domain/sign-in/oauth-grant.ts';
import { permissionsIn } from '../../domain/sign-in/sign-in-token.ts';
import { isDocument } from './client-metadata.ts';
import type { Consents } from './consent-seam.ts';
import { type AdapterPorts, nameOf } from './provider-adapter.ts';
import { redirectHost, redirectKind } from './redirect-uris.ts';

type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

/** The interaction of this browser and this page. */
const interactionOf = async (provider: Provider, req: IncomingMessage, res: ServerResponse) => {
  const address = (req as { originalUrl?: string }).originalUrl ?? req.url ?? '';
  const interaction = await provider.interactionDetails(req, res).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) return undefined;
    throw error;
  });
  const [path = ''] = address.split('?', 1);
  return interaction && path.endsWith(`/${interaction.uid}`) ? interaction : undefined;
};

const consentRequest = async (provider: Provider, { uid, params }: Interaction): Promise<ConsentRequest | null> => {
  const client = await provider.Client.find(String(params['client_id'])).catch((error: unknown) => {
    if (error instanceof errors.OIDCProviderError && error.statusCode < 500) return undefined;
    throw error;
  });
  if (!client) return null;
  const redirect = String(params['redirect_uri']);
  const is_metadata_document = isDocument(client.clientId);
  return {
    uid,
    client: {
      id: client.clientId,
      name: client.clientName ?? (is_metadata_document ? new URL(client.clientId).hostname : redirectHost(redirect)),
      uri: client.clientUri ?? null,
      is_metadata_document,
    },
    redirect_host: redirectHost(redirect),
    redirects_to_this_machine: redirectKind(redirect) !== 'web',
    permissions: permissionsIn(String(params['scope'])),
    resource: String(params['resource']),
  };
};

type Chosen = Pick<ConnectedApp, 'account_id' | 'client_id' | 'client_name' | 'redirect_host' | 'permissions'>;

/** The result of an interaction, in the provider's words. It keeps nobody signed in (`remember`): the pages decide that. */
const resultOf = (app: ConnectedApp | undefined): object =>
  app
    ? {
        login: { accountId: String(app.account_id), remember: false },
        select_account: {},
        consent: { grantId: app.grant_id },
      }
    : { error: 'access_denied', error_description: 'the account owner denied the request' };

const isSameChoice = (app: ConnectedApp, { account_id, permissions }: Chosen): boolean =>
  app.account_id === account_id && isSameJson(app.permissions, permissions);

export type ConsentPorts = AdapterPorts & {
  /** Keeps the applications of an account within their bound. */
  readonly endUnusedApps: EndUnusedApps;
};

export const consentsOf = (provider: Provider, ports: ConsentPorts): Consents => {
  const { records, clock, pauses, endUnusedApps } = ports;
  const find: Consents['find'] = async (req, res) => {
    const interaction = await interactionOf(provider, req, res);
    return interaction ? consentRequest(provider, interaction) : null;
  };

  /**
   * Writes the answer in place of an earlier one, whose grant ends: another person may have answered in this browser
   * before it went on. A form that was sent twice is one answer. False where the request has ended.
   */
  const settle = (permit: Permit, uid: string, chosen: Chosen | undefined): Promise<boolean> =>
    untilWritten<boolean>(pauses, async () => {
      const name = nameOf('interaction', uid);
      const read = await records.find(name);
      const now = clock.now();
      if (!read || hasPassed(read.record.expires_at, now)) return false;
      const result = read.record.payload['result'] as Interaction['result'];
      const formerId = result?.consent?.grantId;
      const former = formerId === undefined ? undefined : (await records.grant(formerId))?.app;
      if (former && chosen && isSameChoice(former, chosen)) return true;
      const grant_id = randomBytes(32).toString('base64url');
      const app = chosen && { ...chosen, grant_id, created_at: now, last_used_at: now };
      const payload = { ...read.record.payload, result: resultOf(app) };
      return (await records.decide(permit, { interaction: { ...name, read }, payload, app, former })) || CONFLICT;
    });

  const deny: Consents['deny'] = async (req, res, permit) => {
    const interaction = await interactionOf(provider, req, res);
    return interaction && (await settle(permit, interaction.uid, undefined)) ? interaction.returnTo : null;
  };

  const approve: Consents['approve'] = async (req, res, permit, { account_id, permissions }) => {
    const interaction = await interactionOf(provider, req, res);
    const request = interaction && (await consentRequest(provider, interaction));
    if (!request) return null;
    const { client, redirect_host } = request;
    const chosen = request.permissions.filter((permission) => permissions.includes(permission));
    if (chosen.length === 0) return deny(req, res, permit);
    // First, because a client that its grant outlived could not refresh.
    await records.extend(nameOf('client', client.id), addDays(clock.now(), CLIENT_DAYS));
    const app = { account_id, client_id: client.id, client_name: client.name, redirect_host, permissions: chosen };
    if (!(await settle(permit, interaction.uid, app))) return null;
    await endUnusedApps(permit, account_id);
    return interaction.returnTo;
  };

  return { find, approve, deny };
};
