import { createHash, createPublicKey } from 'node:crypto';
import { type Answer, type Answers, type Case, type Edit, keyOf, type Step } from '../../clients/run-cases.ts';
import { tokenClaims } from '../../domain/licensing/license-check.ts';
import { type ClientPolicy, DEFAULT_POLICY, policyDocument } from '../../domain/policy/client-policy.ts';
import { toInstant } from '../../domain/shared/instant.ts';

/*
 * Creates the cases that every client of the service runs (clients/cases.json): the request to the client, its time,
 * the server's answers, and the client's result. The tokens and policies come from the rules of the service.
 */

type Json = Readonly<Record<string, unknown>>;

const PRODUCT = 4;
const DEVICE = 'laptop-7f3a';
const START = Date.UTC(2026, 0, 10, 12, 30);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The moment `days` and `hours` after the first check. */
const after = (days: number, hours = 0): string => toInstant(START + days * DAY + hours * HOUR);

const SEEDS = { first: 1, second: 2, foreign: 3 } as const;
type KeyName = keyof typeof SEEDS;

const publicJwk = (name: KeyName) => ({
  ...createPublicKey(keyOf(SEEDS[name])).export({ format: 'jwk' }),
  kid: name === 'foreign' ? 'first' : name,
  alg: 'EdDSA',
  use: 'sig',
});

/** A text that the runner signs. */
const jws = (payload: object, typ: string, key: KeyName = 'first', head: Json = {}) => ({
  jws: payload,
  header: { alg: 'EdDSA', typ, kid: key === 'foreign' ? 'first' : key, ...head },
  key,
});

const POLICY: ClientPolicy = DEFAULT_POLICY;

type Input = {
  readonly at?: string;
  readonly access_expires_at?: string | null;
  readonly version_covered?: boolean | null;
  readonly claims?: Json;
  readonly continuation?: string;
  readonly key?: KeyName;
  readonly head?: Json;
  readonly typ?: string;
  readonly policy?: Partial<ClientPolicy>;
};

const decided = (at: string, access_expires_at: string | null, version_covered: boolean | null) => ({
  valid: true as const,
  code: 'valid' as const,
  message: 'This license is valid.',
  access_source: 'direct' as const,
  access_expires_at,
  updates_supported_until: after(300),
  product: { id: PRODUCT, name: 'Hashcheck', bundle_id: null },
  version_covered,
  device: {
    device_id: DEVICE,
    name: null,
    activated_at: after(0),
    last_seen_at: at,
    offline_until: null,
    released_at: null,
  },
  devices_used: 1,
  device_limit: 3,
  manage_url: 'https://example.com/devices',
  devices: { used: 1, limit: 3 },
  checked_at: at,
});

const ISSUER = 'https://api.example.com';

/** A token as the service signs it, with the nonce and the device of the request. */
const tokenOf = (input: Input = {}) => {
  const { at = after(0), access_expires_at = null, version_covered = true } = input;
  const policy = { ...POLICY, ...input.policy };
  const nonce = input.claims && 'nonce' in input.claims ? null : '{nonce}';
  const answer = { ...decided(at, access_expires_at, version_covered), nonce };
  const claims = tokenClaims(answer, 17, policy, ISSUER);
  return jws(
    { ...claims, device_id: '{device_id}', ...input.claims },
    input.typ ?? 'license+jws',
    input.key,
    input.head,
  );
};

const CHECK = 'POST /api/license/check';
const TRIAL = 'POST /api/license/trial';
const LEASE = 'POST /api/license/lease';
const RETURN = 'POST /api/license/lease/return';
const JWKS = 'GET /.well-known/jwks.json';
const CONFIG = 'GET /api/client-config';

const jwks = (...names: KeyName[]): Answers => ({ [JWKS]: { status: 200, body: { keys: names.map(publicJwk) } } });

/** The answer to a valid check. */
const valid = (input: Input = {}, more: Answer = {}) => {
  const { at = after(0), access_expires_at = null, version_covered = true, continuation = null } = input;
  const body = { ...decided(at, access_expires_at, version_covered), continuation, token: tokenOf(input) };
  return { ...jwks('first'), [CHECK]: { status: 200, body, ...more } satisfies Answer };
};

const refused = (code: string, message: string, at = after(1), more: Json = {}): Answers => {
  const body = { ...decided(at, null, null), valid: false, code, message, token: null, device: null, ...more };
  return { [CHECK]: { status: 200, body } };
};

const config = (version: number, policy: Partial<ClientPolicy>, signed_at = after(0), name: KeyName = 'first') => {
  const document = policyDocument({ ...POLICY, ...policy, version, changed_at: signed_at }, signed_at);
  return { [CONFIG]: { status: 200, body: { ...document, signature: jws(document, 'client-policy+jws', name) } } };
};

const status = (at: string, expect: Json): Step => ({ do: 'status', at, expect });
const check = (at: string, answers: Answers, expect: Json): Step => ({ do: 'check', at, answers, expect });
const open = (at: string, options: Json): Step => ({ do: 'open', at, options, expect: {} });

const LICENSED = { state: 'licensed', may_run: true, code: 'valid', error: null };
const { error: _, ...STILL_LICENSED } = LICENSED;
const GRACE = { state: 'grace', may_run: true, code: 'check_overdue', check_due: true };
const TOO_LONG = { state: 'expired', may_run: false, code: 'offline_too_long', runs_until: null };
const NEVER = { state: 'unknown', may_run: false, code: 'never_checked', runs_until: null };
/** The expiry of the first check's token. */
const END = after(14);

const first = check(after(0), valid(), LICENSED);

/** A licensed device that keeps its license after a failed check. */
const stays = (name: string, answers: Answers, error: Json): Case => ({
  name: `${name} leaves a payer running`,
  steps: [first, check(after(0, 2), answers, { ...STILL_LICENSED, runs_until: END, error })],
});

const BROKEN = { code: 'broken_answer' };
const BLOCKED = { revoked: [{ product_id: PRODUCT, device_id: DEVICE }] };

/** A clock that repeatedly advances by `hours` and is set back by `less`. */
const back = (count: number, hours: number, less: number): Step[] =>
  Array.from({ length: count }, (_, n) => [
    status(after(0, n * (hours - less) + hours), {}),
    status(after(0, (n + 1) * (hours - less)), {}),
  ]).flat();

const OFFLINE = { offline: true, exp: Math.floor(START / 1000) + 365 * 86_400 };
const offlineFile = (input: Input = {}, checked_at: unknown = after(0)) => {
  const claims = { device_id: DEVICE, nonce: undefined, ...OFFLINE, ...input.claims };
  return { text: { token: tokenOf({ ...input, claims }), checked_at } };
};

