import type { PublishRelease } from '../../application/operations/publish-release.ts';
import type { Permit } from '../../domain/access/permit.ts';
import type { GrantExtension } from '../../domain/licensing/grant-change.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';
import * as accounts from '../../ports/inbound/shop/accounts.ts';
import * as orders from '../../ports/inbound/shop/orders.ts';
import * as products from '../../ports/inbound/shop/products.ts';
import * as support from '../../ports/inbound/shop/support.ts';
import type { SignedUpload } from '../../ports/outbound/object-store.ts';
import { NOT_FAR } from './given.ts';

/*
 * The use cases of commands by the endpoints of a far server's shop host, so that a command with `--server` needs no
 * store. A use case that has no endpoint can't be run from afar.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Makes the fields of a request from the arguments of the use case, the permit left out. */
type FieldsOf = (...given: never[]) => Fields;

type Far = {
  readonly endpoint: EndpointSpec;
  readonly fields: FieldsOf;
  /** Makes the use case's value from the answer. */
  readonly value?: (answer: never) => unknown;
  /** True for a use case that gives its value, and no outcome. */
  readonly plain?: true;
};

const same = (fields: Fields): Fields => fields;
const data = ({ data: entries }: { readonly data: unknown }): unknown => entries;
/** The account of a use case is `account` in the paths. */
const ofAccount = ({ account_id: account, ...fields }: Fields): Fields => ({ account, ...fields });

const extensionFields = ({
  extension: { access_expires_at: access, updates_supported_until: updates, device_limit: limit },
  ...fields
}: {
  readonly extension: GrantExtension;
}): Fields => ({
  ...ofAccount(fields),
  ...(access !== undefined && { access_expires_at: access ?? 'never' }),
  ...(updates !== undefined && { updates_supported_until: updates ?? 'never' }),
  ...(limit !== undefined && { device_limit: limit ?? 'product' }),
});

const CALLS: Readonly<Record<string, Far>> = {
  listShopOrders: { endpoint: orders.listShopOrders, fields: same, value: data },
  describeOrder: { endpoint: orders.describeOrder, fields: (order: string) => ({ order }) },
  refundOrder: { endpoint: orders.refundOrder, fields: same },
  listShopSubscriptions: {
    endpoint: orders.listShopSubscriptions,
    fields: (account: number) => ({ account }),
    value: data,
  },
  describeSubscription: {
    endpoint: orders.describeSubscription,
    fields: (account: number, subscription: number) => ({ account, subscription }),
  },
  listAccounts: { endpoint: accounts.listAccounts, fields: () => ({}), value: data, plain: true },
  findAccount: {
    endpoint: accounts.findAccount,
    fields: (account: string) => ({ account }),
    value: ({ account_id }: { readonly account_id: number }) => account_id,
  },
  addAccount: { endpoint: accounts.addAccount, fields: same },
  showAccount: { endpoint: accounts.showAccount, fields: (account: string) => ({ account }) },
  suspendAccount: { endpoint: accounts.suspendAccount, fields: ofAccount },
  eraseAccount: { endpoint: accounts.eraseAccount, fields: ofAccount },
  listGrants: { endpoint: accounts.listGrants, fields: (account: number) => ({ account }), value: data },
  grantEntitlement: { endpoint: accounts.grantEntitlement, fields: ofAccount },
  extendGrant: { endpoint: accounts.extendGrant, fields: extensionFields },
  revokeGrant: { endpoint: accounts.revokeGrant, fields: ofAccount },
  listAccountDevices: { endpoint: accounts.listAccountDevices, fields: ofAccount, value: data },
  releaseAccountDevice: { endpoint: accounts.releaseAccountDevice, fields: ofAccount },
  listApiKeys: { endpoint: accounts.listApiKeys, fields: (account: number) => ({ account }), value: data },
  createApiKey: { endpoint: accounts.createApiKey, fields: ofAccount },
  revokeApiKey: { endpoint: accounts.revokeApiKey, fields: (key: unknown) => ({ key }) },
  listShopProducts: { endpoint: products.listShopProducts, fields: same, value: data, plain: true },
  findProduct: { endpoint: products.findProduct, fields: (named: string) => ({ named }) },
  listProductReleases: { endpoint: products.listProductReleases, fields: (named: string) => ({ named }), value: data },
  changeRelease: {
    endpoint: products.changeRelease,
    fields: ({ product: named, ...fields }: Fields) => ({ named, ...fields }),
  },
  listReports: { endpoint: support.listReports, fields: same, value: data, plain: true },
  showReport: { endpoint: support.showReport, fields: (report: string) => ({ report }) },
  answerTicket: {
    endpoint: support.answerTicket,
    fields: ({ id: ticket, ...fields }: Fields) => ({ ticket, ...fields }),
  },
  closeTicket: { endpoint: support.closeTicket, fields: (ticket: number) => ({ ticket }) },
  reopenTicket: { endpoint: support.reopenTicket, fields: (ticket: number) => ({ ticket }) },
  listAudit: { endpoint: support.listAudit, fields: same, value: data },
};

