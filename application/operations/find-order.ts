import type { Claim, RecordOwner } from '../../domain/operations/record-owner.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { isSameJson } from '../../domain/shared/same-json.ts';
import type { RecordOwners } from '../../ports/outbound/billing.ts';

export type Ports = { recordOwners: RecordOwners };

/** The order that a text may name: by its id, by its number, or by one of both alone (`id:7`, `number:7`). */
const claimsOf = (named: string): Claim[] => {
  const [, kind, rest = named] = /^(id|number):(.+)$/s.exec(named) ?? [];
  const id = Number(rest);
  const isId = /^[1-9]\d*$/.test(rest) && Number.isSafeInteger(id);
  return [
    ...(isId && kind !== 'number' ? [{ kind: 'order', id } as const] : []),
    ...(kind === 'id' ? [] : [{ kind: 'order', number: rest } as const]),
  ];
};

/** The account and the id of the order with an id or number. A text that names two orders is refused. */
export const findOrder =
  ({ recordOwners }: Ports) =>
  async (named: string): Promise<Outcome<RecordOwner, 'order_not_found' | 'order_ambiguous'>> => {
    const owners = (await recordOwners.of(claimsOf(named))).flatMap((owner) => owner ?? []);
    const [first, second] = owners;
    if (!first) {
      return refuse('order_not_found', { message: `There is no order with the id or number ${named}.` });
    }
    if (second && !isSameJson(first, second)) {
      return refuse('order_ambiguous', {
        message: `${named} is the id of one order and the number of another; name id:${named} or number:${named}.`,
      });
    }
    return ok(first);
  };

export type FindOrder = ReturnType<typeof findOrder>;
