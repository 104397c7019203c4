import { describe, expect, test } from 'vitest';
import { FUNCTIONS } from '../bundles/functions.ts';
import { type Properties, resourcesOf, synthesized } from './synthesized.ts';

const prod = synthesized({ stage: 'prod' });

const NAME = '/account-service/prod/table';

type Template = {
  readonly Parameters: Readonly<Record<string, { Type: string; Default?: string; Description?: string }>>;
};

/** The reference to the table's name that a stack resolves when it is deployed. */
const readBy = (part: 'service' | 'operations') => {
  const { Parameters } = prod.templates[part].toJSON() as Template;
  const found = Object.entries(Parameters).filter(([, { Default }]) => Default === NAME);
  expect(found).toEqual([[expect.any(String), { Type: 'AWS::SSM::Parameter::Value<String>', Default: NAME }]]);
  return { Ref: found[0]?.[0] as string };
};

/** The value of an expression in the data stack if its parameter TableInUse has this value. */
const valueIn = (expression: unknown, given: string): string => {
  const {
    'Fn::If': [condition, then, otherwise],
  } = expression as { 'Fn::If': [string, { Ref: string }, { Ref: string }] };
  const isAnother = given !== prod.templates.data.toJSON().Parameters.TableInUse.Default;
  expect(prod.templates.data.toJSON().Conditions[condition]).toEqual({
    'Fn::Not': [{ 'Fn::Equals': [{ Ref: 'TableInUse' }, ''] }],
  });
  const { Ref } = isAnother ? then : otherwise;
  return Ref === 'TableInUse' ? given : Ref;
};

describe('the current table', () => {
  test('the stored name is that of the stack’s own table, or the one that the stack’s parameter names', () => {
    const [, stored] =
      resourcesOf(prod.templates.data, 'AWS::SSM::Parameter').find(([, one]) => one.Name === NAME) ?? [];
    const [[own] = []] = resourcesOf(prod.templates.data, 'AWS::DynamoDB::GlobalTable');
    expect(stored?.Type).toBe('String');
    const { Outputs } = prod.templates.data.toJSON();
    for (const expression of [stored?.Value, Outputs.TableName.Value]) {
      expect([valueIn(expression, ''), valueIn(expression, 'restored')]).toEqual([own, 'restored']);
    }
  });

  test('no other stack imports the table, so nothing depends on an earlier one', () => {
    const [[own] = []] = resourcesOf(prod.templates.data, 'AWS::DynamoDB::GlobalTable');
    const exported = Object.values(prod.templates.data.toJSON().Outputs as Record<string, { Export?: unknown }>).filter(
      ({ Export }) => Export !== undefined,
    );
    expect(exported.length).toBeGreaterThan(0);
    expect(JSON.stringify(exported)).not.toContain(own);
    for (const part of ['service', 'operations'] as const) {
      expect(JSON.stringify(prod.templates[part].toJSON())).not.toContain(own);
    }
  });

  test('every function, permission, alarm and graph follows the stored name', () => {
    const table = readBy('service');
    for (const [, { Environment }] of resourcesOf(prod.templates.service, 'AWS::Lambda::Function')) {
      expect(Environment.Variables.TABLE_NAME).toEqual(table);
    }
    const rights = resourcesOf(prod.templates.service, 'AWS::IAM::Policy').flatMap(([, { PolicyDocument }]) =>
      PolicyDocument.Statement.filter(({ Action }: { Action: string | string[] }) =>
        [Action].flat().some((action) => action.startsWith('dynamodb:')),
      ),
    );
    expect(rights.length).toBeGreaterThanOrEqual(FUNCTIONS.length);
    for (const { Resource } of rights) expect(JSON.stringify(Resource)).toContain(JSON.stringify(table));
    const watched = readBy('operations');
    const dimensions = resourcesOf(prod.templates.operations, 'AWS::CloudWatch::Alarm')
      .flatMap(([, { Metrics = [] }]) => Metrics as Properties[])
      .flatMap(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? [])
      .filter(({ Name }) => Name === 'TableName');
    expect(dimensions.length).toBeGreaterThan(0);
    for (const { Value } of dimensions) expect(Value).toEqual(watched);
    const [[, overview] = []] = resourcesOf(prod.templates.operations, 'AWS::CloudWatch::Dashboard');
    expect(JSON.stringify(overview)).toContain(JSON.stringify(watched));
  });

  test('a changed name publishes a version of every function, because a version keeps its variables', () => {
    const versions = resourcesOf(prod.templates.service, 'AWS::Lambda::Version');
    expect(versions).toHaveLength(FUNCTIONS.length);
    for (const [, { Description }] of versions) {
      expect(Description).toEqual({ 'Fn::Join': ['', ['Table ', readBy('service')]] });
    }
  });

  test('the data stack is deployed before the stacks that read the name', () => {
    const { data, service, operations } = prod.stacks;
    expect(service.dependencies).toContain(data);
    expect(operations.dependencies).toContain(service);
  });
});

describe('a first deployment that fails', () => {
  const kept = (part: 'data' | 'service') =>
    Object.entries(prod.templates[part].toJSON().Resources as Record<string, { DeletionPolicy?: string }>).flatMap(
      ([id, { DeletionPolicy }]) => (DeletionPolicy?.startsWith('Retain') ? [[id, DeletionPolicy]] : []),
    );

  test('a failed first deployment removes what it created, so it can be repeated', () => {
    for (const part of ['data', 'service'] as const) {
      expect(kept(part).length).toBeGreaterThan(0);
      expect(kept(part).filter(([, policy]) => policy !== 'RetainExceptOnCreate')).toEqual([]);
    }
  });

  test('the protected table is created after everything that can fail before it', () => {
    const { Resources } = prod.templates.data.toJSON();
    const [id = ''] = Object.keys(Resources).filter((one) => Resources[one].Type === 'AWS::DynamoDB::GlobalTable');
    const before = new Set(Resources[id].DependsOn);
    const beside = Object.keys(Resources).filter((one) => one !== id && !before.has(one));
    expect(beside.map((one) => Resources[one].Type)).toEqual(['AWS::SSM::Parameter', 'AWS::SSM::Parameter']);
  });
});
