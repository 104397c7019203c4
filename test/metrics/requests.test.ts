import { expect, test } from 'vitest';
import { Requests, type SeenRequest } from '../../adapters/metrics/requests.ts';

const aRequest = (given: Partial<SeenRequest> = {}): SeenRequest => ({
  method: 'GET',
  status: 200,
  ms: 1,
  answered: undefined,
  ...given,
});

/** The series that one request of the host creates. */
const seriesOf = (...seen: readonly SeenRequest[]) => {
  const requests = new Requests();
  const count = requests.at('api');
  for (const one of seen) count(one);
  return requests.each().map(({ host, endpoint, requests: { byMethod, refusals, decisions, durations } }) => ({
    host,
    endpoint,
    counts: [...byMethod].flatMap(([method, byStatus]) => [...byStatus].map(([status, n]) => [method, status, n])),
    refusals: Object.fromEntries(refusals.entries()),
    decisions: Object.fromEntries(decisions.entries()),
    seconds: durations.sum,
  }));
};

test('a request is counted under its endpoint, with its time in seconds and its refusal code', () => {
  const answered = { endpoint: 'checkLicense', code: 'device_limit_reached' };
  expect(seriesOf(aRequest({ method: 'POST', status: 409, ms: 250, answered }))).toEqual([
    {
      host: 'api',
      endpoint: 'checkLicense',
      counts: [['POST', 409, 1]],
      refusals: { device_limit_reached: 1 },
      decisions: {},
      seconds: 0.25,
    },
  ]);
});

test('a decision with status 200 is not a refusal', () => {
  const answered = { endpoint: 'checkLicense', code: null, decision: 'access_expired' };
  expect(seriesOf(aRequest({ answered }))).toMatchObject([{ refusals: {}, decisions: { access_expired: 1 } }]);
});

test.each([
  [404, 'not_found'],
  [405, 'method_not_allowed'],
  [429, 'rate_limited'],
  [500, 'fault'],
  [503, 'unavailable'],
  [422, 'other'],
])('a %i that no endpoint answered is a refusal with the code %s', (status, code) => {
  expect(seriesOf(aRequest({ status }))).toMatchObject([{ endpoint: 'none', refusals: { [code]: 1 } }]);
});

test('a failed endpoint keeps its name, and the error its code', () => {
  const answered = { endpoint: 'listLibrary', code: null };
  expect(seriesOf(aRequest({ status: 503, answered }))).toMatchObject([
    { endpoint: 'listLibrary', refusals: { unavailable: 1 } },
  ]);
});

test('a flood of unknown methods makes one series', () => {
  const flood = Array.from({ length: 500 }, (_, n) => aRequest({ method: `METHOD-${n}`, status: 405 }));
  expect(seriesOf(...flood)).toMatchObject([{ counts: [['other', 405, 500]] }]);
});

test('hosts are counted separately, and a host that is opened twice is counted once', () => {
  const requests = new Requests();
  for (const host of ['api', 'design', 'api']) requests.at(host)(aRequest());
  expect(requests.each().map(({ host, requests: { durations } }) => [host, durations.upTo().at(-1)?.count])).toEqual([
    ['api', 2],
    ['design', 1],
  ]);
});
