import type * as z from 'zod';
import type { EndpointDocumentation } from '../../ports/inbound/documentation/endpoint-documentation.ts';
import type { EndpointSpec } from '../../ports/inbound/endpoint.ts';

/** The parameters of an endpoint's path, each with its example; undefined if the path has none. */
export const pathParameters = (
  { params }: EndpointSpec,
  { pathExamples: examples = {} }: EndpointDocumentation,
): z.ZodObject | undefined => {
  if (!params) return undefined;
  const shape = params.shape as Readonly<Record<string, z.ZodType>>;
  const withExample = (name: string, field: z.ZodType) => field.meta({ ...field.meta(), example: examples[name] });
  return params.extend(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, withExample(name, field)])),
  );
};
