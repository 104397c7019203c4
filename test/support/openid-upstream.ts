import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Adapter, type AdapterPayload, Provider } from 'oidc-provider';
import { onTestFinished } from 'vitest';

/* An OpenID Connect provider like a shop's, on a free port of this machine. */

export const CLIENT = { id: 'account-service', secret: 'a secret of sixteen or more characters' };
export const CALLBACK = 'https://account.example.com/sign-in/callback';

/** A person as the provider knows them. */
export type Person = {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly name?: string;
};

/** Listens on a free port, or on the given one, until the test ends. Closes immediately on request. */
export const listening = async (handler: Parameters<typeof createServer>[1], port = 0) => {
  const server = createServer(handler as never).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    if (!server.listening) return;
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
};

const KEY = { ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }), use: 'sig' };

/** The records of a provider, for this process only. */
class KeptInMemory implements Adapter {
  static readonly #kept = new Map<string, AdapterPayload>();
  readonly #model: string;

  constructor(model: string) {
    this.#model = model;
  }

  #name(id: string): string {
    return `${this.#model} ${id}`;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    KeptInMemory.#kept.set(this.#name(id), payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return KeptInMemory.#kept.get(this.#name(id));
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...KeptInMemory.#kept.values()].find((payload) => payload.uid === uid);
  }

  async findByUserCode(): Promise<undefined> {}

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload) await this.upsert(id, { ...payload, consumed: Math.floor(Date.now() / 1000) });
  }

  async destroy(id: string): Promise<void> {
    KeptInMemory.#kept.delete(this.#name(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [name, payload] of KeptInMemory.#kept) if (payload.grantId === grantId) KeptInMemory.#kept.delete(name);
  }
}

/** A provider that signs `person.is` in immediately, and declines if it is null. */
export const anOpenidUpstream = async (port = 0, callback = CALLBACK) => {
  const person: { is: Person | null } = { is: null };
  const people = new Map<string, Person>();
  // The provider needs the port in its own URL, so it is created after the server.
  let answer: RequestListener = () => {};
  const { url: issuer, close } = await listening((req, res) => answer(req, res), port);
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ ...people.get(sub), sub }) }),
    features: { devInteractions: { enabled: false } },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    adapter: KeptInMemory,
    jwks: { keys: [KEY] },
    cookies: { keys: ['a key of this test alone'] },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
  });
  const interact = async (
    req: Parameters<Provider['interactionDetails']>[0],
    res: Parameters<Provider['interactionDetails']>[1],
  ) => {
    const { prompt, params, session } = await provider.interactionDetails(req, res);
    const { is } = person;
    if (!is) {
      await provider.interactionFinished(req, res, { error: 'access_denied', error_description: 'declined' });
    } else if (prompt.name === 'login') {
      people.set(is.sub, is);
      await provider.interactionFinished(req, res, { login: { accountId: is.sub } });
    } else {
      const grant = new provider.Grant({ accountId: session!.accountId, clientId: String(params['client_id']) });
      grant.addOIDCScope('openid email profile');
      await provider.interactionFinished(req, res, { consent: { grantId: await grant.save() } });
    }
  };
  const serve = provider.callback();
  answer = (req, res) => void (req.url?.startsWith('/interaction/') ? interact(req, res) : serve(req, res));
  return { issuer, person, close };
};

/** Follows redirects like a browser without JavaScript until the callback, and returns its URL. */
export const browse = async (from: string, callback = CALLBACK): Promise<string> => {
  const cookies = new Map<string, string>();
  let url = from;
  for (let n = 0; n < 20; n++) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    await answer.body?.cancel();
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') cookies.delete(name);
      else cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${url} answered ${answer.status}`);
    url = new URL(location, url).href;
    if (url.startsWith(callback)) return url;
  }
  throw new Error('The provider redirected 20 times.');
};
