import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { tokenClaims } from '../../domain/licensing/license-check.ts';
import { type ClientPolicy, DEFAULT_POLICY, policyDocument } from '../../domain/policy/client-policy.ts';
import { toInstant } from '../../domain/shared/instant.ts';

/*
 * Makes the cases that every client of the service runs (clients/cases.json): what a client is asked, at what time, what
 * its server answers, and what it then says. The tokens and policies come from the rules of the service.
 */

type Json = Readonly<Record<string, unknown>>;
type Answers = Readonly<Record<string, { status: number; body: unknown; headers?: Record<string, string> }>>;

/** A step: what the client does at a moment, what the server answers, and members of what the client says. */
type Step = {
  readonly do: string;
  readonly at: string;
  readonly options?: Json;
  readonly file?: string;
  /** By method and path. The connection of any other request is closed without an answer. */
  readonly answers?: Answers;
  readonly expect: Json;
};

type Case = { readonly name: string; readonly options?: Json; readonly steps: readonly Step[] };

const PRODUCT = 4;
const DEVICE = 'laptop-7f3a';
const START = Date.UTC(2026, 0, 10, 12, 30);
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The moment `days` and `hours` after the first check. */
const after = (days: number, hours = 0): string => toInstant(START + days * DAY + hours * HOUR);

/** A key for tests, by the last byte of its seed (RFC 8410). */
const keyOf = (seed: number): KeyObject => {
  const prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
  const der = Buffer.concat([prefix, Buffer.alloc(31), Buffer.from([seed])]);
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
};

const KEYS = { first: keyOf(1), second: keyOf(2), foreign: keyOf(3) } as const;
type KeyName = keyof typeof KEYS;

const publicJwk = (name: KeyName) => ({
  ...createPublicKey(KEYS[name]).export({ format: 'jwk' }),
  kid: name === 'foreign' ? 'first' : name,
  alg: 'EdDSA',
  use: 'sig',
});

const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const jws = (payload: object, typ: string, name: KeyName = 'first', head: Json = {}): string => {
  const header = { alg: 'EdDSA', typ, kid: name === 'foreign' ? 'first' : name, ...head };
  const signed = `${base64(header)}.${base64(payload)}`;
  return `${signed}.${sign(null, Buffer.from(signed), KEYS[name]).toString('base64url')}`;
};

const POLICY: ClientPolicy = DEFAULT_POLICY;

