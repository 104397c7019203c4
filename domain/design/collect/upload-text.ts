import { type FieldErrors, invalid } from '../../shared/fault.ts';
import { type Outcome, ok } from '../../shared/outcome.ts';
import { type CaptureMeta, isTermKey, MODES, type PageAsset, PLATFORMS_SHOWN } from './capture.ts';
import { APPS, type AppSlug } from './run.ts';

/** The maximum number of assets that a capture lists. */
export const MAX_PAGE_ASSETS = 300;

const MAX_TITLE = 300;
const MAX_FLOW = 120;
const MAX_STEP = 10_000;
const MAX_PATTERNS = 30;
const MAX_ASSET_URL = 2000;

const SHA256 = /^[0-9a-f]{64}$/;

type Members = Readonly<Record<string, unknown>>;

/** The message about an invalid value; undefined for a valid one. */
type Check = (value: unknown) => string | undefined;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isTerm = (value: unknown): value is string => typeof value === 'string' && isTermKey(value);

const textUpTo =
  (most: number): Check =>
  (value) =>
    typeof value === 'string' && value.length <= most && value.isWellFormed()
      ? undefined
      : `must be Unicode text of at most ${most} characters`;

const oneOf =
  (values: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && values.includes(value) ? undefined : `must be one of ${values.join(', ')}`;

const term: Check = (value) =>
  isTerm(value) ? undefined : 'must be a key such as sign-in, of at most 60 small letters, digits and hyphens';

const step: Check = (value) =>
  Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_STEP
    ? undefined
    : `must be an integer from 1 to ${MAX_STEP}`;

const NO_META: CaptureMeta = {
  title: null,
  app: null,
  flow: null,
  step: null,
  platform: null,
  mode: null,
  kind: null,
  patterns: [],
};

const sentence = (field: string, what: string): string => `The ${field.replaceAll('_', ' ')} field ${what}.`;

/** The JSON value of a form field; undefined if the text is not JSON. */
const jsonIn = (text: string): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

const patternErrors = (patterns: unknown): FieldErrors => {
  if (patterns === null || patterns === undefined) return {};
  const field = 'meta.patterns';
  if (!Array.isArray(patterns) || patterns.length > MAX_PATTERNS) {
    return { [field]: [sentence(field, `must be an array of at most ${MAX_PATTERNS} keys`)] };
  }
  return errorsOf(patterns.map((value, n): [string, string | undefined] => [`${field}.${n}`, term(value)]));
};

const errorsOf = (judged: readonly (readonly [string, string | undefined])[]): FieldErrors =>
  Object.fromEntries(judged.flatMap(([field, what]) => (what === undefined ? [] : [[field, [sentence(field, what)]]])));

/** The checks of the fields in `meta`. The app must be one that the run collects. */
const checksFor = (
  apps: readonly AppSlug[] | null,
): Readonly<Record<Exclude<keyof CaptureMeta, 'patterns'>, Check>> => ({
  title: textUpTo(MAX_TITLE),
  app: oneOf(apps ?? APPS),
  flow: textUpTo(MAX_FLOW),
  step,
  platform: oneOf(PLATFORMS_SHOWN),
  mode: oneOf(MODES),
  kind: term,
});

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/**
 * The facts in `meta`, a JSON object that a collector sends as text. Unknown, null and empty fields are ignored;
 * invalid ones are refused by their dotted names.
 */
export const readMeta = (
  text: string | null,
  { apps }: { readonly apps: readonly AppSlug[] | null },
): Outcome<CaptureMeta, 'validation_failed'> => {
  if (text === null) return ok(NO_META);
  const members = jsonIn(text)?.value;
  if (!isMembers(members)) return invalid({ meta: [sentence('meta', 'must be a JSON object')] });
  const checks = Object.entries(checksFor(apps)).filter(([name]) => !isNothing(members[name]));
  const errors = {
    ...errorsOf(checks.map(([name, check]) => [`meta.${name}`, check(members[name])])),
    ...patternErrors(members['patterns']),
  };
  if (Object.keys(errors).length > 0) return invalid(errors);
  const checked = Object.fromEntries(checks.map(([name]) => [name, members[name]]));
  return ok({ ...NO_META, ...checked, patterns: [...new Set((members['patterns'] ?? []) as readonly string[])] });
};

const assetErrors = (entry: unknown, n: number): FieldErrors => {
  const field = `assets.${n}`;
  if (!isMembers(entry)) return { [field]: [sentence(field, 'must be an object with url and sha256')] };
  const { url, sha256 } = entry;
  const isUrl = typeof url === 'string' && url.length >= 1 && url.length <= MAX_ASSET_URL;
  const isHash = typeof sha256 === 'string' && SHA256.test(sha256);
  return errorsOf([
    [`${field}.url`, isUrl ? undefined : `must be a string of 1 to ${MAX_ASSET_URL} characters`],
    [`${field}.sha256`, isHash ? undefined : 'must be 64 characters of lower-case hex'],
  ]);
};

/** The files that a page loads, from a JSON array that a collector sends as text; null if it sends none. */
export const readPageAssets = (text: string | null): Outcome<readonly PageAsset[] | null, 'validation_failed'> => {
  if (text === null) return ok(null);
  const entries = jsonIn(text)?.value;
  if (entries === null) return ok(null);
  if (!Array.isArray(entries) || entries.length > MAX_PAGE_ASSETS) {
    return invalid({ assets: [sentence('assets', `must be a JSON array of at most ${MAX_PAGE_ASSETS} entries`)] });
  }
  const errors: FieldErrors = Object.assign({}, ...entries.map(assetErrors));
  if (Object.keys(errors).length > 0) return invalid(errors);
  return ok((entries as readonly PageAsset[]).map(({ url, sha256 }) => ({ url, sha256 })));
};
