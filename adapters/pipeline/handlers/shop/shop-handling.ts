import type { Progress } from '../../../../application/shared/progress.ts';
import type { Permit } from '../../../../domain/access/permit.ts';
import { type Outcome, ok } from '../../../../domain/shared/outcome.ts';
import type { ListOrder, StretchRequest } from '../../../../domain/shared/paging.ts';
import type { AnyCall } from '../../handler.ts';
import { oneMore, page, shopOutcome } from './answers.ts';

type Asked = Pick<AnyCall, 'params' | 'query' | 'body' | 'progress'>;

type NameOf<N, V> = N extends 'named' ? 'product' : N extends string ? (V extends number ? IdOf<N> : N) : never;

type IdOf<N extends string> = N extends 'id' ? N : `${N}_id`;

/** The path, query and body of a call together. A use case names the id `account` of a path `account_id`. */
type InputOf<C extends Asked> = { readonly [N in keyof C['params'] as NameOf<N, C['params'][N]>]: C['params'][N] } & ([
  C['query'],
] extends [null]
  ? unknown
  : C['query']) &
  ([C['body']] extends [null] ? unknown : C['body']);

const nameOf = (name: string, value: unknown): string => {
  if (name === 'named') return 'product';
  return typeof value === 'number' && name !== 'id' ? `${name}_id` : name;
};

const inputOf = <C extends Asked>({ params, query, body }: C) => {
  const named = Object.entries(params as object).map(([name, value]) => [nameOf(name, value), value]);
  return Object.assign(Object.fromEntries(named), query, body) as InputOf<C>;
};

/** Answers a call by a use case that takes its input whole, and reads in parallel with the guards. */
export const reading =
  <C extends Asked, T, V = T>(
    read: (input: InputOf<C>, progress: Progress) => Promise<Outcome<T, string>>,
    shape?: (value: T) => V,
  ) =>
  async (call: C) =>
    shopOutcome(await read(inputOf(call), call.progress), shape);

/** Answers a call by a use case that takes its input whole, and writes after the guards. */
export const writing =
  <C extends Asked, T, V = T>(
    write: (permit: Permit, input: InputOf<C>) => Promise<Outcome<T, string>>,
    shape?: (value: T) => V,
  ) =>
  async (call: C) =>
  async ({ permit }: { readonly permit: Permit }) =>
    shopOutcome(await write(permit, inputOf(call)), shape);

/** Answers a call by a page of what the use case lists. */
export const listing =
  <C extends Asked & { readonly query: StretchRequest }, T, V = T>(
    list: (input: InputOf<C>, progress: Progress) => Promise<readonly T[] | Outcome<readonly T[], string>>,
    order: ListOrder<T>,
    shape?: (entry: T) => V,
  ) =>
  async (call: C) => {
    const listed = await list(oneMore(inputOf(call) as InputOf<C> & StretchRequest), call.progress);
    const entries = 'ok' in listed ? listed : ok(listed);
    return shopOutcome(entries, page(call.query, order, shape));
  };
