import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import type { Ability } from '../../domain/access/abilities.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { addDays } from '../../domain/shared/instant.ts';
import { CLIENT_DAYS } from '../../domain/sign-in/oauth-grant.ts';
import { permissionsIn } from '../../domain/sign-in/sign-in-token.ts';
import { type AdapterPorts, nameOf } from './provider-adapter.ts';
import { redirectHost, redirectKind } from './redirect-uris.ts';

/** An application's request to be let in, as the account's owner is asked about it. */
export type ConsentRequest = {
  /** The id in the page's address. */
  readonly uid: string;
  readonly client: {
    readonly id: string;
    /** The name that the client gave itself. */
    readonly name: string;
    /** The client's https page. */
    readonly uri: string | null;
    /** True where the client id is the address of its metadata, so that its domain vouches for it. */
    readonly is_metadata_document: boolean;
  };
  /** The host, or the app's private scheme, that the answer goes to. */
  readonly redirect_host: string;
  readonly redirects_to_this_machine: boolean;
  readonly permissions: readonly Ability[];
  readonly resource: string;
};

export type ConsentDecision = { readonly account_id: number; readonly permissions: readonly Ability[] };

/** The seam between the page that asks for consent and the authorization server. Faults of the store throw. */
export type Consents = {
  /** The request that this page is about; null where it is unknown, has ended, or belongs to another browser. */
  find(req: IncomingMessage, res: ServerResponse): Promise<ConsentRequest | null>;
  /**
   * Lets the client in with those of the chosen permissions that it asked for; with none of them it is denied. Returns
   * the URL to go on to, or null where `find` returns null.
   */
  approve(req: IncomingMessage, res: ServerResponse, permit: Permit, decision: ConsentDecision): Promise<string | null>;
  /** Turns the client away, and returns the URL to go on to, or null where `find` returns null. */
  deny(req: IncomingMessage, res: ServerResponse): Promise<string | null>;
};

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
  const is_metadata_document = client.clientId.startsWith('https://');
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

export const consentsOf = (provider: Provider, { records, clock }: AdapterPorts): Consents => {
  const find: Consents['find'] = async (req, res) => {
    const interaction = await interactionOf(provider, req, res);
    return interaction ? consentRequest(provider, interaction) : null;
  };

  const finish = (req: IncomingMessage, res: ServerResponse, result: Record<string, unknown>): Promise<string> =>
    provider.interactionResult(req, res, result, { mergeWithLastSubmission: false });

  const deny: Consents['deny'] = async (req, res) => {
    if (!(await interactionOf(provider, req, res))) return null;
    return finish(req, res, { error: 'access_denied', error_description: 'the account owner denied the request' });
  };

  const approve: Consents['approve'] = async (req, res, permit, { account_id, permissions }) => {
    const interaction = await interactionOf(provider, req, res);
    // A form that was sent twice is one approval.
    if (interaction?.result?.consent) return interaction.returnTo;
    const request = interaction && (await consentRequest(provider, interaction));
    if (!request) return null;
    const chosen = request.permissions.filter((permission) => permissions.includes(permission));
    if (chosen.length === 0) return deny(req, res);
    const now = clock.now();
    const grant_id = randomBytes(32).toString('base64url');
    await records.addGrant(permit, {
      grant_id,
      account_id,
      client_id: request.client.id,
      client_name: request.client.name,
      redirect_host: request.redirect_host,
      permissions: chosen,
      created_at: now,
      last_used_at: now,
    });
    await records.extend(nameOf('client', request.client.id), addDays(now, CLIENT_DAYS));
    // The provider keeps nobody signed in (`remember`): the pages decide that.
    const login = { accountId: String(account_id), remember: false };
    return finish(req, res, { login, select_account: {}, consent: { grantId: grant_id } });
  };

  return { find, approve, deny };
};