/** The cases in the order of the documentation's page of states. */
const friendly = (): Case[] => [
  { name: 'a device that never asked is unknown', steps: [status(after(0), { ...NEVER, check_due: true })] },
  {
    name: 'a valid answer licenses until its token ends',
    steps: [
      check(after(0), valid(), {
        ...LICENSED,
        runs_until: END,
        access_expires_at: null,
        updates_supported_until: after(300),
        version_covered: true,
        check_due: false,
        clock_back: false,
        update_required: false,
      }),
      status(after(0, 23), { ...STILL_LICENSED, check_due: false }),
      status(after(0, 24), { ...GRACE, runs_until: END }),
      status(after(13, 23), GRACE),
      status(END, TOO_LONG),
      check(after(20), valid({ at: after(20) }), { ...LICENSED, runs_until: after(34) }),
    ],
  },
  {
    name: 'a server that is gone for a day leaves a payer running',
    steps: [first, check(after(1, 1), {}, { ...GRACE, error: { code: 'unreachable', status: null } })],
  },
  {
    name: 'a first check without a server is unknown, and says why',
    steps: [check(after(0), {}, { ...NEVER, error: { code: 'unreachable', status: null } })],
  },
  {
    name: 'without a key nothing is asked',
    options: { key: null },
    steps: [check(after(0), valid(), { ...NEVER, error: { code: 'no_key', status: null } })],
  },
  {
    name: 'the policy says how often to ask',
    steps: [
      check(after(0), { ...valid(), ...config(1, { recheck_hours: 72 }) }, LICENSED),
      status(after(2), STILL_LICENSED),
      status(after(3), GRACE),
    ],
  },
  {
    name: 'access that ends before the token is expired at its end',
    steps: [
      check(after(0), valid({ access_expires_at: after(3) }), { ...LICENSED, access_expires_at: after(3) }),
      status(after(2), GRACE),
      status(after(3), { state: 'expired', may_run: false, code: 'access_expired', access_expires_at: after(3) }),
    ],
  },
  ...(
    [
      ['not_entitled', 'unknown'],
      ['access_expired', 'expired'],
      ['entitlement_revoked', 'revoked'],
      ['device_revoked', 'revoked'],
    ] as const
  ).map(
    ([code, state]): Case => ({
      name: `the answer ${code} is ${state}, also offline, until the server says otherwise`,
      steps: [
        first,
        check(after(1), refused(code, 'The reason.'), {
          state,
          may_run: false,
          code,
          message: 'The reason.',
          error: null,
        }),
        status(after(1, 1), { state, may_run: false, code, message: 'The reason.', runs_until: null }),
        check(after(1, 2), {}, { state, code, error: { code: 'unreachable' } }),
        check(after(2), valid({ at: after(2) }), { ...LICENSED, message: null }),
      ],
    }),
  ),
  {
    name: 'a device over the limit gets the page and the devices in use',
    steps: [
      check(
        after(0),
        {
          [CHECK]: {
            status: 409,
            body: {
              message: 'All 3 devices are in use.',
              error: 'device_limit_reached',
              valid: false,
              code: 'device_limit_reached',
              manage_url: 'https://example.com/devices',
              devices: [decided(after(0), null, null).device],
            },
          },
        },
        {
          state: 'unknown',
          may_run: false,
          code: 'device_limit_reached',
          message: 'All 3 devices are in use.',
          manage_url: 'https://example.com/devices',
          devices: [decided(after(0), null, null).device],
          error: null,
        },
      ),
      check(after(0, 1), valid({ at: after(0, 1) }), { ...LICENSED, devices: null, manage_url: null }),
    ],
  },
  stays(
    'a key that ended (401)',
    { [CHECK]: { status: 401, body: { message: 'This API key is unknown.', error: 'invalid_api_key' } } },
    { status: 401, code: 'invalid_api_key', message: { $matches: 'license key' } },
  ),
  stays(
    'an unknown product (404)',
    { [CHECK]: { status: 404, body: { message: 'Not found.', error: 'not_found' } } },
    { status: 404, code: 'not_found' },
  ),
  stays(
    'a limit of calls (429)',
    {
      [CHECK]: {
        status: 429,
        body: { message: 'Slow down.', error: 'rate_limited' },
        headers: { 'retry-after': '60' },
      },
    },
    { status: 429, code: 'rate_limited', retry_after: 60 },
  ),
  stays('a busy server (503)', { [CHECK]: { status: 503, body: { message: 'Busy.' } } }, { status: 503 }),
  stays(
    'a fault (500)',
    { [CHECK]: { status: 500, body: 'Internal Server Error' } },
    { status: 500, code: 'http_500' },
  ),
  stays(
    'a page in place of an answer',
    { [CHECK]: { status: 200, body: '<!doctype html>Sign in to this network' } },
    BROKEN,
  ),
  stays(
    'an answer about another product',
    {
      [CHECK]: { status: 200, body: { ...decided(after(0), null, null), product: { id: 5 }, token: tokenOf() } },
    },
    BROKEN,
  ),
  stays('a refusal that nobody knows', refused('mystery', 'No.'), BROKEN),
  stays('a refusal without a time', refused('not_entitled', 'No.', after(1), { checked_at: null }), BROKEN),
  stays(
    'a valid answer without a token, of a product without sessions,',
    {
      [CHECK]: { status: 200, body: { ...decided(after(0), null, null), token: null } },
      [LEASE]: { status: 409, body: { message: 'No sessions.', error: 'lease_not_offered' } },
    },
    { status: 409, code: 'lease_not_offered' },
  ),
  ...(
    [
      ['of a foreign key', { key: 'foreign' }],
      ['of another device', { claims: { device_id: 'desktop' } }],
      ['of another product', { claims: { product_id: 5 } }],
      ['that says nothing of being valid', { claims: { valid: 'true' } }],
      ['without an end', { claims: { exp: null } }],
      ['of another type', { typ: 'client-policy+jws' }],
      ['without a signature’s algorithm', { head: { alg: 'none' } }],
      ['of a shared secret’s algorithm', { head: { alg: 'HS256' } }],
      ['with a critical header', { head: { crit: ['b64'] } }],
      ['of an unknown key', { head: { kid: 'unknown' } }],
    ] as const
  ).map(([name, input]): Case => stays(`a token ${name}`, valid(input as Input), BROKEN)),
  {
    name: 'a token whose bytes were changed is rejected',
    steps: [
      check(
        after(0),
        {
          ...jwks('first'),
          [CHECK]: {
            status: 200,
            body: { ...decided(after(0), null, null), token: { ...tokenOf(), tail: 'AAAAAAAA' } },
          },
        },
        { ...NEVER, error: BROKEN },
      ),
    ],
  },
  {
    name: 'a new signing key is fetched when a token names it',
    steps: [
      first,
      check(after(1), { ...valid({ at: after(1), key: 'second' }), ...jwks('first', 'second') }, LICENSED),
      status(after(1, 1), STILL_LICENSED),
    ],
  },
  {
    name: 'the key list is not fetched for a key that is remembered',
    steps: [first, check(after(1), { [CHECK]: valid({ at: after(1) })[CHECK] }, LICENSED)],
  },
  {
    name: 'pinned keys stand alone',
    options: { keys: [publicJwk('first')] },
    steps: [
      check(after(0), { [CHECK]: valid()[CHECK] }, LICENSED),
      check(
        after(0, 1),
        { ...valid({ at: after(0, 1), key: 'second' }), ...jwks('second') },
        { ...STILL_LICENSED, runs_until: END, error: BROKEN },
      ),
    ],
  },
  {
    name: 'an application that pins other keys than before trusts no token of theirs',
    steps: [
      first,
      open(after(0, 1), { keys: [publicJwk('second')] }),
      status(after(0, 1), { state: 'unknown', may_run: false, code: 'token_rejected' }),
    ],
  },
  {
    name: 'a policy that blocks the device after the answer revokes it',
    steps: [
      first,
      { do: 'policy', at: after(0, 2), answers: config(2, BLOCKED, after(0, 1)), expect: { version: 2 } },
      status(after(0, 3), { state: 'revoked', may_run: false, code: 'device_revoked' }),
    ],
  },
  {
    name: 'an answer of after the policy knew of the block',
    steps: [
      first,
      { do: 'policy', at: after(0, 2), answers: config(2, BLOCKED, after(0, 1)), expect: { version: 2 } },
      check(after(0, 3), valid({ at: after(0, 3) }), LICENSED),
    ],
  },
  {
    name: 'a policy that blocks others is of no concern',
    steps: [
      check(
        after(0),
        {
          ...valid(),
          ...config(
            2,
            {
              revoked: [
                { product_id: PRODUCT, device_id: 'desktop' },
                { product_id: 5, device_id: DEVICE },
              ],
            },
            after(0, 1),
          ),
        },
        LICENSED,
      ),
    ],
  },
  {
    name: 'an older policy, one of a foreign key and an unsigned one count for nothing',
    steps: [
      check(after(0), { ...valid(), ...config(5, { recheck_hours: 72 }) }, LICENSED),
      { do: 'policy', at: after(0, 1), answers: config(4, { recheck_hours: 1 }, after(0, 1)), expect: { version: 5 } },
      {
        do: 'policy',
        at: after(0, 1),
        answers: { ...config(6, {}, after(0, 1), 'foreign'), ...jwks('first') },
        expect: { error: BROKEN },
      },
      {
        do: 'policy',
        at: after(0, 1),
        answers: { [CONFIG]: { status: 200, body: { version: 9 } } },
        expect: { ok: null },
      },
      status(after(0, 2), STILL_LICENSED),
    ],
  },
  ...(
    [
      ['1.9.0', '1.10.0', true],
      ['1.10.0', '1.9.0', false],
      ['2.0.0', '2.0.0', false],
      ['2.0', '2.0.0', false],
      ['2.0.0-beta.2', '2.0.0', true],
      ['2.0.0-beta.2', '2.0.0-beta.10', true],
      ['2.0.0-rc', '2.0.0-beta.10', false],
      ['2.0.0+build.7', '2.0.0', false],
      ['nightly', '2.0.0', false],
    ] as const
  ).map(
    ([app_version, min_client_version, update_required]): Case => ({
      name: `version ${app_version} ${update_required ? 'has' : 'need not'} to update where ${min_client_version} is the lowest`,
      options: { app_version },
      steps: [check(after(0), { ...valid(), ...config(1, { min_client_version }) }, { ...LICENSED, update_required })],
    }),
  ),
  {
    name: 'another version of the application asks whether it is covered',
    options: { app_version: '1.0.0' },
    steps: [
      check(after(0), valid(), { ...LICENSED, version_covered: true, check_due: false }),
      open(after(0, 1), { app_version: '2.0.0' }),
      status(after(0, 1), { ...STILL_LICENSED, version_covered: null, check_due: true }),
      check(after(0, 1), valid({ at: after(0, 1), version_covered: false }), {
        ...LICENSED,
        version_covered: false,
        check_due: false,
      }),
    ],
  },
  {
    name: 'a clock that was set back is told, and a check sets it right',
    steps: [
      first,
      status(after(0, 5), { ...STILL_LICENSED, clock_back: false }),
      status(after(0, 4), { ...STILL_LICENSED, clock_back: true, check_due: true }),
      status(after(0, 6), { ...STILL_LICENSED, clock_back: true }),
      check(after(0, 7), valid({ at: after(0, 7) }), { ...LICENSED, clock_back: false }),
    ],
  },
  {
    name: 'five minutes back are nothing',
    steps: [first, status(after(0, 5), {}), status(after(0, 5 - 1 / 12), { clock_back: false, check_due: false })],
  },
  {
    name: 'a clock that is set back by 590 seconds of each 600 runs no copy for ever',
    steps: [
      check(after(0), valid({ claims: { exp: START / 1000 + 3600 } }), LICENSED),
      ...back(5, 600 / 3600, 590 / 3600),
      status(after(0, 0.1), { may_run: true }),
      ...back(3, 600 / 3600, 590 / 3600),
      status(after(0, 0.1), { state: 'expired', may_run: false, code: 'clock_set_back', check_due: true }),
      check(after(0, 1), valid({ at: after(0, 1) }), { ...LICENSED, clock_back: false }),
    ],
  },
  {
    name: 'a clock that is set back by a day each day runs no copy for ever',
    steps: [
      first,
      ...back(13, 24, 23.9),
      status(after(0.1), { may_run: true }),
      ...back(2, 24, 23.9),
      status(after(0.1), { state: 'expired', may_run: false, code: 'clock_set_back' }),
    ],
  },
  {
    name: 'sixteen changes of the zone in five days lock nobody out',
    steps: [
      first,
      ...Array.from({ length: 16 }, (_, n) => status(after(0, (n + 1) * 7.5 + (n % 2) * 9), { may_run: true })),
      status(after(5), { may_run: true }),
    ],
  },
  {
    name: 'a clock that stands still does not stop the time of the process',
    steps: [
      check(after(0), valid({ claims: { exp: START / 1000 + 2 } }), LICENSED),
      { do: 'wait', at: after(0), seconds: 3, expect: {} },
      status(after(0), { state: 'expired', may_run: false, code: 'clock_set_back' }),
    ],
  },
  {
    name: 'a clock far behind the server’s leaves a payer running, also once it is set right',
    steps: [
      check('1970-01-02T00:00:00.000Z', valid(), { ...LICENSED, clock_back: true }),
      status('1970-01-02T12:00:00.000Z', { ...STILL_LICENSED, clock_back: true, check_due: true }),
      status(after(13), GRACE),
      status(END, TOO_LONG),
    ],
  },
  {
    name: 'a clock ahead of the server’s counts from there',
    steps: [
      check(after(100), valid(), { ...LICENSED, runs_until: END }),
      status(after(100, 23), STILL_LICENSED),
      status(after(101), GRACE),
      status(after(114), TOO_LONG),
    ],
  },
  {
    name: 'a clock that was ahead and is right again counts from there',
    steps: [
      check(after(100), valid(), LICENSED),
      status(after(0, 2), STILL_LICENSED),
      status(after(13), GRACE),
      status(after(14), TOO_LONG),
    ],
  },
  {
    name: 'a clock that was ahead without a network is set right by a check',
    steps: [
      first,
      status(after(400), TOO_LONG),
      status(after(1), { state: 'expired', may_run: false, code: 'clock_set_back', clock_back: true }),
      check(after(1), valid({ at: after(1) }), { ...LICENSED, clock_back: false }),
    ],
  },
  {
    name: 'an answer of before, sent again, sets no clock back',
    steps: [
      first,
      status(after(13), GRACE),
      check(after(0, 1), valid({ claims: { nonce: 'an-answer-of-before-00' } }), { clock_back: true }),
      status(after(0, 18), { ...GRACE, clock_back: true }),
      status(after(1, 1), { state: 'expired', may_run: false, code: 'clock_set_back' }),
    ],
  },
  {
    name: 'an answer without a nonce, as of an older server, licenses',
    steps: [
      check(after(0), valid({ claims: { nonce: undefined } }), { ...LICENSED, runs_until: after(14, -0.5) }),
      status(after(14, -0.5), TOO_LONG),
    ],
  },
  {
    name: 'a file from another machine licenses one that is never online, until its end',
    options: { keys: [publicJwk('first')] },
    steps: [
      {
        do: 'activate_offline',
        at: after(0),
        file: offlineFile(),
        expect: { ...LICENSED, check_due: false },
      },
      status(after(364), { ...STILL_LICENSED, check_due: false }),
      status(after(365), TOO_LONG),
    ],
  },
  {
    name: 'a file for another device is refused',
    options: { keys: [publicJwk('first')] },
    steps: [
      {
        do: 'activate_offline',
        at: after(0),
        file: offlineFile({ claims: { device_id: 'desktop' } }),
        expect: { ...NEVER, error: { code: 'wrong_file' } },
      },
      { do: 'activate_offline', at: after(0), file: 'no JSON', expect: { ...NEVER, error: { code: 'wrong_file' } } },
    ],
  },
  {
    name: 'a file is not trusted by keys that nobody pinned',
    steps: [
      {
        do: 'activate_offline',
        at: after(0),
        file: offlineFile(),
        expect: { ...NEVER, error: { code: 'no_keys' } },
      },
    ],
  },
];

