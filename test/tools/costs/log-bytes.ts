import { lineOf } from '../../../runtimes/lambda/json-lines.ts';
import { fieldsOf } from '../../../runtimes/lambda/telemetry.ts';
import { prices } from './prices.ts';
import sizes from './stack.json' with { type: 'json' };

/** Bytes that the logs take in for a request: the function's line, and the gateway's. */
export const logBytes = (endpoint: string, name: string): number => {
  const line = fieldsOf(
    { stage: 'prod', name, cold: false, logAddresses: true },
    {
      id: '6f2f8a0e-6d0b-4d2c-8f0e-2f6f6a1b9c11',
      method: 'POST',
      path: '/api/products/12345/license',
      address: '203.0.113.180',
      status: 200,
      ms: 21.25,
      answered: { endpoint, accountId: 1_234_567, code: null, keyId: 1_234_567 },
    },
  );
  const events = 2 * prices.cloudwatch.bytes_per_event;
  return Buffer.byteLength(lineOf('info', line, 'request')) + sizes.access_log_bytes + events;
};