type Wish = {
  readonly at?: string;
  readonly access_expires_at?: string | null;
  readonly version_covered?: boolean | null;
  readonly claims?: Json;
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

const tokenOf = (wish: Wish = {}): string => {
  const { at = after(0), access_expires_at = null, version_covered = true } = wish;
  const policy = { ...POLICY, ...wish.policy };
  const claims = tokenClaims(decided(at, access_expires_at, version_covered), 17, policy, 'https://api.example.com');
  return jws({ ...claims, ...wish.claims }, wish.typ ?? 'license+jws', wish.key, wish.head);
};

const CHECK = 'POST /api/license/check';
const JWKS = 'GET /.well-known/jwks.json';
const CONFIG = 'GET /api/client-config';

const jwks = (...names: KeyName[]): Answers => ({ [JWKS]: { status: 200, body: { keys: names.map(publicJwk) } } });

/** The answer to a valid check. */
const valid = (wish: Wish = {}): Answers => {
  const { at = after(0), access_expires_at = null, version_covered = true } = wish;
  const body = { ...decided(at, access_expires_at, version_covered), token: tokenOf(wish) };
  return { ...jwks('first'), [CHECK]: { status: 200, body } };
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
/** The end of the token of the first check: 14 days after the beginning of its hour. */
const END = after(14, -0.5);

const first = check(after(0), valid(), LICENSED);

/** A licensed device whose next check fails goes on with what it has. */
const stays = (name: string, answers: Answers, error: Json): Case => ({
  name: `${name} leaves a payer running`,
  steps: [first, check(after(0, 2), answers, { ...STILL_LICENSED, runs_until: END, error })],
});

const BROKEN = { code: 'broken_answer' };
const BLOCKED = { revoked: [{ product_id: PRODUCT, device_id: DEVICE }] };

const back = (count: number): Step[] =>
  Array.from({ length: count }, (_, n) => [
    status(after(1 + n * 0.01), {}),
    status(after(0.5 + n * 0.01), { clock_back: true }),
  ]).flat();

const OFFLINE = { offline: true, exp: Math.floor(START / 1000) + 365 * 86_400 };
const offlineFile = (wish: Wish = {}): string => JSON.stringify({ token: tokenOf(wish), checked_at: after(0) });

/** All cases, in the order of the page of states. */
export const clientCases = (): Case[] => [
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
      check(after(20), valid({ at: after(20) }), { ...LICENSED, runs_until: after(34, -0.5) }),
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
    { [CHECK]: { status: 401, body: { message: 'Unauthenticated.' } } },
    { status: 401, code: 'http_401' },
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
    'a valid answer without a token',
    {
      [CHECK]: { status: 200, body: { ...decided(after(0), null, null), token: null } },
    },
    BROKEN,
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
  ).map(([name, wish]): Case => stays(`a token ${name}`, valid(wish as Wish), BROKEN)),
  {
    name: 'a token whose bytes were changed is rejected',
    steps: [
      check(
        after(0),
        {
          ...jwks('first'),
          [CHECK]: {
            status: 200,
            body: { ...decided(after(0), null, null), token: `${tokenOf().slice(0, -8)}AAAAAAAA` },
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
    steps: [first, check(after(1), { [CHECK]: valid({ at: after(1) })[CHECK] as never }, LICENSED)],
  },
  {
    name: 'pinned keys stand alone',
    options: { keys: [publicJwk('first')] },
    steps: [
      check(after(0), { [CHECK]: valid()[CHECK] as never }, LICENSED),
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
    name: 'a clock that is set back each time runs no copy for ever',
    steps: [
      first,
      ...back(14),
      status(after(0.7), { may_run: true }),
      ...back(1),
      status(after(0.7), { state: 'expired', may_run: false, code: 'clock_set_back' }),
      check(after(0.8), valid({ at: after(0.8) }), { ...LICENSED, clock_back: false }),
    ],
  },
  {
    name: 'a clock far behind the server’s leaves a payer running',
    steps: [
      check('1970-01-02T00:00:00.000Z', valid(), { ...LICENSED, clock_back: true }),
      status('1970-01-03T00:00:00.000Z', { ...STILL_LICENSED, clock_back: true }),
      status(after(13), GRACE),
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
      status(after(0, 2), { ...STILL_LICENSED, clock_back: true }),
      status(after(14), TOO_LONG),
    ],
  },
  {
    name: 'a file from another machine licenses one that is never online, until its end',
    options: { keys: [publicJwk('first')] },
    steps: [
      {
        do: 'activate_offline',
        at: after(0),
        file: offlineFile({ claims: OFFLINE }),
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
        file: offlineFile({ claims: { ...OFFLINE, device_id: 'desktop' } }),
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
        file: offlineFile({ claims: OFFLINE }),
        expect: { ...NEVER, error: { code: 'no_keys' } },
      },
    ],
  },
];

/** The document of clients/cases.json. */
export const casesDocument = (): string =>
  `${JSON.stringify(
    {
      about:
        'Each case opens a client with `options` over an empty store, then takes its steps: the clock shows `at`, the server has `answers` by method and path, and closes the connection of any other request. What the client says has the members of `expect`; a status has `error` after a check.',
      options: { product_id: PRODUCT, device_id: DEVICE, key: 'svc_case' },
      cases: clientCases(),
    },
    null,
    1,
  )}\n`;
