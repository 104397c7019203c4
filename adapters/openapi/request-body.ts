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

const perPart = (files: Readonly<Record<string, FileSpec>>, make: (spec: FileSpec) => z.ZodType): z.ZodRawShape =>
  Object.fromEntries(Object.entries(files).map(([part, spec]) => [part, make(spec)]));

/** The body of an endpoint with files. In a form each file is a part of its own; JSON can't have files. */
const withFiles = (body: z.ZodObject, files: Readonly<Record<string, FileSpec>>, example: Example) => {
  const form = z.object({ ...formFields(body, example), ...perPart(files, filePart) });
  const json = z.object({ ...body.shape, ...perPart(files, () => z.null().optional()) });
  const isForm = Object.values(files).some(({ required }) => required);
  return {
    'multipart/form-data': { schema: form },
    ...(isForm ? {} : { 'application/json': { schema: json, example } }),
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