const asks = (body: Json, key = 'svc_case') => ({ key, body });
const NO_DEVICE = { device_id: null };
const PINNED = { keys: [publicJwk('first')] };
const activate = (at: string, key: string | undefined, answers: Answers, expect: Json, more: Json = {}): Step => ({
  do: 'activate',
  at,
  ...(key !== undefined && { key }),
  answers,
  expect,
  ...more,
});
const forged = (claims: Json) => ({
  text: { token: tokenOf({ key: 'foreign', claims: { device_id: DEVICE, ...claims } }) },
});
const YEARS = { exp: Date.UTC(2026, 11) / 1000, nonce: undefined };

/** The error if nothing can be stored. */
const UNKEPT = { code: 'not_remembered', status: null, message: { $matches: "^The license can't be kept: ." } };
const EACH = (edit: Edit): Readonly<Record<string, Edit>> =>
  Object.fromEntries(['answer-4', 'clock-4', 'trust-4', 'device', 'key'].map((name) => [`${name}.{scope}`, edit]));

const TOKEN = 'POST /oauth/token';
const granted: Answer = {
  body: { access_token: 'svc_signed-in', device_id: DEVICE, key_prefix: 'svc_sig', replaced_key_prefix: null },
};
const waits = (error: string): Answer => ({ status: 400, body: { error, error_description: 'Why.' } });
const signIn = (answers: Answer | readonly Answer[], expect: Json, more: Json = {}): Step => ({
  do: 'sign_in',
  at: after(0),
  options: { client_id: 'cli' },
  answers: {
    'GET /.well-known/oauth-protected-resource': { body: { authorization_servers: ['{api}'] } },
    'POST /oauth/device_authorization': {
      body: {
        device_code: 'code',
        user_code: 'BCDF-GHJK',
        verification_uri: '{api}/device',
        verification_uri_complete: '{api}/device?user_code=BCDF-GHJK',
        expires_in: 60,
        interval: 5,
      },
    },
    [TOKEN]: answers,
  },
  expect,
  ...more,
});

/** Damaged or foreign texts. */
const DAMAGED: Readonly<Record<string, Edit>> = {
  'an empty file': '',
  'a byte order mark': '\ufeff',
  'half a file': '{"token":"eyJ',
  'a number': '7',
  'a list': '[null]',
  'null as its text': 'null',
  'other types': '{"token":7,"refusal":"x","app_version":[],"time":"x","seen":{},"policy":1,"keys":{"a":1},"key":[]}',
  'a prototype': '{"refusal":{"code":"toString"},"__proto__":{"token":"x"}}',
  'numbers of no date': '{"time":1e300,"seen":-1e300}',
  'a long file': 'x'.repeat(4000),
};

const EXTRA_KEYS = [
  null,
  7,
  'first',
  {},
  { kty: 'RSA', kid: 'first', n: 'AQAB', e: 'AQAB' },
  { kty: 'OKP', crv: 'X25519', kid: 'first', x: publicJwk('first').x },
  { kty: 'OKP', crv: 'Ed25519', kid: 'first', x: 'AAAA' },
  { kty: 'OKP', crv: 'Ed25519', kid: 'first', x: 'not base64url!' },
  { kty: 'OKP', crv: 'Ed25519', kid: 7, x: publicJwk('first').x },
  { kty: 'OKP', crv: 'Ed25519', x: publicJwk('first').x },
];

const answer = (more: Answer): Answers => ({ [CHECK]: more });
const within = (seconds: number, one: Case, options: Json): Case => ({
  ...one,
  options,
  steps: one.steps.map((step, n) => (n === 0 ? step : { ...step, within: seconds })),
});

/** Lying servers, and faulty networks. */
const liars = (): Case[] => [
  ...(
    [
      ['a redirect to another origin', { status: 302, headers: { location: '{other}/api/license/check' } }],
      ['a redirect that keeps the body', { status: 307, headers: { location: '{other}/api/license/check' } }],
      ['a captive portal’s page', { body: '<html><body>Accept our terms</body></html>' }],
      ['an empty answer', { body: '' }],
      ['a list', { body: [] }],
      ['null', { body: null }],
      ['a text', { body: '"valid"' }],
      ['the code "toString"', refused('toString', 'No.')[CHECK]],
      ['the code "__proto__"', refused('__proto__', 'No.')[CHECK]],
      ['an answer of 10 MB', valid({}, { pad: 10_000_000 })[CHECK]],
      ['an answer of 200 levels', valid({}, { deep: 200 })[CHECK]],
      ['an answer of 100,000 levels', valid({}, { deep: 100_000 })[CHECK]],
      ['a refusal of 100,000 levels', { ...(refused('not_entitled', 'No.')[CHECK] as Answer), deep: 100_000 }],
    ] as [string, Answer][]
  ).map(([name, one]) => stays(name, { ...answer(one), 'POST {other}/api/license/check': valid()[CHECK] }, BROKEN)),
  ...(
    [
      ['whose end is beyond all dates', { exp: 1e300 }],
      ['whose end is no whole number', { exp: START / 1000 + 0.5 }],
      ['whose beginning is before 1970', { iat: -1 }],
      ['whose times are texts', { iat: '0', exp: '9999999999' }],
      ['that lasts 401 days', { iat: START / 1000, exp: START / 1000 + 401 * 86_400 }],
      ['of another issuer', { iss: 'https://api.example.org' }],
      ['of an issuer on another port', { iss: 'https://api.example.com:8443' }],
      ['without an issuer', { iss: undefined }],
    ] as const
  ).map(([name, claims]) => stays(`a token ${name}`, valid({ claims }), BROKEN)),
  {
    name: 'the issuer is the address of the API where none is named, with or without a slash',
    options: { issuer: null },
    steps: [
      check(after(0), valid({ claims: { iss: '{api}' } }), LICENSED),
      check(after(0, 1), valid({ at: after(0, 1), claims: { iss: '{api}/' } }), LICENSED),
      check(after(0, 2), valid({ at: after(0, 2) }), { ...STILL_LICENSED, error: BROKEN }),
    ],
  },
  {
    name: 'a byte order mark before an answer, and 50 levels in it, do no harm',
    steps: [check(after(0), valid({}, { prefix: '\ufeff', deep: 50 }), LICENSED)],
  },
  {
    name: 'odd keys beside the shop’s are passed over',
    steps: [
      check(
        after(0),
        { ...valid(), [JWKS]: { body: { keys: [...EXTRA_KEYS, publicJwk('first')], more: [null] } } },
        LICENSED,
      ),
      status(after(0, 1), STILL_LICENSED),
    ],
  },
  ...(
    [
      ['a list of keys that is a page', { body: '<html>' }],
      ['a list of keys that is elsewhere', { status: 302, headers: { location: '{other}/.well-known/jwks.json' } }],
      ['a list of keys that is none', { body: { keys: 'first' } }],
      ['a list of odd keys', { body: { keys: EXTRA_KEYS } }],
    ] as [string, Answer][]
  ).map(
    ([name, one]): Case => ({
      name: `${name} leaves a new device without a license`,
      steps: [
        check(
          after(0),
          { ...valid(), [JWKS]: one, 'GET {other}/.well-known/jwks.json': jwks('first')[JWKS] as Answer },
          { ...NEVER, error: BROKEN },
        ),
      ],
    }),
  ),
  ...(
    [
      ['a server that never answers', { hang: true }],
      ['an answer of a byte each tenth of a second', valid({}, { trickle: true })[CHECK]],
      ['a refusal of a byte each tenth of a second', { status: 500, body: 'x'.repeat(1000), trickle: true }],
    ] as [string, Answer][]
  ).map(([name, one]) => within(3, stays(name, answer(one), { code: 'unreachable' }), { timeout: 1 })),
  within(
    3,
    {
      name: 'a list of keys that never comes ends with the call',
      steps: [
        first,
        check(
          after(0, 2),
          { ...valid({ key: 'second' }), [JWKS]: { hang: true } },
          { may_run: true, error: { status: null } },
        ),
      ],
    },
    { timeout: 1 },
  ),
  stays('an answer that breaks off', answer({ ...valid()[CHECK], cut: 40 }), { code: 'unreachable' }),
  {
    name: 'a busy server is asked three times',
    steps: [
      {
        ...check(after(0), answer({ status: 503, body: {} }), { ...NEVER, error: { status: 503 } }),
        asked: { [CHECK]: [{}, {}, {}] },
      },
      {
        ...check(
          after(0),
          { ...valid(), [CHECK]: [{ status: 502, body: '' }, { status: 429, body: {} }, valid()[CHECK]] },
          LICENSED,
        ),
        asked: { [CHECK]: [{}, {}, {}] },
      },
    ],
  },
  {
    name: 'a wait that would outlast the call is not begun',
    steps: [
      {
        ...check(after(0), answer({ status: 429, body: {}, headers: { 'retry-after': '60' } }), {
          ...NEVER,
          error: { status: 429, retry_after: 60 },
        }),
        asked: { [CHECK]: [{}] },
      },
    ],
  },
  {
    name: 'a numeric IPv6 address is an address',
    options: { api: '{api6}' },
    steps: [check(after(0), valid(), LICENSED), open(after(0), {}), status(after(0, 1), STILL_LICENSED)],
  },
  {
    name: 'a proxy of the environment is used',
    options: { api: 'http://shop.invalid' },
    env: { HTTP_PROXY: '{other}', http_proxy: '{other}', NO_PROXY: '', no_proxy: '', NODE_USE_ENV_PROXY: '1' },
    steps: [check(after(0), valid(), LICENSED)],
  },
  {
    name: 'each check sends a new nonce, the version, a name of the device, and what the last answer said to go on with',
    options: { app_version: '1.2.3', device_name: `Ada’s ${'x'.repeat(200)}` },
    steps: [
      {
        ...check(after(0), valid({ continuation: 'first' }), LICENSED),
        asked: {
          [CHECK]: [
            {
              key: 'svc_case',
              body: {
                product_id: PRODUCT,
                device_id: DEVICE,
                app_version: '1.2.3',
                device_name: { $matches: '^Ada’s x{94}$' },
                nonce: { $matches: '^[A-Za-z0-9_-]{22}$' },
              },
            },
          ],
        },
      },
      {
        ...check(after(1), valid({ at: after(1) }), LICENSED),
        asked: { [CHECK]: [asks({ nonce: { $new: 'nonce' }, continuation: 'first' })] },
      },
      {
        ...check(after(2), valid({ at: after(2) }), LICENSED),
        asked: { [CHECK]: [asks({ nonce: { $new: 'nonce' } })] },
      },
    ],
  },
  {
    name: 'the log has each request, and no key',
    steps: [
      first,
      { do: 'log', at: after(0), expect: { ok: { $matches: String.raw`POST /api/license/check 200 in \d+\.\d\d s` } } },
      { do: 'log', at: after(0), expect: { ok: { $not: { $matches: 'svc_case|eyJ' } } } },
    ],
  },
];

