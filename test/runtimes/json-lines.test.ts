import { afterEach, expect, test, vi } from 'vitest';
import { errorFields } from '../../runtimes/lambda/json-lines.ts';
import { openTelemetry } from '../../runtimes/lambda/open-runtime.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const written = (work: () => void): Record<string, unknown>[] => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  work();
  return write.mock.calls.map(([line]) => {
    expect(line).toMatch(/^[^\n]*\n$/);
    return JSON.parse(String(line));
  });
};

test('an error is logged with its code and causes, without its other properties', () => {
  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED', request: { key: 'svc_secret' } });
  const error = new Error('The table is unavailable.', { cause: new AggregateError([refused, 'late'], 'both failed') });
  const line = JSON.stringify(errorFields(error));
  expect(JSON.parse(line)).toEqual({
    type: 'Error',
    message: 'The table is unavailable.',
    stack: expect.stringContaining('json-lines.test.ts'),
    cause: {
      type: 'AggregateError',
      message: 'both failed',
      stack: expect.any(String),
      errors: [
        { type: 'Error', message: 'connect', code: 'ECONNREFUSED', stack: expect.any(String) },
        { type: 'string', message: 'late' },
      ],
    },
  });
});

test('the log of an error that causes itself is finite', () => {
  const error = new Error('round');
  error.cause = error;
  expect(JSON.stringify(errorFields(error)).match(/round/g)?.length).toBeLessThan(20);
});

test('the settings determine which lines are written and whether they contain the client’s address', () => {
  const line = { id: 'a', method: 'GET', path: '/', address: '203.0.113.9', status: 200, ms: 1, answered: undefined };
  const lines = (logLevel: Parameters<typeof openTelemetry>[2]['logLevel'], logAddresses = true) =>
    written(() => {
      const { log, fault } = openTelemetry('api', 'dev', { logLevel, logAddresses });
      log(line);
      fault(new Error('broken'), 'a');
    });
  expect(lines('info')).toMatchObject([
    { level: 30, time: expect.any(Number), msg: 'request', function: 'api', status: 200, cold_start: 1 },
    { level: 50, time: expect.any(Number), msg: 'fault', id: 'a', err: { message: 'broken' } },
  ]);
  vi.restoreAllMocks();
  expect(lines('fatal').map(({ msg }) => msg)).toEqual(['request']);
  vi.restoreAllMocks();
  expect(lines('silent')).toEqual([]);
  vi.restoreAllMocks();
  expect(lines('fatal').map(({ address }) => address)).toEqual(['203.0.113.9']);
  vi.restoreAllMocks();
  expect(lines('fatal', false).filter((one) => 'address' in one)).toEqual([]);
});