const isPermit = (value: unknown): value is Permit =>
  typeof value === 'object' && value !== null && typeof (value as { by?: unknown }).by === 'function';

/** The request of an endpoint with these fields: those of its path, of its query, and of its body. */
const requestOf = ({ method, path, query, body }: EndpointSpec, fields: Fields, id: string) => {
  const left = new Map(
    Object.entries(fields).filter(([, value]) => value !== undefined && typeof value !== 'function'),
  );
  const target = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = left.get(name);
    left.delete(name);
    return encodeURIComponent(String(value));
  });
  // A field that the endpoint doesn't take would be lost without a word.
  const unknown = [...left].find(
    ([name, value]) => value !== null && !Object.hasOwn({ ...query?.shape, ...body?.shape }, name),
  );
  if (unknown) {
    throw new Error(`The server takes no ${unknown[0]} for ${id}; run the command on the machine of the store.`);
  }
  if (body) return { method, target, body: JSON.stringify(Object.fromEntries(left)) };
  const given = [...left]
    .filter(([, value]) => value !== null)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return { method, target: given.length > 0 ? `${target}?${new URLSearchParams(given)}` : target };
};

type Refusal = { readonly message?: string; readonly error?: string; readonly reason?: string };

const ask = async (
  server: string,
  token: string,
  { method, target, body }: ReturnType<typeof requestOf>,
): Promise<Outcome<unknown, string>> => {
  const sent = await fetch(server + target, {
    method,
    redirect: 'error',
    headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    ...(body !== undefined && { body }),
  }).catch((error: Error) => {
    throw new Error(
      `${server} does not answer: ${String((error.cause as Error | undefined)?.message ?? error.message)}.`,
    );
  });
  const answer = (await sent.json().catch(() => ({}))) as Refusal & Fields;
  if (sent.ok) return ok(answer);
  const { message = `${server} answered ${sent.status}.`, error = 'failed', reason = error, ...rest } = answer;
  return refuse(reason, { message, data: rest });
};

/** Uploads a file to where a far server signed it, and publishes it there. */
const publishFar =
  (server: string, token: string) =>
  async (
    _: Permit,
    { file, files, product, sparkle, deltas, ...wish }: Parameters<PublishRelease>[1],
  ): Promise<Outcome<unknown, string>> => {
    const size = await files.size(file);
    const facts = size === undefined ? undefined : await files.facts(file);
    if (!facts) return refuse('file_not_found', { message: `There is no file ${file}.` });
    const { sha256 } = facts;
    const { signReleaseUpload, publishRelease } = products;
    const fields = { sha256, size: facts.size };
    const signed = await ask(server, token, requestOf(signReleaseUpload, fields, 'signReleaseUpload'));
    if (!signed.ok) return signed;
    const { upload } = signed.value as { readonly upload: SignedUpload | null };
    if (upload) {
      const { url, method, headers } = upload;
      const sent = await fetch(url, { method, headers, body: Buffer.from(await files.read(file, sha256)) });
      if (!sent.ok) throw new Error(`The upload to ${new URL(url).host} was answered ${sent.status}.`);
    }
    const terms = { ...(Object.keys(sparkle).length > 0 && { sparkle }), ...(deltas.length > 0 && { deltas }) };
    return ask(server, token, requestOf(publishRelease, { named: product, sha256, ...wish, ...terms }, 'publish'));
  };

/** The use cases that a far server's shop host gives, under their names; asking for another one throws. */
export const farService = (server: string, token: string) => ({
  get: (name: string) => {
    if (name === 'publishRelease') return publishFar(server, token);
    const call = CALLS[name];
    if (!call) throw new Error(NOT_FAR);
    return async (...given: readonly unknown[]): Promise<unknown> => {
      const wish = given.filter((one) => !isPermit(one)) as never[];
      const answered = await ask(server, token, requestOf(call.endpoint, call.fields(...wish), name));
      const { value = (answer: unknown) => answer } = call;
      if (!call.plain) return answered.ok ? ok(value(answered.value as never)) : answered;
      if (answered.ok) return value(answered.value as never);
      throw new Error(answered.message ?? answered.code);
    };
  },
});