/** Buyers who edit the files on their machine. */
const editors = (): Case[] => [
  {
    name: 'a file whose unsigned time says 1990 runs to the end of its token',
    options: PINNED,
    steps: [
      { do: 'activate_offline', at: after(0), file: offlineFile({}, '1990-01-01T00:00:00.000Z'), expect: LICENSED },
      status(after(364), STILL_LICENSED),
      status(after(365), TOO_LONG),
    ],
  },
  {
    name: 'a clock of 1990 runs an offline file from the moment that is signed in it',
    options: PINNED,
    steps: [
      {
        do: 'activate_offline',
        at: '1990-01-01T00:00:00.000Z',
        file: offlineFile(),
        expect: { ...LICENSED, clock_back: true },
      },
      status('1990-12-30T00:00:00.000Z', STILL_LICENSED),
      status('1991-01-02T00:00:00.000Z', { state: 'expired', may_run: false, code: 'clock_set_back' }),
    ],
  },
  {
    name: 'unsigned times in the answer that is remembered count for nothing',
    steps: [
      first,
      {
        ...status(after(13), GRACE),
        store: { 'answer-4.{scope}': { members: { ahead: 3e8, checked_at: '1990-01-01T00:00:00.000Z', backs: -1e9 } } },
      },
      status(END, TOO_LONG),
    ],
  },
  {
    name: 'with pinned keys, a key and a token of the buyer’s own are nothing',
    options: PINNED,
    steps: [
      first,
      {
        ...status(after(0, 1), { state: 'unknown', may_run: false, code: 'token_rejected' }),
        store: {
          'trust-4.{scope}': { text: { keys: [publicJwk('foreign')], policy: null } },
          'answer-4.{scope}': forged(YEARS),
        },
      },
      check(after(0, 2), valid({ at: after(0, 2) }), LICENSED),
    ],
  },
  {
    name: 'keys in an offline file count for nothing',
    steps: [
      {
        do: 'activate_offline',
        at: after(0),
        file: { text: { token: tokenOf({ claims: { ...OFFLINE, device_id: DEVICE } }), keys: [publicJwk('first')] } },
        expect: { ...NEVER, error: { code: 'no_keys' } },
      },
    ],
  },
  {
    name: 'a refusal that was taken out of the file is no license',
    steps: [
      first,
      check(after(1), refused('entitlement_revoked', 'Refunded.'), { state: 'revoked' }),
      {
        ...status(after(1), { state: 'unknown', may_run: false, code: 'never_checked' }),
        store: { 'answer-4.{scope}': { members: { refusal: null } } },
      },
    ],
  },
  {
    name: 'another device id in the file is another device, whose token is not this one’s',
    options: NO_DEVICE,
    steps: [
      first,
      {
        ...status(after(0, 1), { state: 'unknown', may_run: false, code: 'token_rejected' }),
        store: { 'device.{scope}': 'desktop' },
      },
    ],
  },
  {
    name: 'the license of one shop is nothing in the client of another, and its key is not sent there',
    options: { ...NO_DEVICE, key: null },
    steps: [
      activate(after(0), 'svc_case', valid(), LICENSED),
      open(after(0), { api: '{other}' }),
      status(after(0), NEVER),
      check(after(0), {}, { ...NEVER, error: { code: 'no_key' } }),
      open(after(0), {}),
      status(after(0), STILL_LICENSED),
    ],
  },
  {
    name: 'a token for one product is nothing for another',
    steps: [first, open(after(0), { product_id: 5 }), status(after(0), NEVER)],
  },
  {
    name: 'a version outside the update window is refused where the product says so',
    options: { app_version: '2.0.0' },
    steps: [
      check(after(0), valid({ version_covered: false, claims: { uncovered_versions: 'refused' } }), {
        state: 'expired',
        may_run: false,
        code: 'version_not_covered',
        version_covered: false,
        error: null,
      }),
      open(after(0), { app_version: '1.0.0' }),
      status(after(0, 1), { ...STILL_LICENSED, version_covered: null, check_due: true }),
      open(after(0), { app_version: '2.0.0' }),
      status(after(0, 2), { state: 'expired', may_run: false, code: 'version_not_covered' }),
      check(after(1), valid({ at: after(1), claims: { uncovered_versions: 'refused' } }), LICENSED),
    ],
  },
  {
    name: 'a version outside the update window runs where the product says nothing',
    options: { app_version: '2.0.0' },
    steps: [check(after(0), valid({ version_covered: false }), { ...LICENSED, version_covered: false })],
  },
  {
    name: 'a copied folder that the server tells apart is refused, and becomes a device of its own',
    options: NO_DEVICE,
    steps: [
      {
        ...check(after(0), valid({ continuation: 'one' }), LICENSED),
        asked: { [CHECK]: [asks({ device_id: { $same: 'device' } })] },
      },
      {
        ...check(after(1), refused('device_shared', 'Two machines use this license.'), {
          state: 'revoked',
          may_run: false,
          code: 'device_shared',
          message: 'Two machines use this license.',
        }),
        machine: 'copy',
        asked: { [CHECK]: [asks({ device_id: { $same: 'device' }, continuation: 'one' })] },
      },
      {
        ...activate(after(1), undefined, valid({ at: after(1) }), LICENSED),
        machine: 'copy',
        asked: { [CHECK]: [asks({ device_id: { $new: 'device' } })] },
      },
      {
        ...check(after(2), valid({ at: after(2) }), LICENSED),
        machine: 'copy',
        asked: { [CHECK]: [asks({ device_id: { $same: 'device' } })] },
      },
    ],
  },
];

/** Disks, processes and threads. */
const machines = (): Case[] => [
  {
    name: 'eight processes at a first start are one device',
    options: { ...NO_DEVICE, key: null },
    steps: [
      {
        ...activate(after(0), 'lic_first-start', valid(), LICENSED),
        processes: 8,
        asked: { [CHECK]: asks({ device_id: { $same: 'device' } }, 'lic_first-start') },
      },
      {
        ...check(after(0), valid(), LICENSED),
        asked: { [CHECK]: asks({ device_id: { $same: 'device' } }, 'lic_first-start') },
      },
    ],
  },
  {
    name: 'twenty calls at once at a first start are one device',
    options: { ...NO_DEVICE, key: null },
    steps: [
      {
        do: 'together',
        at: after(0),
        calls: Array.from({ length: 20 }, () => ({ do: 'activate', key: 'lic_first-start' })),
        answers: valid(),
        expect: LICENSED,
        asked: { [CHECK]: asks({ device_id: { $same: 'device' } }, 'lic_first-start') },
      },
    ],
  },
  {
    name: 'eight processes that find a damaged device id are one device',
    options: NO_DEVICE,
    steps: [
      {
        ...check(after(0), valid(), LICENSED),
        store: { 'device.{scope}': '\ufeff \n' },
        processes: 8,
        asked: { [CHECK]: asks({ device_id: { $same: 'device' } }) },
      },
    ],
  },
  ...Object.entries({
    deleted: null,
    empty: '',
    'a byte order mark': '\ufeff',
    long: 'x'.repeat(300),
    'full of zeros': '\0'.repeat(36),
  }).map(
    ([name, text]): Case => ({
      name: `a device id that is ${name} is that of the token`,
      options: NO_DEVICE,
      steps: [
        { ...first, asked: { [CHECK]: asks({ device_id: { $same: 'device' } }) } },
        { ...status(after(0, 1), STILL_LICENSED), store: { 'device.{scope}': text } },
        {
          ...check(after(1), refused('entitlement_revoked', 'Refunded.'), { state: 'revoked' }),
          asked: { [CHECK]: asks({ device_id: { $same: 'device' } }) },
        },
        {
          ...check(after(2), valid({ at: after(2) }), LICENSED),
          asked: { [CHECK]: asks({ device_id: { $same: 'device' } }) },
        },
      ],
    }),
  ),
  {
    name: 'the files of a former version license, on the device and with the key of before',
    options: { ...NO_DEVICE, key: null },
    steps: [
      {
        ...status(after(0, 1), STILL_LICENSED),
        store: {
          device: 'old-device',
          key: { text: { key: 'svc_of-before' } },
          'answer-4': {
            text: {
              token: tokenOf({ claims: { device_id: 'old-device', nonce: undefined } }),
              refusal: null,
              checked_at: after(0),
              app_version: null,
              ahead: 0,
            },
          },
          'clock-4': { text: { last: START / 1000, backs: 3 } },
          'trust-4': { text: { keys: [publicJwk('first')], policy: null } },
        },
      },
      {
        ...check(after(1), valid({ at: after(1) }), LICENSED),
        asked: { [CHECK]: [asks({ device_id: 'old-device' }, 'svc_of-before')] },
      },
      status(after(2), GRACE),
    ],
  },
  ...['answer-4', 'clock-4', 'trust-4', 'key'].flatMap((name) =>
    Object.entries(DAMAGED).map(
      ([what, edit]): Case => ({
        name: `${what} in the place of ${name} is as if it were not there`,
        steps: [
          first,
          {
            ...status(
              after(0, 1),
              { 'answer-4': NEVER, 'trust-4': { state: 'unknown', code: 'token_rejected' } }[name] ?? STILL_LICENSED,
            ),
            store: { [`${name}.{scope}`]: edit },
          },
          check(after(1), valid({ at: after(1) }), LICENSED),
          status(after(2), GRACE),
        ],
      }),
    ),
  ),
  ...(
    [
      ['a file in the place of the folder', { '.': 'a file' }, {}],
      ['a folder in the place of each file', EACH({ folder: true }), { options: NO_DEVICE }],
      ['a full disk', { 'device.{scope}': DEVICE }, { options: NO_DEVICE, full_disk: true }],
    ] as [string, Record<string, Edit>, Partial<Case>][]
  ).map(
    ([name, store, more]): Case => ({
      name: `${name} locks nobody out whose device has an id, while the application runs, and is told`,
      ...more,
      steps: [
        {
          ...check(after(0), valid({ continuation: 'one' }), { ...STILL_LICENSED, error: UNKEPT }),
          store,
          asked: { [CHECK]: asks({ device_id: { $same: 'device' } }) },
        },
        status(after(0, 1), STILL_LICENSED),
        {
          ...check(after(1), valid({ at: after(1) }), { ...STILL_LICENSED, error: { code: 'not_remembered' } }),
          // Two processes that each keep their own value would look like two machines.
          asked: { [CHECK]: asks({ device_id: { $same: 'device' }, continuation: { $not: 'one' } }) },
        },
        status(after(1, 1), STILL_LICENSED),
        check(after(2), refused('entitlement_revoked', 'Refunded.'), { state: 'revoked', may_run: false }),
        status(after(2), { state: 'revoked', may_run: false }),
      ],
    }),
  ),
  {
    name: 'a key that can’t be written works while the application runs',
    options: { key: null },
    full_disk: true,
    steps: [
      activate(after(0), 'lic_full-disk', valid(), { ...STILL_LICENSED, error: UNKEPT }),
      {
        ...check(after(1), valid({ at: after(1) }), { ...STILL_LICENSED, error: { code: 'not_remembered' } }),
        asked: { [CHECK]: [asks({}, 'lic_full-disk')] },
      },
    ],
  },
  ...(
    [
      ['a file in the place of the folder', { '.': 'a file' }, {}],
      ['a full disk', {}, { full_disk: true }],
    ] as [string, Record<string, Edit>, Partial<Case>][]
  ).map(
    ([name, store, more]): Case => ({
      name: `${name} takes no slot that nobody could remember, and is told before a missing key`,
      options: { ...NO_DEVICE, key: null },
      ...more,
      steps: [
        { ...status(after(0), NEVER), store },
        { ...check(after(0), valid(), { ...NEVER, error: UNKEPT }), asked: { [CHECK]: [] } },
        activate(after(0), 'lic_full-disk', valid(), { ...NEVER, error: UNKEPT }, { asked: { [CHECK]: [] } }),
        { do: 'offline_request', at: after(0), expect: { error: UNKEPT } },
        signIn([granted], { error: UNKEPT }, { asked: { [TOKEN]: [] } }),
      ],
    }),
  ),
  {
    name: 'a pipe in the place of each file hangs nobody',
    options: { ...NO_DEVICE, key: null },
    steps: [
      activate(after(0), KEY, valid(), STILL_LICENSED, { store: { ...EACH({ pipe: true }) }, within: 3 }),
      open(after(0), {}),
      status(after(0, 1), STILL_LICENSED),
    ],
  },
  {
    name: 'a link in the place of a file is replaced, and nothing is written through it',
    steps: [
      {
        ...check(after(0), valid(), LICENSED),
        files: { victim: 'mine' },
        store: { 'answer-4.{scope}': { link: '{files}/victim' }, 'clock-4.{scope}': { link: '{files}/victim' } },
        expect_files: { victim: 'mine' },
      },
      status(after(0, 1), STILL_LICENSED),
    ],
  },
];

