import * as z from 'zod';
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi';
import type { EndpointDocumentation } from '../../ports/inbound/documentation/endpoint-documentation.ts';
import type { EndpointSpec, FileSpec } from '../../ports/inbound/endpoint.ts';

type Example = Readonly<Record<string, unknown>> | undefined;

/** The fields of a form, each with its own example, because a page fills in a form field by field. */
const formFields = (body: z.ZodObject, example: Example): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries<z.ZodType>(body.shape as Record<string, z.ZodType>).map(([name, field]) => [
      name,
      example?.[name] === undefined ? field : field.meta({ ...field.meta(), example: example[name] }),
    ]),
  );

const filePart = ({ maxBytes, required }: FileSpec): z.ZodType => {
  const file = z.string().meta({ format: 'binary', description: `at most ${maxBytes} bytes` });
  return required ? file : file.optional();
};

/**
 * The body of an endpoint with files. In a form each file is a part of its own; JSON can't have files. JSON comes first,
 * because many generators of clients take the first one alone.
 */
const withFiles = (body: z.ZodObject, files: Readonly<Record<string, FileSpec>>, example: Example) => {
  const parts = Object.entries(files).map(([part, file]) => [part, filePart(file)]);
  const isForm = Object.values(files).some(({ required }) => required);
  return {
    ...(isForm ? {} : { 'application/json': { schema: body, example } }),
    'multipart/form-data': { schema: z.object({ ...formFields(body, example), ...Object.fromEntries(parts) }) },
  };
};

/** The request body of an endpoint, with an example for each content type; undefined if the endpoint has no body. */
export const requestBody = (
  { body, files }: EndpointSpec,
  { bodyExample: example }: EndpointDocumentation,
): ZodOpenApiRequestBodyObject | undefined =>
  body && {
    required: files !== undefined || !body.safeParse({}).success,
    content: files ? withFiles(body, files, example) : { 'application/json': { schema: body, example } },
  };
