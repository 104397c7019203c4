import { documentationOf } from '../../ports/inbound/documentation/documentation.ts';
import type { EndpointDocumentation } from '../../ports/inbound/documentation/endpoint-documentation.ts';
import { TOOLS } from '../../ports/inbound/documentation/tools.ts';
import type { EndpointSpec, ToolSpec } from '../../ports/inbound/endpoint.ts';
import type { ToolId } from '../../ports/inbound/endpoints.ts';
import { HINTS } from './hints.ts';
import { type ObjectSchema, outputSchema } from './json-schema.ts';
import type { Tool } from './tool.ts';
import { type ToolInput, toolInput } from './tool-input.ts';
import { doneSchema, FILE_SCHEMA, REDIRECT_SCHEMA } from './tool-result.ts';

export type ToolEndpoint = EndpointSpec & { readonly tool: ToolSpec };

export type DescribedTool = Pick<Tool, 'name' | 'group' | 'listing'> & {
  readonly endpoint: ToolEndpoint;
  readonly input: ToolInput;
};

const schemaOf = ({ output }: EndpointSpec, { answer }: EndpointDocumentation): ObjectSchema => {
  if (answer !== undefined) return outputSchema(answer.schema);
  if (output.kind === 'binary') return FILE_SCHEMA;
  if (output.kind === 'redirect') return REDIRECT_SCHEMA;
  return doneSchema(output.kind === 'empty' ? output.countedBy : undefined);
};

/** The name of a group in `?tools=`: as the specification lists the groups, or in lower case with `_` for spaces. */
const groupName = (group: string): string => GROUP_NAMES[group] ?? group.toLowerCase().replaceAll(' ', '_');

const GROUP_NAMES: Readonly<Record<string, string>> = {
  'Setup progress': 'setup',
  'App distribution': 'distribution',
};

const described = (endpoint: ToolEndpoint): DescribedTool => {
  const { name, effect } = endpoint.tool;
  const input = toolInput(endpoint);
  const documentation = documentationOf(endpoint);
  const { title, description } = TOOLS[endpoint.id as ToolId];
  return {
    endpoint,
    input,
    name,
    group: groupName(documentation.group),
    listing: {
      name,
      title,
      description,
      inputSchema: input.schema as Tool['listing']['inputSchema'],
      outputSchema: schemaOf(endpoint, documentation) as Tool['listing']['outputSchema'],
      annotations: { title, ...HINTS[effect] },
    },
  };
};

/**
 * The endpoints that are tools as agents see them, in the order of the texts, which begin with what an agent needs
 * first.
 */
export const describedTools = (endpoints: readonly EndpointSpec[]): readonly DescribedTool[] => {
  const order = Object.keys(TOOLS);
  return endpoints
    .filter((one): one is ToolEndpoint => one.tool !== undefined)
    .map(described)
    .sort((a, b) => order.indexOf(a.endpoint.id) - order.indexOf(b.endpoint.id));
};