const WRONG_KEYS = [
  '',
  '   ',
  'lic',
  'my-key',
  'lic_…',
  'Your license key is lic_abcdefgh!',
  '열쇠-lic_abcdefgh',
  `lic_${'x'.repeat(300)}`,
  'lic_abc\0defgh',
];
const KEY = 'lic_ABCDEFGH-0123';
const PASTED: Readonly<Record<string, string>> = {
  'white space around it': ` \t${KEY}\r\n`,
  'a line break of a mail in it': 'lic_ABCDEF=\r\nGH-0123'.replace('=', ''),
  'zero-width characters in it': `\ufefflic_\u200bABCD\u200dEFGH\u2060-01\u00ad23`,
  'straight quotes around it': `"${KEY}"`,
  'curly quotes around it': `“${KEY}”`,
  'guillemets around it': `« ${KEY} »`,
  'backticks around it': `\`${KEY}\``,
  'angle brackets around it': `<${KEY}>`,
  'wide and unbreakable spaces in it': `lic_ABCDEFGH\u00a0-0123\u3000`,
};

/** Keys as buyers paste them. */
const keys = (): Case[] => [
  ...Object.entries(PASTED).map(
    ([name, key]): Case => ({
      name: `a key with ${name} is cleaned`,
      options: { key: null },
      steps: [{ ...activate(after(0), key, valid(), LICENSED), asked: { [CHECK]: [asks({}, KEY)] } }],
    }),
  ),
  ...WRONG_KEYS.map(
    (key): Case => ({
      name: `${JSON.stringify(key.slice(0, 40))} is no key, and replaces none`,
      options: { key: null },
      steps: [
        activate(after(0), 'svc_case', valid(), LICENSED),
        {
          ...activate(after(0, 1), key, valid(), { ...STILL_LICENSED, error: { code: 'not_a_key', status: null } }),
          asked: { [CHECK]: [] },
        },
        { ...check(after(0, 2), valid(), LICENSED), asked: { [CHECK]: [asks({})] } },
      ],
    }),
  ),
  ...(
    [
      ['a key that the server does not know', { status: 401, body: { message: 'Unauthenticated.' } }, { status: 401 }],
      ['a key without a network', null, { code: 'unreachable' }],
      ['a key before a busy server', { status: 503, body: {} }, { status: 503 }],
      [
        'a key of another product',
        { status: 404, body: { message: 'Not found.', error: 'not_found' } },
        { status: 404 },
      ],
      ['a key whose answer is a page', { body: '<html>' }, BROKEN],
      [
        'a key of an account without access',
        refused('not_entitled', 'Buy it.')[CHECK],
        { status: 200, code: 'not_entitled', message: 'Buy it.' },
      ],
      [
        'a key whose devices are all in use',
        {
          status: 409,
          body: { valid: false, code: 'device_limit_reached', error: 'device_limit_reached', message: 'Full.' },
        },
        { status: 409, code: 'device_limit_reached' },
      ],
    ] as [string, Answer | null, Json][]
  ).map(
    ([name, one, error]): Case => ({
      name: `${name} replaces none of a license that runs`,
      options: { key: null },
      steps: [
        activate(after(0), 'svc_case', valid(), LICENSED),
        activate(after(0, 1), 'lic_another-one', one ? answer(one) : {}, { ...STILL_LICENSED, runs_until: END, error }),
        status(after(0, 1), STILL_LICENSED),
        { ...check(after(0, 2), valid(), LICENSED), asked: { [CHECK]: [asks({})] } },
      ],
    }),
  ),
  {
    name: 'a key that is refused is kept where nothing runs, so that a purchase mends it',
    options: { key: null },
    steps: [
      activate(after(0), 'lic_not-yet-paid', answer(refused('not_entitled', 'Buy it.')[CHECK] as Answer), {
        state: 'unknown',
        code: 'not_entitled',
        error: null,
      }),
      { ...check(after(1), valid({ at: after(1) }), LICENSED), asked: { [CHECK]: [asks({}, 'lic_not-yet-paid')] } },
    ],
  },
  {
    name: 'a key that the server does not know is not kept where nothing was',
    options: { key: null },
    steps: [
      activate(after(0), 'lic_not-known', answer({ status: 401, body: {} }), { ...NEVER, error: { status: 401 } }),
      check(after(0), valid(), { ...NEVER, error: { code: 'no_key' } }),
    ],
  },
  {
    name: 'a new key takes the place of the old one once the server takes it',
    options: { key: null },
    steps: [
      activate(after(0), 'svc_case', valid(), LICENSED),
      activate(after(1), 'lic_the-new-one', valid({ at: after(1) }), LICENSED),
      open(after(1), {}),
      { ...check(after(2), valid({ at: after(2) }), LICENSED), asked: { [CHECK]: [asks({}, 'lic_the-new-one')] } },
    ],
  },
  {
    name: 'a key that is pasted while a check is in flight is not lost',
    options: { key: null },
    steps: [
      activate(after(0), 'svc_case', valid(), LICENSED),
      {
        do: 'together',
        at: after(1),
        calls: [{ do: 'check' }, { do: 'activate', key: 'lic_the-new-one' }, { do: 'check' }],
        answers: {
          ...jwks('first'),
          [`${CHECK} svc_case`]: { ...(refused('entitlement_revoked', 'Refunded.')[CHECK] as Answer), after: 0.3 },
          [`${CHECK} lic_the-new-one`]: valid({ at: after(1) })[CHECK],
        },
        expect: {},
      },
      status(after(1), STILL_LICENSED),
      { ...check(after(2), valid({ at: after(2) }), LICENSED), asked: { [CHECK]: [asks({}, 'lic_the-new-one')] } },
    ],
  },
  {
    name: 'a key of a former version that no request can carry is told',
    options: { key: null },
    steps: [
      {
        ...check(after(0), valid(), { ...NEVER, error: { code: 'not_a_key', status: null } }),
        store: { 'key.{scope}': { text: { key: 'lic_…' } } },
      },
      activate(after(0), 'svc_case', valid(), LICENSED),
    ],
  },
];

/** Devices that sign in by a code. */
const signIns = (): Case[] => [
  {
    name: 'a sign-in waits for the buyer, also without a network, and its key asks from then on',
    options: { ...NO_DEVICE, key: null },
    steps: [
      signIn(
        [waits('authorization_pending'), waits('slow_down'), { status: 500, body: '' }, { cut: 0 }, granted],
        { device_id: DEVICE, key_prefix: 'svc_sig', replaced_key_prefix: null },
        { asked: { [TOKEN]: [{}, {}, {}, {}, { key: null }] } },
      ),
      {
        ...check(after(0), valid(), LICENSED),
        asked: { [CHECK]: [asks({ device_id: DEVICE }, 'svc_signed-in')] },
      },
    ],
  },
  {
    name: 'a sign-in that the buyer denies, and one whose code ends, say so',
    options: { key: null },
    steps: [
      signIn(waits('access_denied'), { error: { status: 400, code: 'access_denied', message: 'Why.' } }),
      signIn(waits('authorization_pending'), { error: { status: 400, code: 'expired_token' } }),
    ],
  },
  {
    name: 'a sign-in can be cancelled, also before a server that never answers',
    options: { key: null, timeout: 1 },
    steps: [signIn({ hang: true }, { error: { status: null, code: 'cancelled' } }, { cancel: 0.3, within: 3 })],
  },
];

