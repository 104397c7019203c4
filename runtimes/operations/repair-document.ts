import type * as z from 'zod';
import { StoreDocument } from '../../ports/inbound/operations/store-document.ts';

type Issue = z.core.$ZodIssue;
type Parent = Record<PropertyKey, unknown>;

const MOST_ROUNDS = 40;

/** Harmless values, each of which some member of a document takes. Those with `n` differ for each faulty member. */
const standIns = (n: number): unknown[] => [
  undefined,
  `stand-in-${n}`,
  Number.MAX_SAFE_INTEGER - n,
  1,
  String(n),
  [Number.MAX_SAFE_INTEGER - n],
  'USD',
  '1.0.0',
  '1',
  '2000-01-01T00:00:00Z',
  'https://stand-in.invalid/',
  `stand-in-${n}@stand-in.invalid`,
  { en: 'stand-in' },
  { en: {} },
  { strategy: 'manual' },
  [{ file: `stand-in-${n}` }],
];

const parentOf = (root: unknown, path: readonly PropertyKey[]): Parent | undefined => {
  const parent = path.slice(0, -1).reduce<unknown>((value, part) => (value as Parent | null | undefined)?.[part], root);
  return typeof parent === 'object' && parent !== null ? (parent as Parent) : undefined;
};

const replace = (root: unknown, path: readonly PropertyKey[], value: unknown): void => {
  const [parent, name] = [parentOf(root, path), path.at(-1)];
  if (!parent || name === undefined) return;
  if (value === undefined && !Array.isArray(parent)) delete parent[name];
  else parent[name] = value;
};

/** A faulty member: its number, and the round in which it got its first stand-in. */
type Place = { readonly number: number; readonly since: number };

/** Replaces a faulty member with its next stand-in, or removes unknown members. False if no stand-in is left. */
const mend = (root: unknown, issue: Issue, places: Map<string, Place>, round: number): boolean => {
  if (issue.code === 'unrecognized_keys') {
    for (const key of issue.keys) replace(root, [...issue.path, key], undefined);
    return true;
  }
  const name = issue.path.map(String).join('.');
  const place = places.get(name) ?? { number: places.size, since: round };
  places.set(name, place);
  const attempt = round - place.since;
  const fitting = issue.code === 'invalid_value' ? issue.values.slice(0, 1) : standIns(place.number);
  replace(root, issue.path, fitting[attempt % fitting.length]);
  return attempt <= standIns(0).length;
};

/** True for a fault of a whole section. Without the section, every reference into it would seem wrong. */
const isWholeSection = ({ code, path }: Issue): boolean =>
  code !== 'unrecognized_keys' && path.length < 2 && path[0] !== 'format';

/**
 * The document with harmless values in place of all members of wrong form, so that the rest can be checked too and the
 * operator learns of all faults at once. Undefined if whole sections or entries are wrong.
 */
export const repairDocument = (input: unknown): StoreDocument | undefined => {
  const repaired = structuredClone(input);
  const places = new Map<string, Place>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const parsed = StoreDocument.safeParse(repaired);
    if (parsed.success) return parsed.data;
    const { issues } = parsed.error;
    if (issues.some(isWholeSection) || !issues.every((issue) => mend(repaired, issue, places, round))) return undefined;
  }
  return undefined;
};
