import type { publishRelease } from '../../application/delivery/releases.ts';
import type { Permit } from '../../domain/access/permit.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import * as accounts from '../../ports/inbound/shop/accounts.ts';
import * as orders from '../../ports/inbound/shop/orders.ts';
import * as products from '../../ports/inbound/shop/products.ts';
import * as support from '../../ports/inbound/shop/support.ts';
import type { SignedUpload } from '../../ports/outbound/object-store.ts';
import { NO_ENDPOINT } from './options.ts';
import { MOST_ROWS } from './values.ts';

/*
 * The use cases of commands by the endpoints of a remote server's shop host, so that a command with `--server` needs no
 * store. An endpoint has the name of its use case. A use case that has no endpoint can't be run from afar.
 */

type Fields = Readonly<Record<string, unknown>>;

/** The link is made of a code that no answer has. */
const { createSignInLink: _, ...ofAccounts } = accounts;
const ENDPOINTS: Readonly<Record<string, EndpointSpec>> = { ...orders, ...ofAccounts, ...products, ...support };

/** The use cases that give their value, and no outcome. */
const PLAIN = ['listAccounts', 'listShopProducts', 'listReports'];

/** The fields of use cases that have another name in the paths of endpoints. */
const IN_PATHS: Readonly<Record<string, string>> = { account_id: 'account', product: 'named', id: 'ticket' };

/** The words of the API for an extension without an end, and for the product's own limit. */
const withoutEnd = (name: string): string => (name === 'device_limit' ? 'product' : 'never');

const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

const isPermit = (value: unknown): value is Permit => isObject(value) && typeof value['by'] === 'function';

/** The fields of a use case's arguments: an object has its own, and any other argument is the next one that the endpoint takes. */
const fieldsOf = (given: readonly unknown[], takes: readonly string[]): [name: string, value: unknown][] =>
  given
    .filter((one) => !isPermit(one) && typeof one !== 'function')
    .flatMap((one, n) => (isObject(one) ? Object.entries(one) : [[takes[n] ?? '', one] as [string, unknown]]))
    .flatMap(([name, value]): [string, unknown][] =>
      name === 'extension' && isObject(value)
        ? Object.entries(value).map(([term, to]) => [term, to ?? withoutEnd(term)])
        : [[name, value]],
    )
    .filter(([, value]) => value !== undefined && typeof value !== 'function')
    .map(([name, value]) => [takes.includes(name) ? name : (IN_PATHS[name] ?? name), value]);

/** The request of an endpoint with a use case's arguments: fields of its path, of its query, and of its body. */
const requestOf = ({ method, path, query, body }: EndpointSpec, given: readonly unknown[], id: string) => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const takes = [...inPath, ...Object.keys({ ...query?.shape, ...body?.shape })];
  const fields = new Map(fieldsOf(given, takes));
  // A field that the endpoint doesn't take would be lost without a word.
  const unknown = [...fields].find(([name, value]) => value !== null && !takes.includes(name));
  if (unknown) {
    throw new Error(`The server takes no ${unknown[0]} for ${id}; run the command on the store’s machine.`);
  }
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(fields.get(name))));
  const left = [...fields].filter(([name]) => !inPath.includes(name));
  if (body) return { method, target, body: JSON.stringify(Object.fromEntries(left)) };
  const asked = left
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return { method, target: asked.length > 0 ? `${target}?${new URLSearchParams(asked)}` : target };
};

type Refusal = { readonly message?: string; readonly error?: string; readonly reason?: string };

const ask = async (
  server: string,
  token: string,
  { method, target, body }: ReturnType<typeof requestOf>,
): Promise<Outcome<Fields, string>> => {
  const sent = await fetch(server + target, {
    method,
    redirect: 'error',
    headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
  }).catch((error: Error) => {
    const { message } = (error.cause as Error | undefined) ?? error;
    throw new Error(`${server} does not answer: ${message}.`);
  });
  const answer = (await sent.json().catch(() => ({}))) as Refusal & Fields;
  if (sent.ok) return ok(answer);
  const { message = `${server} answered ${sent.status}.`, error = 'failed', reason = error, ...rest } = answer;
  return refuse(reason, { message, data: rest });
};

/** Uploads a file to where a remote server signed it, and publishes it there. */
const publishRemote =
  (server: string, token: string) =>
  async (
    _: Permit,
    { file, files, sparkle, deltas, ...wish }: Parameters<ReturnType<typeof publishRelease>>[1],
  ): Promise<Outcome<unknown, string>> => {
    const size = await files.size(file);
    const facts = size === undefined ? undefined : await files.facts(file);
    if (!facts) return refuse('file_not_found', { message: `There is no file ${file}.` });
    const { sha256 } = facts;
    const fields = { sha256, size: facts.size };
    const signed = await ask(server, token, requestOf(products.signReleaseUpload, [fields], 'signReleaseUpload'));
    if (!signed.ok) return signed;
    const { upload } = signed.value as { readonly upload: SignedUpload | null };
    if (upload) {
      const { url, method, headers } = upload;
      const sent = await fetch(url, { method, headers, body: Buffer.from(await files.read(file, sha256)) });
      if (!sent.ok) throw new Error(`The upload to ${new URL(url).host} was answered ${sent.status}.`);
    }
    const terms = { ...(Object.keys(sparkle).length > 0 && { sparkle }), ...(deltas.length > 0 && { deltas }) };
    return ask(server, token, requestOf(products.publishRelease, [{ sha256, ...wish, ...terms }], 'publish'));
  };

type Page = { readonly data: readonly unknown[]; readonly next_after: string | null };

/** The entries of a list from its first page on, as many as `limit` of the arguments says, or else all of them. */
const pagesOf = async (
  first: Page,
  given: readonly unknown[],
  ask: (given: readonly unknown[]) => Promise<Outcome<Fields, string>>,
): Promise<unknown[]> => {
  const { limit = Number.POSITIVE_INFINITY } = (given.find(isObject) ?? {}) as { limit?: number };
  const entries = [...first.data];
  for (let after = first.next_after; after !== null && entries.length < limit; ) {
    const left = Math.min(limit - entries.length, MOST_ROWS);
    const answered = await ask([...given, { limit: left, after }]);
    if (!answered.ok) throw new Error(answered.message ?? answered.code);
    const page = answered.value as Page;
    entries.push(...page.data);
    after = page.next_after;
  }
  return entries;
};

/** The use cases that a remote server's shop host gives, under their names; asking for another one throws. */
export const remoteService = (server: string, token: string) => ({
  get: (name: string) => {
    if (name === 'publishRelease') return publishRemote(server, token);
    const endpoint = ENDPOINTS[name];
    if (!endpoint) throw new Error(NO_ENDPOINT);
    return async (...given: readonly unknown[]): Promise<unknown> => {
      const answered = await ask(server, token, requestOf(endpoint, given, name));
      if (!answered.ok && PLAIN.includes(name)) throw new Error(answered.message ?? answered.code);
      if (!answered.ok || name === 'listAccountDevices') return answered;
      const { data, account_id } = answered.value;
      if (!Array.isArray(data)) return ok(name === 'findAccount' ? account_id : answered.value);
      const value = await pagesOf(answered.value as Page, given, (more) =>
        ask(server, token, requestOf(endpoint, more, name)),
      );
      return PLAIN.includes(name) ? value : ok(value);
    };
  },
});