/** The Unix time of 9999-01-01, at which a perpetual token ends. */
const NEVER_ENDS = 253_370_764_800;
const PERPETUAL = { perpetual: true, exp: NEVER_ENDS };
const FOR_EVER = { ...LICENSED, runs_until: '9999-01-01T00:00:00.000Z' };
const TERMS = { edition: 'pro', features: ['export', 'sync'], metadata: { support: 'gold', greeting: '안녕' } };
const WITHOUT_TERMS = { edition: null, features: [] };

const has = (at: string, feature: string, ok: boolean): Step => ({ do: 'has', at, feature, expect: { ok } });

/** Terms of which another rule of names could make something else. */
const ODD_TERMS = {
  edition: 'Pro.2:a_b-c',
  features: ['Export', 'constructor', '__proto__', 'caf\u00e9'],
  metadata: { ...JSON.parse('{"__proto__": "a", "constructor": "b"}'), long: '\ud55c'.repeat(500), empty: '' },
};

/** Editions, features and the shop's metadata; tokens without an end. */
const terms = (): Case[] => [
  {
    name: 'the edition, features and metadata of a license are those of its token, as long as it runs',
    steps: [
      check(after(0), valid({ claims: TERMS }), { ...LICENSED, ...TERMS, days_left: null, lease_id: null }),
      has(after(0, 1), 'export', true),
      has(after(0, 1), 'print', false),
      has(after(0, 1), 'toString', false),
      status(END, { ...TOO_LONG, ...WITHOUT_TERMS, metadata: { $not: { support: 'gold' } } }),
      has(END, 'export', false),
      check(after(15), refused('not_entitled', 'Buy it.'), { ...WITHOUT_TERMS, may_run: false }),
      has(after(15), 'export', false),
    ],
  },
  {
    name: 'a token without features, as of an older server, licenses the application without them',
    steps: [check(after(0), valid(), { ...LICENSED, ...WITHOUT_TERMS }), has(after(0), 'export', false)],
  },
  {
    name: 'features of an edited file, of another product and of a foreign key count for nothing',
    steps: [
      check(after(0), valid({ claims: TERMS }), { ...LICENSED, ...TERMS }),
      ...[
        tokenOf({ claims: { ...TERMS, product_id: 5 } }),
        tokenOf({ key: 'foreign', claims: TERMS }),
        tokenOf({ typ: 'client-policy+jws', claims: TERMS }),
      ].flatMap((token) => [
        {
          ...status(after(0, 1), { state: 'unknown', code: 'token_rejected', ...WITHOUT_TERMS }),
          store: { 'answer-4.{scope}': { members: { token, ...TERMS } } },
        },
        has(after(0, 1), 'export', false),
      ]),
    ],
  },
  {
    name: 'a feature is named exactly, and names that a language uses itself are names like others',
    steps: [
      check(after(0), valid({ claims: ODD_TERMS }), { ...LICENSED, ...ODD_TERMS }),
      has(after(0), 'Export', true),
      has(after(0), 'export', false),
      has(after(0), 'Export ', false),
      has(after(0), 'constructor', true),
      has(after(0), 'valueOf', false),
      has(after(0), '', false),
    ],
  },
  {
    name: 'features and metadata of other types count for nothing',
    steps: [
      check(
        after(0),
        valid({ claims: { edition: 7, features: [null, 7, 'export', {}], metadata: { a: 1, b: 'x' } } }),
        {
          ...LICENSED,
          edition: null,
          features: ['export'],
          metadata: { b: 'x', a: { $not: 1 } },
        },
      ),
      check(after(1), valid({ at: after(1), claims: { features: 'export', metadata: [['a']] } }), {
        ...LICENSED,
        ...WITHOUT_TERMS,
      }),
    ],
  },
  {
    name: 'a perpetual token runs for ever, and still says when to check',
    steps: [
      { ...check(after(0), valid({ claims: PERPETUAL }), FOR_EVER), asked: { [CHECK]: [asks({ perpetual: true })] } },
      status(after(0, 23), { ...STILL_LICENSED, check_due: false }),
      status(after(1), { ...STILL_LICENSED, check_due: true }),
      status(after(36_525), { ...STILL_LICENSED, check_due: true, clock_back: false }),
      status('9998-12-31T23:59:59.000Z', STILL_LICENSED),
      status(after(2), { ...STILL_LICENSED, clock_back: true }),
      check(after(2), valid({ at: after(2), claims: PERPETUAL }), { ...FOR_EVER, clock_back: false }),
    ],
  },
  {
    name: 'a perpetual token ends with its access, and by the policy and the server',
    steps: [
      check(after(0), valid({ access_expires_at: after(3), claims: PERPETUAL }), LICENSED),
      status(after(3), { state: 'expired', code: 'access_expired' }),
      check(after(4), valid({ at: after(4), claims: PERPETUAL }), FOR_EVER),
      { do: 'policy', at: after(5), answers: config(2, BLOCKED, after(5)), expect: { version: 2 } },
      status(after(5), { state: 'revoked', may_run: false, code: 'device_revoked' }),
      check(after(6), refused('entitlement_revoked', 'Refunded.'), { state: 'revoked', may_run: false }),
    ],
  },
  stays(
    'a token that lasts for ever and does not say that it is perpetual',
    valid({ claims: { exp: NEVER_ENDS } }),
    BROKEN,
  ),
  stays('a perpetual token whose end is beyond all dates', valid({ claims: { ...PERPETUAL, exp: 1e15 } }), BROKEN),
  {
    name: 'a perpetual file licenses a machine that is never online for ever',
    options: PINNED,
    steps: [
      { do: 'offline_request', at: after(0), expect: { ok: { $matches: '"perpetual": ?true' } } },
      {
        do: 'activate_offline',
        at: after(0),
        file: offlineFile({ claims: PERPETUAL }),
        expect: { ...FOR_EVER, check_due: false },
      },
      status(after(4000), { ...STILL_LICENSED, check_due: false }),
    ],
  },
];

/** The answer about a trial of 14 days that started at `from`. */
const tried = (at = after(0), claims: Json = {}): Answers => {
  const trial = { access_source: 'trial', access_expires_at: END };
  const exp = Date.parse(END) / 1000;
  const token = tokenOf({ at, claims: { ...trial, trial: true, sub: 'trial', exp, ...claims } });
  return { ...jwks('first'), [TRIAL]: { status: 200, body: { ...decided(at, END, true), ...trial, token } } };
};
const ended = (at: string): Answers => ({
  [TRIAL]: refused('trial_ended', 'Your trial ended.', at, { access_source: 'trial' })[CHECK] as Answer,
});
const TRYING = { state: 'trial', may_run: true, code: 'valid' };
const TRIAL_OVER = { state: 'expired', may_run: false, code: 'trial_ended', days_left: null, runs_until: null };
const startTrial = (at: string, answers: Answers, expect: Json, more: Json = {}): Step => ({
  do: 'start_trial',
  at,
  answers,
  expect,
  ...more,
});
const NO_KEY = { key: null };

const trials = (): Case[] => [
  {
    name: 'a trial starts without a key, tells its days, and ends',
    options: NO_KEY,
    steps: [
      startTrial(
        after(0),
        tried(),
        { ...TRYING, error: null, days_left: 14, runs_until: END, access_expires_at: END, check_due: false },
        {
          asked: {
            [TRIAL]: [
              {
                key: null,
                body: { product_id: PRODUCT, device_id: DEVICE, nonce: { $matches: '^[A-Za-z0-9_-]{22}$' } },
              },
            ],
          },
        },
      ),
      status(after(0, 25), { ...TRYING, days_left: 13, check_due: true }),
      { ...status(after(13), { ...TRYING, days_left: 1 }), processes: 1 },
      status(after(13, 23), { ...TRYING, days_left: 1 }),
      status(END, { ...TRIAL_OVER, check_due: true }),
      has(END, 'export', false),
    ],
  },
  {
    name: 'a trial has the features of its token',
    options: NO_KEY,
    steps: [startTrial(after(0), tried(after(0), TERMS), { ...TRYING, ...TERMS }), has(after(1), 'sync', true)],
  },
  {
    name: 'a check without a key asks for the trial again, also after its end',
    options: NO_KEY,
    steps: [
      startTrial(after(0), tried(), TRYING),
      { ...check(after(1), tried(after(1)), { ...TRYING, error: null }), asked: { [TRIAL]: [{ key: null }] } },
      check(after(2), ended(after(2)), { ...TRIAL_OVER, message: 'Your trial ended.', error: null }),
      status(after(3), { ...TRIAL_OVER, message: 'Your trial ended.' }),
      check(after(3), {}, { ...TRIAL_OVER, error: { code: 'unreachable' } }),
      check(after(3), tried(after(3)), { ...TRYING, message: null, error: null }),
    ],
  },
  {
    name: 'a trial without a server does not start, and says why',
    options: NO_KEY,
    steps: [startTrial(after(0), {}, { ...NEVER, error: { code: 'unreachable' } })],
  },
  {
    name: 'a product without a trial leaves a new device without a license',
    options: NO_KEY,
    steps: [
      startTrial(
        after(0),
        { [TRIAL]: { status: 409, body: { message: 'This product has no trial.', error: 'trial_not_offered' } } },
        { ...NEVER, error: { status: 409, code: 'trial_not_offered', message: 'This product has no trial.' } },
      ),
    ],
  },
  ...(
    [
      [
        'of a foreign key',
        { ...tried(), [TRIAL]: { body: { ...decided(after(0), END, true), token: tokenOf({ key: 'foreign' }) } } },
      ],
      ['of another device', tried(after(0), { device_id: 'desktop' })],
    ] as [string, Answers][]
  ).map(
    ([name, answers]): Case => ({
      name: `a trial ${name} does not start`,
      options: NO_KEY,
      steps: [startTrial(after(0), answers, { ...NEVER, error: BROKEN })],
    }),
  ),
  {
    name: 'a purchase replaces the trial on the same device, and no trial replaces it',
    options: { ...NO_KEY, ...NO_DEVICE },
    steps: [
      startTrial(after(0), tried(), TRYING, { asked: { [TRIAL]: [{ body: { device_id: { $same: 'device' } } }] } }),
      activate(
        after(1),
        'lic_bought',
        valid({ at: after(1) }),
        { ...LICENSED, days_left: null },
        {
          asked: { [CHECK]: [asks({ device_id: { $same: 'device' } }, 'lic_bought')] },
        },
      ),
      startTrial(after(2), tried(after(2)), { may_run: true, state: 'grace', error: null }, { asked: { [TRIAL]: [] } }),
    ],
  },
  {
    name: 'a pasted key that is refused leaves the trial running',
    options: NO_KEY,
    steps: [
      startTrial(after(0), tried(), TRYING),
      activate(after(1), 'lic_not-yet-paid', refused('not_entitled', 'Buy it.'), {
        ...TRYING,
        error: { code: 'not_entitled', message: 'Buy it.' },
      }),
      { ...check(after(1), tried(after(1)), { ...TRYING, error: null }), asked: { [TRIAL]: [{ key: null }] } },
    ],
  },
  {
    name: 'a trial goes on for an account that does not own the product, and ends with its purchase',
    steps: [
      startTrial(after(0), tried(), TRYING, { asked: { [TRIAL]: [{ key: null }] } }),
      check(after(1), { ...refused('not_entitled', 'Buy it.'), ...tried(after(1)) }, { ...TRYING, error: null }),
      check(after(2), valid({ at: after(2) }), { ...LICENSED, days_left: null }),
    ],
  },
  {
    name: 'a purchase without a free device is told in the trial, and is the state after its end',
    steps: [
      startTrial(after(0), tried(), TRYING),
      ...[after(1), after(15)].map((at, n) =>
        check(
          at,
          { ...tried(), [CHECK]: { status: 409, body: { code: 'device_limit_reached', message: 'Full.' } } },
          {
            ...(n === 0 ? TRYING : { state: 'unknown', code: 'device_limit_reached', message: 'Full.' }),
            error: n === 0 ? { status: 409, code: 'device_limit_reached', message: 'Full.' } : null,
          },
        ),
      ),
    ],
  },
  {
    name: 'a clock that is set back adds no day to a trial',
    options: NO_KEY,
    steps: [
      startTrial(after(0), tried(), TRYING),
      status(after(10), { ...TRYING, days_left: 4 }),
      status(after(1), { ...TRYING, days_left: 4, clock_back: true, check_due: true }),
      status(after(5), { ...TRIAL_OVER, clock_back: true }),
      check(after(5), tried(after(5)), { ...TRYING, days_left: 9, clock_back: false }),
    ],
  },
];

