import { expect, test } from 'vitest';
import { countLine, fieldsOf } from '../../runtimes/lambda/open-runtime.ts';
import { probing } from '../../runtimes/lambda/probe-run.ts';
import { DOCUMENTED } from './documented-metrics.ts';

type Line = {
  readonly _aws: {
    readonly CloudWatchMetrics: readonly {
      readonly Namespace: string;
      readonly Dimensions: readonly (readonly string[])[];
      readonly Metrics: readonly { readonly Name: string; readonly Unit: string }[];
    }[];
  };
};

/** The metrics in a line for CloudWatch, each with the dimensions for which the line has values. */
const sentBy = (line: object) =>
  (line as Line)._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) => {
    expect(Namespace).toBe('AccountService');
    for (const dimension of Dimensions.flat()) expect(line).toHaveProperty(dimension, expect.any(String));
    return Metrics.map(({ Name }) => {
      expect(line).toHaveProperty(Name, expect.any(Number));
      return [Name, Dimensions.map((set) => set.toSorted())];
    });
  });

test('the service’s metrics are those that its log lines contain', async () => {
  const request = fieldsOf(
    { stage: 'prod', name: 'api', cold: true, logAddresses: false },
    { id: 'one', method: 'GET', path: '/', address: '203.0.113.1', status: 200, ms: 1, answered: undefined },
  );
  const lines: object[] = [];
  const settings = { stage: 'prod', apiUrl: 'http://127.0.0.1:1', otherUrls: [], license: undefined };
  await probing(settings, (_, fields) => lines.push(fields))();
  const { gateway_throttled, ...written } = DOCUMENTED['AccountService'] ?? {};
  expect(gateway_throttled).toBeDefined();
  const documented = Object.entries(written).map(([name, { dimensions }]) => [name, dimensions]);
  const counts = (['sale_events', 'unsent_mail', 'doctor_wrong'] as const).map((name) => countLine('prod', name, 2));
  expect(Object.fromEntries([request, ...counts, ...lines].flatMap(sentBy))).toEqual(Object.fromEntries(documented));
});
