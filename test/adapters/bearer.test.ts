import { expect, test } from 'vitest';
import { bearerOf } from '../../adapters/pipeline/identify.ts';
import { ok } from '../../domain/shared/outcome.ts';

test.each([undefined, ''])('the header %j has no credential', (header) => {
  expect(bearerOf(header)).toMatchObject({ code: 'missing_api_key' });
});

test.each(['Bearer abc', 'bearer abc', 'BEARER   abc  '])('the credential of %j is abc', (header) => {
  expect(bearerOf(header)).toEqual(ok('abc'));
});

test.each([
  'Bearer',
  'Bearer ',
  'Basic svc_abc',
  'Bearer svc_a svc_b',
  'svc_abc',
  '"svc_abc"',
  'Bearer\tsvc_abc',
  'Bearer: svc_abc',
  'Bearer:svc_abc',
  'Bearersvc_abc',
  'Token svc_abc',
  'Api-Key svc_abc',
  'Bearer "svc_abc"',
  "Bearer 'svc_abc'",
  'Bearer <svc_abc>',
  'Bearer `svc_abc`',
  '"Bearer svc_abc"',
  'Authorization: Bearer svc_abc',
])('the header %j is refused with advice on its form that does not repeat the header', (header) => {
  const refused = bearerOf(header);
  expect(refused).toMatchObject({
    code: 'invalid_api_key',
    message: expect.stringContaining('Write "Bearer " before the key'),
  });
  expect(JSON.stringify(refused)).not.toContain('svc_');
});

test('the advice names the credential of the endpoint', () => {
  expect(bearerOf('agt_abc', 'agent token')).toMatchObject({
    message: expect.stringMatching(/before the agent token/),
  });
});