/** The moment some seconds after the first check. */
const soon = (seconds: number): string => toInstant(START + seconds * 1000);

type Leased = { readonly at?: string; readonly ends?: string; readonly renew?: string; readonly borrowed?: string };

/** The answer to a session that holds a slot, which is renewed after five minutes and ends after ten. */
const leased = (lease_id: string, { at = after(0), borrowed, ...times }: Leased = {}): Answers => {
  const minutes = (count: number) => toInstant(Date.parse(at) + count * 60_000);
  const ends = borrowed ?? times.ends ?? minutes(10);
  const lease = {
    lease_id,
    expires_at: ends,
    renew_after: times.renew ?? minutes(5),
    borrowed_until: borrowed ?? null,
  };
  const token = tokenOf({ at, claims: { lease_id, exp: Date.parse(ends) / 1000 } });
  const body = { ...decided(at, null, true), lease, sessions: { used: 1, limit: 2 }, token };
  return { ...jwks('first'), [LEASE]: { status: 200, body } };
};
const SESSION = {
  device_id: 'desktop',
  name: 'Lab 7',
  taken_at: after(0),
  renewed_at: after(0),
  expires_at: after(0, 1),
  borrowed_until: null,
};
const FULL_SESSIONS: Answers = {
  [LEASE]: {
    status: 409,
    body: {
      message: 'All 2 sessions are in use.',
      error: 'session_limit_reached',
      code: 'session_limit_reached',
      session_limit: 2,
      sessions: [SESSION, { ...SESSION, device_id: 'server' }],
      manage_url: 'https://example.com/devices',
    },
  },
};
const NO_SESSION = {
  state: 'unknown',
  may_run: false,
  code: 'session_limit_reached',
  lease_id: null,
  sessions: [{ device_id: 'desktop', name: 'Lab 7' }, { device_id: 'server' }],
  manage_url: 'https://example.com/devices',
};
const returns = (returned: boolean): Answers => ({ [RETURN]: { status: 200, body: { returned } } });
const lease = (at: string, answers: Answers, expect: Json, more: Json = {}): Step => ({
  do: 'lease',
  at,
  answers,
  expect,
  ...more,
});
const close = (at: string, lease_id?: string): Step => ({
  do: 'close',
  at,
  answers: returns(true),
  expect: lease_id === undefined ? {} : NEVER,
  asked: { [RETURN]: lease_id === undefined ? [] : [asks({ product_id: PRODUCT, lease_id })] },
});
const wait = (seconds: number, answers: Answers, asked: Json): Step => ({
  do: 'wait',
  at: after(0),
  seconds,
  answers,
  expect: {},
  asked: asked as Record<string, Json[]>,
});
const lost = (...codes: string[]): Step => ({ do: 'lost', at: after(0), expect: { ok: codes } });

/** Sessions of a floating license. A sleep takes no time, but the background renews by the time of the machine. */
const leases = (): Case[] => [
  {
    name: 'a lease takes a slot until its end, and is given back',
    steps: [
      lease(
        after(0),
        leased('one'),
        { ...LICENSED, lease_id: 'one', runs_until: soon(600), sessions: null, check_due: false },
        { asked: { [LEASE]: [asks({ product_id: PRODUCT, device_id: DEVICE, nonce: { $new: 'nonce' } })] } },
      ),
      status(soon(590), { ...STILL_LICENSED, lease_id: 'one' }),
      close(soon(590), 'one'),
      close(soon(590)),
      lost(),
    ],
  },
  {
    name: 'a lease that nobody renews ends',
    steps: [
      lease(after(0), leased('one'), LICENSED, { processes: 1 }),
      status(soon(590), { ...STILL_LICENSED, lease_id: 'one' }),
      status(soon(600), { ...TOO_LONG, lease_id: null }),
    ],
  },
  {
    name: 'a lease is renewed in the background, and a new one is accepted in its place',
    steps: [
      lease(after(0), leased('one', { renew: soon(1) }), LICENSED),
      wait(3, leased('two', { at: soon(1) }), { [LEASE]: [asks({ lease_id: 'one', nonce: { $new: 'nonce' } })] }),
      status(soon(3), { ...STILL_LICENSED, lease_id: 'two', runs_until: soon(601) }),
      lost(),
      close(soon(3), 'two'),
    ],
  },
  {
    name: 'the renewal of a lease is tried again until it succeeds',
    steps: [
      lease(after(0), leased('one', { renew: soon(1), ends: soon(9) }), LICENSED),
      wait(
        5,
        { ...jwks('first'), [LEASE]: [...Array(3).fill({ status: 503, body: {} }), leased('one')[LEASE] as Answer] },
        { [LEASE]: [{}, {}, {}, asks({ lease_id: 'one' })] },
      ),
      status(after(0), { ...STILL_LICENSED, runs_until: soon(600) }),
      lost(),
      close(after(0), 'one'),
    ],
  },
  {
    name: 'a lease that ends without an answer is told once, and can be taken again',
    steps: [
      lease(after(0), leased('one', { renew: soon(1), ends: soon(3) }), LICENSED),
      { do: 'wait', at: after(0), seconds: 6, expect: {} },
      lost('clock_set_back'),
      lease(
        after(0),
        leased('two'),
        { ...LICENSED, lease_id: 'two' },
        { asked: { [LEASE]: [asks({ lease_id: 'one' })] } },
      ),
      close(after(0), 'two'),
    ],
  },
  {
    name: 'a lease whose renewal is refused is lost, and is not renewed any more',
    steps: [
      lease(after(0), leased('one', { renew: soon(1), ends: soon(9) }), LICENSED),
      wait(2.5, FULL_SESSIONS, { [LEASE]: [asks({ lease_id: 'one' })] }),
      status(after(0), NO_SESSION),
      wait(2.5, {}, { [LEASE]: [] }),
      lost('session_limit_reached'),
      close(after(0)),
    ],
  },
  {
    name: 'a session without a free slot gets the sessions and the page to end one',
    steps: [
      lease(after(0), FULL_SESSIONS, {
        ...NO_SESSION,
        message: 'All 2 sessions are in use.',
        devices: null,
        error: null,
      }),
      { ...status(after(0), NO_SESSION), processes: 1 },
      lease(soon(60), leased('one', { at: soon(60) }), {
        ...LICENSED,
        lease_id: 'one',
        sessions: null,
        manage_url: null,
      }),
      close(soon(60), 'one'),
    ],
  },
  {
    name: 'a lease survives a crash of the application: the next start renews it',
    steps: [
      lease(after(0), leased('one'), LICENSED, { processes: 1 }),
      lease(soon(60), leased('one', { at: soon(60) }), LICENSED, { asked: { [LEASE]: [asks({ lease_id: 'one' })] } }),
      close(soon(60), 'one'),
    ],
  },
  {
    name: 'a lease that ended long ago is not renewed, because other machines may have a copy of it',
    steps: [
      lease(after(0), leased('one'), LICENSED, { processes: 1 }),
      lease(after(1), leased('two', { at: after(1) }), LICENSED, {
        asked: { [LEASE]: [asks({ lease_id: { $not: 'one' } })] },
      }),
      close(after(1), 'two'),
    ],
  },
  {
    name: 'an offline file takes the place of a lease, which is not renewed any more',
    options: PINNED,
    steps: [
      lease(after(0), leased('one', { renew: soon(1), ends: soon(9) }), LICENSED),
      { do: 'activate_offline', at: soon(1), file: offlineFile(), expect: { ...LICENSED, lease_id: null } },
      wait(2.5, leased('two'), { [LEASE]: [] }),
      close(soon(3)),
      status(soon(3), { ...STILL_LICENSED, lease_id: null }),
    ],
  },
  {
    name: 'a process that closes leaves the lease to the one that renewed it since',
    steps: [
      lease(after(0), leased('one'), LICENSED),
      lease(soon(60), leased('one', { at: soon(60) }), LICENSED, { processes: 1 }),
      close(soon(60)),
      status(soon(60), STILL_LICENSED),
    ],
  },
  {
    name: 'a process whose shared lease another one gave back runs to its end',
    steps: [
      lease(after(0), leased('one'), LICENSED),
      { ...status(soon(60), { ...STILL_LICENSED, lease_id: 'one' }), store: { 'answer-4.{scope}': null } },
      close(soon(60)),
    ],
  },
  {
    name: 'a borrowed lease keeps its slot at exit, and runs offline',
    steps: [
      lease(
        after(0),
        leased('one', { borrowed: after(7) }),
        { ...LICENSED, lease_id: 'one', runs_until: after(7) },
        { options: { borrow_days: 7 }, asked: { [LEASE]: [asks({ borrow_days: 7 })] } },
      ),
      close(after(0)),
      { ...status(after(0, 23), { ...STILL_LICENSED, lease_id: 'one' }), processes: 1 },
      { ...lease(after(6), {}, { ...GRACE, error: { code: 'unreachable' } }), processes: 1 },
      {
        do: 'release',
        at: after(6),
        answers: returns(false),
        expect: { released: false },
        asked: { [RETURN]: [asks({ lease_id: 'one' })] },
      },
      status(after(6), { ...GRACE, lease_id: 'one' }),
      status(after(7), TOO_LONG),
    ],
  },
  {
    name: 'a lease is given back by a release too',
    steps: [
      lease(after(0), leased('one'), LICENSED),
      { do: 'release', at: soon(60), answers: returns(true), expect: { released: true } },
      status(soon(60), NEVER),
      wait(1, {}, { [LEASE]: [] }),
    ],
  },
  {
    name: 'a check of a floating license takes a lease, and then renews it',
    steps: [
      {
        ...check(
          after(0),
          { ...leased('one'), [CHECK]: { body: { ...decided(after(0), null, true), device: null, token: null } } },
          { ...LICENSED, lease_id: 'one' },
        ),
        asked: { [CHECK]: [{}], [LEASE]: [asks({ device_id: DEVICE })] },
      },
      {
        ...check(soon(60), leased('one', { at: soon(60) }), { ...LICENSED, runs_until: soon(660) }),
        asked: { [CHECK]: [], [LEASE]: [asks({ lease_id: 'one' })] },
      },
      close(soon(60), 'one'),
    ],
  },
  {
    name: 'a pasted key of a floating license takes a lease',
    options: NO_KEY,
    steps: [
      activate(
        after(0),
        'lic_laboratory',
        { ...leased('one'), [CHECK]: { body: { ...decided(after(0), null, true), device: null, token: null } } },
        { ...LICENSED, lease_id: 'one' },
      ),
      lease(soon(60), leased('one', { at: soon(60) }), LICENSED, {
        asked: { [LEASE]: [asks({ lease_id: 'one' }, 'lic_laboratory')] },
      }),
      { ...close(soon(60)), asked: { [RETURN]: [asks({ lease_id: 'one' }, 'lic_laboratory')] } },
    ],
  },
  {
    name: 'a lease of a product without sessions is refused, and its license stays',
    steps: [
      first,
      lease(
        after(0),
        { [LEASE]: { status: 409, body: { message: 'No sessions.', error: 'lease_not_offered' } } },
        { ...STILL_LICENSED, error: { status: 409, code: 'lease_not_offered' } },
      ),
    ],
  },
  {
    name: 'a lease of an account that owns nothing is refused, and without a key none is asked for',
    steps: [
      lease(
        after(0),
        { [LEASE]: refused('not_entitled', 'Buy it.')[CHECK] as Answer },
        {
          state: 'unknown',
          code: 'not_entitled',
          message: 'Buy it.',
          error: null,
        },
      ),
      open(after(0), NO_KEY),
      lease(after(0), leased('one'), { may_run: false, error: { code: 'no_key' } }, { asked: { [LEASE]: [] } }),
    ],
  },
  {
    name: 'a lease whose token a foreign key signed is none',
    steps: [
      lease(
        after(0),
        {
          ...leased('one'),
          [LEASE]: { body: { ...decided(after(0), null, true), token: tokenOf({ key: 'foreign' }) } },
        },
        { ...NEVER, error: BROKEN },
      ),
    ],
  },
];

