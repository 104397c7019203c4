import { CfnCondition, CfnParameter, Fn, type Stack } from 'aws-cdk-lib';
import { type ITable, type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { SERVED, type ServedHost } from './routes.ts';
import type { Stage } from './stage.ts';

/** The parameter of the data stack with the hosts' names. CloudFormation keeps its value between deployments. */
export const NAMES = 'Names';

/** Only the shop's own systems know the name of the shop host: no token, feed or link contains it. */
const REMEMBERED: readonly ServedHost[] = SERVED.filter((host) => host !== 'shop');

/**
 * Refuses a deployment that changes or loses a host's name, and with it the issuer of tokens: the remembered names must
 * match those of the stage. They are stored in the stack itself, so that no machine, file or pipeline can lose them;
 * and in the data stack, with which every deployment begins. The operator confirms a change by entering the new names.
 */
export const rememberNames = (data: Stack, { name, domains }: Pick<Stage, 'name' | 'domains'>): void => {
  const names = REMEMBERED.map((host) => domains[host] ?? '-').join(',');
  const allowedPattern = `^${names.replaceAll('.', '\\.')}$`;
  const remembered = new CfnParameter(data, NAMES, {
    description: `The names of the hosts ${REMEMBERED.join(', ')}; a hyphen for none`,
    default: names,
    allowedPattern,
    constraintDescription: `stay as it is, because tokens, feeds and links have these names; if they are to change, confirm it by --parameters ${data.stackName}:${NAMES}=${names}`,
  });
  // Its own pattern holds too, should CloudFormation take a remembered value as it is.
  new StringParameter(data, 'NamesInUse', {
    parameterName: `/account-service/${name}/names`,
    stringValue: remembered.valueAsString,
    allowedPattern,
    description: 'The names of the hosts; it follows from the parameter of the data stack',
  });
};

/** The parameter of the data stack that names a restored table. CloudFormation keeps its value between deployments. */
export const TABLE_IN_USE = 'TableInUse';

type Named = { readonly name: string };

const storedAt = ({ name }: Named): string => `/account-service/${name}/table`;

/**
 * Stores the name of the table in use for the other stacks, and returns that name: the stack's own table, or the one
 * that the parameter `TableInUse` names. The stored value follows from the stack's parameter, so no update of the stack
 * can restore an earlier name. An export would not work, because it can't change while a stack imports it.
 */
export const storeTableInUse = (data: Stack, stage: Named, own: ITable | ITableV2): string => {
  const { logicalId: isAnother } = new CfnCondition(data, 'UsesAnotherTable', {
    expression: Fn.conditionNot(Fn.conditionEquals(Fn.ref(TABLE_IN_USE), '')),
  });
  const another = new CfnParameter(data, TABLE_IN_USE, {
    description:
      'The name of a restored table that is used in place of the own one of this stack; empty for the own one',
    default: '',
    allowedPattern: '^$|^[a-zA-Z0-9_.-]{3,255}$',
    constraintDescription: 'the name of a table in this account and region, or nothing for the own table of the stack',
  });
  const stringValue = Fn.conditionIf(isAnother, another.valueAsString, own.tableName).toString();
  const description = 'The table that the account service uses; it follows from the parameter of the data stack';
  new StringParameter(data, 'StoredTableInUse', { parameterName: storedAt(stage), stringValue, description });
  return stringValue;
};

/** The table in use, resolved whenever a stack is deployed. */
export const tableInUse = (stack: Stack, stage: Named): ITableV2 =>
  TableV2.fromTableName(stack, 'TableInUse', StringParameter.valueForStringParameter(stack, storedAt(stage)));
