import type { EndpointDocumentation, ToolDocumentation } from '../../ports/inbound/documentation/area-documentation.ts';
import { documentationOf, type WholeDocumentation } from '../../ports/inbound/documentation/whole-documentation.ts';
import { type EndpointSpec, isToolName, type ToolSpec } from '../../ports/inbound/endpoint.ts';
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

const toolTexts = ({ id }: EndpointSpec, { tools }: WholeDocumentation): ToolDocumentation => {
  const texts = tools[id];
  if (!texts) throw new Error(`The tool of ${id} has no texts; the documentation of its area has to have them.`);
  return texts;
};

/** The name of a group in `?tools=`: as the specification lists the groups, or in lower case with `_` for spaces. */
const groupName = (group: string): string => GROUP_NAMES[group] ?? group.toLowerCase().replaceAll(' ', '_');

const GROUP_NAMES: Readonly<Record<string, string>> = {
  'Setup progress': 'setup',
  'App distribution': 'distribution',
};

const described = (endpoint: ToolEndpoint, whole: WholeDocumentation): DescribedTool => {
  const { name, effect } = endpoint.tool;
  if (!isToolName(name)) throw new Error(`"${name}" can't be the name of a tool.`);
  const input = toolInput(endpoint);
  const documentation = documentationOf(endpoint, whole);
  const { title, description } = toolTexts(endpoint, whole);
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

export type DescribedTools = {
  readonly tools: readonly DescribedTool[];
  /** An error for each tool that can't be described. */
  readonly faults: readonly Error[];
};

/**
 * The endpoints that are tools as agents see them, in the order of the texts, which begin with what an agent needs
 * first. A tool that can't be described is left out, so that a team's mistake costs no other tool its place.
 */
export const describedTools = (endpoints: readonly EndpointSpec[], whole: WholeDocumentation): DescribedTools => {
  const order = Object.keys(whole.tools);
  const tools: DescribedTool[] = [];
  const faults: Error[] = [];
  for (const endpoint of endpoints.filter((one): one is ToolEndpoint => one.tool !== undefined)) {
    try {
      tools.push(described(endpoint, whole));
    } catch (cause) {
      faults.push(new Error(`MCP leaves out the tool of ${endpoint.id}.`, { cause }));
    }
  }
  return { tools: tools.sort((a, b) => order.indexOf(a.endpoint.id) - order.indexOf(b.endpoint.id)), faults };
};
