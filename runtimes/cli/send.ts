import type { Progress } from '../../application/shared/progress.ts';
import { type Outcome, ok } from '../../domain/shared/outcome.ts';
import type { BodyOf, EndpointSpec, ParamValues, QueryOf } from '../../ports/inbound/endpoint.ts';
import type { EndpointId, Endpoints, AnswerOf as JsonOf } from '../../ports/inbound/endpoints.ts';
import { MOST_ROWS } from './values.ts';

/*
 * A command's input is that of an endpoint of the shop host. It is passed to the handler in this process, or sent to a
 * remote server by HTTP.
 */

/** An endpoint of the shop host that answers JSON. */
export type ShopId = {
  [Id in EndpointId]: Endpoints[Id] extends { host: 'shop'; answer: object } ? Id : never;
}[EndpointId];

/** A field that may be absent from an input: a nullable one, or a flag. */
type Absent = null | false;

/** A value of an input. */
type Given<T> = T extends readonly (infer U)[]
  ? readonly Given<U>[]
  : T extends object
    ? { readonly [N in keyof T as Absent & T[N] extends never ? N : never]: Given<T[N]> } & {
        readonly [N in keyof T as Absent & T[N] extends never ? never : N]?: Given<T[N]> | undefined;
      }
    : T;

type Optional<T> = { readonly [N in keyof T]?: T[N] | undefined };

/** The fields of an endpoint's path, query and body together. Their names are different. */
export type InputOf<Id extends EndpointId> = {
  readonly [N in keyof ParamValues<Endpoints[Id]>]: NonNullable<ParamValues<Endpoints[Id]>[N]>;
} & ([QueryOf<Endpoints[Id]>] extends [null] ? unknown : Optional<QueryOf<Endpoints[Id]>>) &
  ([BodyOf<Endpoints[Id]>] extends [null] ? unknown : Given<BodyOf<Endpoints[Id]>>) &
  (Endpoints[Id] extends { files: object } ? { readonly file?: File | undefined } : unknown);

/** An answer without the unnamed fields that its schema allows. */
type Known<T> = T extends readonly (infer U)[]
  ? readonly Known<U>[]
  : T extends object
    ? { readonly [N in keyof T as string extends N ? (unknown extends T[N] ? never : N) : N]: Known<T[N]> }
    : T;

/** The answer of an endpoint. */
export type AnswerOf<Id extends ShopId> = Known<JsonOf<Id>>;

export type ListId = { [Id in ShopId]: JsonOf<Id> extends { data: readonly unknown[] } ? Id : never }[ShopId];

/** An entry of a list. */
export type EntryOf<Id extends ListId> = AnswerOf<Id>['data'][number];

/** Calls endpoints. */
export type Sender = {
  readonly send: <Id extends ShopId>(
    id: Id,
    input: InputOf<Id>,
    progress?: Progress,
  ) => Promise<Outcome<AnswerOf<Id>, string>>;
  /** The entries of a list, page by page: up to `limit`, by default all. */
  readonly list: <Id extends ListId>(
    id: Id,
    input: InputOf<Id>,
    progress?: Progress,
  ) => Promise<Outcome<readonly EntryOf<Id>[], string>>;
};

/** A request by its parts. Fields without a value are omitted. */
export type Sent = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly file?: File | undefined;
};

/** Answers an endpoint's request. */
export type Ask = (endpoint: EndpointSpec, sent: Sent, progress?: Progress) => Promise<Outcome<unknown, string>>;

/** `input` names fields as the endpoint does, or as its tool does; an id also without `_id`. */
const sentBy = ({ params, query, body, tool }: EndpointSpec, input: { readonly file?: File }): Sent => {
  const given: Readonly<Record<string, unknown>> = { ...input };
  const valueFor = (name: string) => given[name] ?? given[tool?.renames?.[name] ?? name.replace(/_id$/, '')];
  const of = (schema: EndpointSpec['body']) =>
    Object.keys(schema?.().shape ?? {}).flatMap((name) => {
      const value = valueFor(name) ?? null;
      return value === null ? [] : [[name, value] as const];
    });
  const texts = (schema: EndpointSpec['query']) =>
    Object.fromEntries(of(schema).map(([name, value]) => [name, String(value)]));
  return { params: texts(params), query: texts(query), body: Object.fromEntries(of(body)), file: input.file };
};

/** The outcome with the code of the use case, which the shop host returns as the reason. */
const withReason = (outcome: Outcome<unknown, string>): Outcome<unknown, string> => {
  if (outcome.ok) return outcome;
  const { reason = outcome.code, ...data } = outcome.data ?? {};
  return { ...outcome, code: String(reason), data };
};

type Page = { readonly data: readonly unknown[]; readonly next_after: string | null };

/** Calls these endpoints through `ask`. */
export const senderTo = (endpoints: readonly EndpointSpec[], ask: Ask): Sender => {
  const send = async (id: string, input: object, progress?: Progress) => {
    const endpoint = endpoints.find((one) => one.id === id);
    if (!endpoint) throw new Error(`There is no endpoint ${id}.`);
    return withReason(await ask(endpoint, sentBy(endpoint, input), progress));
  };
  const list = async (id: string, input: { readonly limit?: number }, progress?: Progress) => {
    const { limit = Number.POSITIVE_INFINITY } = input;
    const entries: unknown[] = [];
    for (let after: string | null | undefined; after !== null && entries.length < limit; ) {
      const request = { ...input, limit: Math.min(limit - entries.length, MOST_ROWS), ...(after && { after }) };
      const answered = await send(id, request, progress);
      if (!answered.ok) return answered;
      const page = answered.value as Page;
      entries.push(...page.data);
      after = page.next_after;
    }
    return ok(entries);
  };
  return { send, list } as Sender;
};

/** The slugs of all products, by id; none where a token's role may not list products. */
export const productSlugs = async ({ list }: Pick<Sender, 'list'>): Promise<ReadonlyMap<number | null, string>> => {
  const products = await list('listShopProducts', {});
  return new Map(products.ok ? products.value.map(({ product }) => [product.id, product.slug]) : []);
};
