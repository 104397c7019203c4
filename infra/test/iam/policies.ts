import { Fn } from 'aws-cdk-lib';
import { FUNCTIONS, type FunctionName } from '../../bundles/functions.ts';
import { resourcesOf, type Synthesized } from '../synthesized.ts';
import type { Statement } from './evaluate.ts';

/**
 * A value of a template as a string. Names that only AWS assigns, such as an ARN, become references to themselves, so
 * that the same resource has the same string everywhere.
 */
export const textOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const { 'Fn::Join': join } = value as { 'Fn::Join'?: [string, unknown[]] };
  return join ? join[1].map(textOf).join(join[0]) : `<${JSON.stringify(value)}>`;
};

type Policy = { readonly PolicyDocument: { readonly Statement: readonly Record<string, unknown>[] } };

/** The policy documents of a function's role, from the template. */
export const policiesOf = ({ templates }: Synthesized, name: FunctionName): Policy['PolicyDocument'][] =>
  resourcesOf(templates.service, 'AWS::IAM::Policy')
    .filter(([id]) => new RegExp(`^${name}Role`).test(id))
    .map(([, { PolicyDocument }]) => PolicyDocument);

/** The statements of each function's role, with every reference as a string. */
export const statementsByFunction = (from: Synthesized): Readonly<Record<FunctionName, readonly Statement[]>> =>
  Object.fromEntries(
    FUNCTIONS.map((name) => [
      name,
      policiesOf(from, name).flatMap(({ Statement }) =>
        Statement.map((one) => ({ ...one, Resource: [one['Resource']].flat().map(textOf) }) as unknown as Statement),
      ),
    ]),
  ) as unknown as Readonly<Record<FunctionName, readonly Statement[]>>;

export type Places = { readonly table: string; readonly bucket: string; readonly files: string };

/** The only table on which the functions have permissions. */
const tableIn = (from: Synthesized): string => {
  const onTables = Object.values(statementsByFunction(from))
    .flat()
    .filter(({ Action }) => [Action].flat().some((action) => action.startsWith('dynamodb:')));
  const [table, ...others] = new Set(onTables.flatMap(({ Resource }) => Resource));
  if (table === undefined || others.length > 0) throw new Error('The functions have rights on other than one table.');
  return table;
};

/** The table, the bucket, and the bucket in the names of its files, as the statements name them. */
export const placesOf = (from: Synthesized): Places => {
  const { service, data } = from.stacks;
  return {
    table: tableIn(from),
    bucket: textOf(service.resolve(data.objects.bucketArn)),
    files: textOf(service.resolve(Fn.importValue(data.objectsExport))),
  };
};

/** The names of the variables of a function. */
export const variablesOf = ({ templates }: Synthesized, name: FunctionName): string[] =>
  resourcesOf(templates.service, 'AWS::Lambda::Function')
    .filter(([id]) => new RegExp(`^${name}Function`).test(id))
    .flatMap(([, { Environment }]) => Object.keys(Environment.Variables));
