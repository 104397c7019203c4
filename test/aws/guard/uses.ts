import type { FunctionName } from '../../../infra/bundles/functions.ts';
import { ACTIONS, storedKeys } from '../../../infra/permissions/allow-functions.ts';
import { TABLE_ACCESS, type TableAccess } from '../../../infra/permissions/table-access.ts';
import { isLike } from '../../../infra/test/iam/evaluate.ts';
import type { Guard } from './guard.ts';

const WHOLE = 'The partition is read whole only while its snapshot is missing, or other writers keep replacing it.';
const KEYS = 'A scope of keys forgets the oldest of more than twenty that have ended.';
const NAMES = 'An Idempotency-Key is free again where its first request failed.';

/** Rights on paths that no test of a few minutes walks, with the reason why they are needed all the same. */
const RARE: Readonly<Partial<Record<FunctionName, Readonly<Record<string, string>>>>> = {
  account: { 'read CATALOG': WHOLE, 'remove KEYID#*': KEYS },
  api: { 'read CATALOG': WHOLE, 'read SUPPLY': WHOLE, 'remove KEYID#*': KEYS },
  app: { 'read CATALOG': WHOLE },
  design: { 'remove REPLAY#*': NAMES },
  downloads: { 'read CATALOG': WHOLE },
  mcp: { 'read CATALOG': WHOLE, 'read SUPPLY': WHOLE, 'remove KEYID#*': KEYS, 'remove REPLAY#*': NAMES },
};

/** The rights of a function on the table that none of its calls used, but for the rare ones. */
export const unusedRights = (name: FunctionName, { allowed }: Guard): string[] => {
  const calls = [...allowed.values()].map(({ action, context }) => ({
    action,
    keys: context['dynamodb:LeadingKeys'] ?? [],
  }));
  return Object.entries(TABLE_ACCESS[name]).flatMap(([way, families]) =>
    families
      .filter((family) => {
        const [stored = ''] = storedKeys(way as keyof TableAccess, [family]);
        const actions = ACTIONS[way as keyof TableAccess];
        return !calls.some(({ action, keys }) => actions.includes(action) && keys.some((key) => isLike(key, stored)));
      })
      .map((family) => `${way} ${family}`)
      .filter((right) => RARE[name]?.[right] === undefined),
  );
};
