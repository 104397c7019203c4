import { CfnParameter, type Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { SERVED, type ServedHost } from './routes.ts';
import type { Stage } from './stage.ts';

/** The parameter of the data stack that remembers the hosts' names. CloudFormation keeps its value between deployments. */
export const NAMES = 'Names';

/** The shop's own systems alone know the name of the shop host, and no token, feed or link has it. */
const REMEMBERED: readonly ServedHost[] = SERVED.filter((host) => host !== 'shop');

/**
 * Refuses a deployment that changes or loses a host's name, and with it the issuer of tokens: the remembered names must
 * match those of the stage. They are in the stack itself, so that no machine, file or pipeline can forget them; and in
 * the data stack, which every deployment begins with. The operator confirms a change by naming the new ones.
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
