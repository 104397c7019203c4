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
