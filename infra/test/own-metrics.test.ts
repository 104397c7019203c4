import { expect, test } from 'vitest';
import { probing } from '../../runtimes/lambda/probe-run.ts';
import { fieldsOf } from '../../runtimes/lambda/telemetry.ts';
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

/** The metrics that a line has for CloudWatch, each with the unit and the dimensions that the line has values for. */
const sentBy = (line: object) => {
  const { _aws } = line as Line;
  return _aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions, Metrics }) =>
    Metrics.map(({ Name, Unit }) => {
      expect(line).toHaveProperty(Name, expect.any(Number));
      for (const dimension of Dimensions.flat()) expect(line).toHaveProperty(dimension, expect.any(String));
      return { namespace: Namespace, name: Name, unit: Unit, dimensions: Dimensions.map((set) => set.toSorted()) };
    }),
  );
};

test('the metrics of the service are those that its log lines send', async () => {
  const request = fieldsOf(
    { stage: 'prod', name: 'api', cold: true, logAddresses: false },
    { id: 'one', method: 'GET', path: '/', address: '203.0.113.1', status: 200, ms: 1, answered: undefined },
  );
  const lines: object[] = [];
  const settings = { stage: 'prod', apiUrl: 'http://127.0.0.1:1', otherUrls: [], license: undefined };
  await probing(settings, (_, fields) => lines.push(fields))();
  const sent = [request, ...lines].flatMap(sentBy);
  const documented = (DOCUMENTED['AccountService'] ?? []).flatMap(({ metrics }) =>
    Object.entries(metrics).map(([name, { unit, dimensions }]) => ({
      namespace: 'AccountService',
      name,
      unit,
      dimensions,
    })),
  );
  const byName = (one: { readonly name: string }, other: { readonly name: string }) => (one.name < other.name ? -1 : 1);
  expect(sent.toSorted(byName)).toEqual(documented.toSorted(byName));
});
