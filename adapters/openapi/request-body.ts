import * as z from 'zod';
import type { ZodOpenApiRequestBodyObject } from 'zod-openapi';
import type { EndpointSpec, UploadSpec } from '../../ports/inbound/endpoint.ts';

type Example = EndpointSpec['bodyExample'];

/** A form is filled in field by field, so that each field has its example. */
const formFields = (body: z.ZodObject, example: Example): z.ZodRawShape =>
  Object.fromEntries(
    Object.entries<z.ZodType>(body.shape as Record<string, z.ZodType>).map(([name, field]) => [
      name,
      example?.[name] === undefined ? field : field.meta({ ...field.meta(), example: example[name] }),
    ]),
  );

/** A file is a part of its own in a form, and can't be there in JSON. */
const withFile = (body: z.ZodObject, { part, maxBytes, required }: UploadSpec, example: Example) => {
  const file = z.string().meta({ format: 'binary', description: `at most ${maxBytes} bytes` });
  const form = z.object({ ...formFields(body, example), [part]: required ? file : file.optional() });
  const json = z.object({ ...body.shape, [part]: z.null().optional() });
  return {
    'multipart/form-data': { schema: form },
    ...(required ? {} : { 'application/json': { schema: json, example } }),
  };
};

/** The body of an endpoint, with an example of each type that it may come as; undefined where it has none. */
export const requestBody = ({ body, bodyExample, upload }: EndpointSpec): ZodOpenApiRequestBodyObject | undefined =>
  body && {
    required: upload !== undefined || !body.safeParse({}).success,
    content: upload
      ? withFile(body, upload, bodyExample)
      : { 'application/json': { schema: body, example: bodyExample } },
  };
