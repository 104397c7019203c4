import { constant } from '../constant.ts';
import { plain, type Row, type Section } from '../row.ts';

const ATTEMPTS = 'domain/sign-in/attempts.ts';
const TURNS = 'adapters/crypto/password-turns.ts';
const SESSION = 'domain/sign-in/session.ts';
const GRANT = 'domain/sign-in/oauth-grant.ts';
const QUARTER = '15 minutes';

const attempts = (what: string, name: string, per: string, lifetime = QUARTER): Row => ({
  what,
  bound: constant(ATTEMPTS, name),
  per,
  seen: '429',
  lifetime,
});

const perMinute = (what: string, name: string, seen = '429 `temporarily_unavailable`'): Row => ({
  what,
  bound: constant('adapters/oauth/limits.ts', name),
  per: 'network address and minute',
  seen,
  lifetime: 'the clock minute',
});

const lasting = (what: string, file: string, name: string, unit: string, seen: string): Row => {
  const bound = constant(file, name);
  return { what, bound, as: (n = 0) => `${plain(n)} ${unit}`, per: 'each', seen, lifetime: `${bound.value} ${unit}` };
};

export const SIGN_IN: Section = {
  title: 'Sign-in',
  text:
    'Wrong passwords are counted in several ways, so that nobody is locked out ' +
    'by a stranger. Registered clients are bounded for each address and forgotten when nobody uses them; there is no ' +
    'bound over all addresses.',
  rows: [
    attempts('wrong passwords', 'PASSWORDS_PER_ADDRESS', 'network address'),
    attempts(
      'wrong passwords for one e-mail address',
      'PASSWORDS_PER_ADDRESS_AND_EMAIL',
      'network address and e-mail address',
    ),
    attempts('wrong passwords from unknown browsers', 'PASSWORDS_PER_EMAIL', 'e-mail address', '60 minutes'),
    attempts('wrong passwords of a known browser', 'PASSWORDS_PER_KNOWN_BROWSER', 'browser'),
    attempts('wrong passwords of all known browsers', 'PASSWORDS_OF_KNOWN_BROWSERS', 'account'),
    attempts('wrong current passwords', 'PASSWORDS_PER_SESSION', 'session'),
    attempts('wrong user codes', 'USER_CODES_PER_ACCOUNT', 'account'),
    attempts('wrong user codes from one address', 'USER_CODES_PER_ADDRESS', 'network address'),
    attempts('wrong one-time links', 'LINKS_PER_ADDRESS', 'network address'),
    attempts('device sign-ins that begin', 'DEVICE_SIGN_INS_PER_ADDRESS', 'network address'),
    {
      what: 'passwords that are hashed at once, and that wait',
      bound: [constant(TURNS, 'RUNNING'), constant(TURNS, 'WAITING')],
      as: (running, waiting) => `${running}, and ${waiting} of known and ${waiting} of unknown browsers`,
      per: 'process',
      seen: '503 after which the browser tries again',
      lifetime: 'a few seconds',
    },
    {
      what: 'sessions',
      bound: constant(SESSION, 'MOST_SESSIONS'),
      per: 'account',
      seen: 'the oldest session ends',
      lifetime: '90 days, 14 without use',
    },
    {
      what: 'connected applications',
      bound: constant(GRANT, 'MOST_APPS'),
      per: 'account',
      seen: 'the one that was unused for longest is disconnected',
      lifetime: '30 days without use',
    },
    {
      what: 'known browsers',
      bound: constant('domain/sign-in/known-browser.ts', 'MOST_KNOWN_BROWSERS'),
      per: 'account',
      seen: 'the oldest is forgotten',
      lifetime: '180 days',
    },
    lasting(
      'a one-time link',
      'domain/sign-in/sign-in-link.ts',
      'LINK_MINUTES',
      'minutes',
      'the page says that it has expired',
    ),
    lasting(
      'a device sign-in',
      'domain/sign-in/device-sign-in.ts',
      'DEVICE_SIGN_IN_MINUTES',
      'minutes',
      '`expired_token`',
    ),
    lasting('an access token', 'adapters/oauth/resource.ts', 'ACCESS_TOKEN_SECONDS', 'seconds', '401; refresh it'),
    {
      what: 'answers with new tokens',
      bound: constant(GRANT, 'most'),
      per: 'connected application and day (UTC)',
      seen: '429 `temporarily_unavailable`; the refresh token goes on working',
      lifetime: 'until midnight UTC',
    },
    lasting('a connected application without use', GRANT, 'IDLE_DAYS', 'days', '`invalid_grant`; connect again'),
    lasting(
      'a registered client that nobody has used',
      GRANT,
      'UNUSED_CLIENT_DAYS',
      'day',
      '`invalid_client`; register again',
    ),
    lasting('a registered client', GRANT, 'CLIENT_DAYS', 'days', '`invalid_client`; register again'),
    lasting(
      'a sign-in that began at the shop’s own provider',
      'domain/sign-in/upstream-sign-in.ts',
      'UPSTREAM_MINUTES',
      'minutes',
      'the page to sign in again',
    ),
    perMinute('clients that are registered', 'registration'),
    perMinute('reads, changes and removals of registered clients', 'client'),
    perMinute('authorizations', 'authorization'),
    perMinute('authorizations that go on after the consent', 'resume'),
    perMinute('requests that begin a device sign-in', 'device_authorization'),
    perMinute('token requests', 'token'),
    perMinute('tokens that are revoked', 'revocation'),
    perMinute('metadata documents of clients that are fetched', 'document', '`invalid_client`'),
    {
      what: 'a metadata document of a client',
      bound: [
        constant('adapters/outbound-http/guarded-fetch.ts', 'MAX_BYTES'),
        constant('adapters/outbound-http/guarded-fetch.ts', 'TIMEOUT_MS'),
        constant('adapters/outbound-http/guarded-fetch.ts', 'AT_ONCE'),
      ],
      as: (size = 0, ms = 0, atOnce) => `${size / 1024} KiB in ${ms / 1000} seconds, ${atOnce} at once`,
      per: 'process',
      seen: 'an error page',
      lifetime: '–',
    },
  ],
};