const CONTENT = 'The program, whole and well.\n';
const SUM = createHash('sha256').update(CONTENT).digest('hex');
const PLAN = 'GET /api/products/4/install?platform=linux-amd64';
const FILE = 'GET /file';
const PART = `.tool.${SUM.slice(0, 16)}.0f0f0f0f.part`;
const plan: Answer = {
  body: {
    data: {
      product_id: PRODUCT,
      version: '1.0.0',
      filename: 'tool',
      sha256: SUM,
      size: CONTENT.length,
      download_url: '{api}/file',
      release_id: 1,
    },
  },
};
const TYPE = { 'content-type': 'application/octet-stream' };
const file: Answer = { body: CONTENT, headers: TYPE };
const rest = (at: number): Answer => ({
  status: 206,
  body: CONTENT.slice(at),
  headers: { ...TYPE, 'content-range': `bytes ${at}-${CONTENT.length - 1}/${CONTENT.length}` },
});
const install = (answers: Answers, expect: Json, more: Json = {}): Step => ({
  do: 'install',
  at: after(0),
  options: { to: '{files}/tool', platform: 'linux-amd64' },
  answers: { [PLAN]: plan, ...answers },
  expect,
  ...more,
});
const DONE = { version: '1.0.0', received: CONTENT.length };
const failed = (code: string) => ({ error: { code } });
const gone = (location: string): Answer => ({ status: 302, headers: { location } });

const installs = (): Case[] => [
  {
    name: 'an install follows a redirect to another origin without the key',
    steps: [
      install({ [FILE]: gone('{other}/file'), 'GET {other}/file': file }, DONE, { expect_files: { tool: CONTENT } }),
    ],
  },
  {
    name: 'an install ends where redirects have no end',
    steps: [install({ [FILE]: gone('{api}/file') }, failed('http_302'), { expect_files: {} })],
  },
  {
    name: 'an install goes on with what an earlier one left',
    steps: [
      install({ [FILE]: rest(5) }, DONE, {
        files: { [PART]: { text: CONTENT.slice(0, 5), age: 3600 } },
        asked: { [FILE]: [{ key: null, headers: { range: 'bytes=5-' } }] },
        expect_files: { tool: CONTENT },
      }),
    ],
  },
  {
    name: 'an install whose part the server refuses (416) begins again',
    steps: [
      install({ [FILE]: [{ status: 416, body: '' }, file] }, DONE, {
        files: { [PART]: { text: CONTENT.slice(0, 5), age: 3600 } },
        expect_files: { tool: CONTENT },
      }),
    ],
  },
  {
    name: 'an install that is answered in whole throws its part away',
    steps: [
      install({ [FILE]: file }, DONE, {
        files: { [PART]: { text: 'other', age: 3600 } },
        expect_files: { tool: CONTENT },
      }),
    ],
  },
  {
    name: 'a part that another process is writing is left to it',
    steps: [
      install({ [FILE]: file }, DONE, {
        files: { [PART]: 'their' },
        asked: { [FILE]: [{ headers: {} }] },
        expect_files: { tool: CONTENT, [PART]: 'their' },
      }),
    ],
  },
  {
    name: 'two processes that install at once each end well',
    steps: [install({ [FILE]: { ...file, after: 0.2 } }, DONE, { processes: 2, expect_files: { tool: CONTENT } })],
  },
  {
    name: 'an install writes through no link',
    steps: [
      install({ [FILE]: file }, DONE, {
        files: { victim: 'mine', tool: { link: 'victim' }, [PART]: { link: 'victim', age: 3600 } },
        expect_files: { tool: CONTENT, victim: 'mine', [PART]: 'mine' },
      }),
    ],
  },
  {
    name: 'another file than the plan’s is put nowhere',
    steps: [
      install({ [FILE]: { body: CONTENT.toUpperCase(), headers: TYPE } }, failed('wrong_sum'), { expect_files: {} }),
      install({ [FILE]: { body: CONTENT.repeat(9), headers: TYPE } }, failed('wrong_sum'), { expect_files: {} }),
    ],
  },
  {
    name: 'a full disk is told at once',
    full_disk: true,
    steps: [install({ [FILE]: file }, failed('not_written'), { within: 3, asked: { [FILE]: [{}] } })],
  },
  {
    name: 'a folder in the place of the file is told',
    steps: [install({ [FILE]: file }, failed('not_written'), { files: { tool: { folder: true } } })],
  },
  {
    name: 'an install can be cancelled',
    steps: [
      install({ [FILE]: { ...file, trickle: true } }, failed('cancelled'), { cancel: 0.3, within: 2 }),
      install({ [FILE]: { hang: true } }, failed('cancelled'), { cancel: 0.3, within: 2 }),
    ],
  },
  {
    name: 'a download that stalls ends',
    options: { timeout: 0.5 },
    steps: [install({ [FILE]: { hang: true } }, failed('unreachable'), { within: 6 })],
  },
];

/** All cases: first those of states, then the hostile ones. */
export const clientCases = (): Case[] => [
  ...friendly(),
  ...liars(),
  ...editors(),
  ...machines(),
  ...keys(),
  ...signIns(),
  ...terms(),
  ...trials(),
  ...leases(),
  ...installs(),
];

const ABOUT = [
  'Each case opens a client with `options` over an empty folder, then takes its steps: the clock shows `at`, the server has `answers` by method and path (and key), in their order where there are several, and closes the connection of any other request. What the client says has the members of `expect`; a status has `error` after a check. An option that is null is not given.',
  'Before a step, `store` edits the files of the client, and `files` those of {files}: null for none, a text, {text} as JSON, {members} of the JSON that is there, a link, a folder, a pipe; `age` in seconds. A client keeps device, key, answer-<product> {token, refusal, app_version, continuation}, clock-<product> {time, seen} and trust-<product> {policy, keys}, each with .{scope} behind it.',
  '`machine` is a second client over a copy of the folder, `processes` as many new ones that take the step at once, `together` calls at once in one. `asked` has the requests of the step: a list of all, or members of each. `expect_files` has all files of {files}.',
  'An answer may come `after` seconds, `hang`, `trickle` a byte each tenth of a second, be `cut` after bytes, and have a `prefix`, spaces behind (`pad`), or a member `deep` of arrays in arrays.',
  'An object with `jws` is a text to sign with the key of that name: its Ed25519 seed is 31 zeros and the byte of `seeds`. In texts, {nonce}, {device_id} and {continuation} are those of the request, {api}, {api6} and {other} the addresses of the servers; a member that is the name of nothing is left out. In expectations, $matches is a regular expression, $same the value of before under a name, $new one that was not there before, $not anything else.',
  'Nothing else may be in the store, nothing that others may read, and no other origin may get a key. run-cases.ts does all this.',
];

const listed = (items: readonly string[], indent: string): string => `[\n${indent}${items.join(`,\n${indent}`)}\n]`;

/** The document of clients/cases.json, with a line per step, so that a diff shows the changed step. */
export const casesDocument = (): string => {
  const options = { product_id: PRODUCT, device_id: DEVICE, key: 'svc_case', issuer: ISSUER };
  const head = JSON.stringify({ about: ABOUT, options, seeds: SEEDS }, null, 1).slice(0, -2);
  const cases = clientCases().map(({ steps, ...one }) => {
    const lines = listed(
      steps.map((step) => JSON.stringify(step)),
      '  ',
    );
    return `${JSON.stringify(one).slice(0, -1)},"steps":${lines}}`;
  });
  return `${head},\n "cases": ${listed(cases, ' ')}\n}\n`;
};
