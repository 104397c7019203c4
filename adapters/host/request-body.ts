import { ownerName } from '../../domain/access/principal.ts';
import { type Outcome, ok, refuse } from '../../domain/shared/outcome.ts';
import { bodyTypes, type EndpointSpec } from '../../ports/inbound/endpoint.ts';
import type { RefusalCode } from '../../ports/inbound/refusals.ts';
import { type Caller, ownerIn } from '../pipeline/caller.ts';
import type { BodyOnDemand, ReadBody } from '../pipeline/input.ts';
import { isCostly, type JsonBodies } from './json-bodies.ts';
import type { HostRequest } from './request.ts';
import type { Spool, SpoolFolder } from './spool.ts';

/** The most bytes of a body, or of a form's fields, unless the endpoint names another limit. */
export const DEFAULT_BODY_BYTES = 64 * 1024;

const FORM = /^multipart\/form-data\b/i;

const NO_FILES = {};

/** The body of a request. `discard` removes its files once the request is answered; a body without files has none. */
export type RequestBody = BodyOnDemand & { readonly discard?: () => Promise<void> | undefined };

const tooMany = () => refuse('unavailable', { message: 'Too many uploads right now; try again shortly.' });

/** Where the bodies of a process go: files to the folder, and JSON to memory. */
export type Intake = { readonly spool: SpoolFolder; readonly jsonBodies: JsonBodies };

/**
 * The body of an endpoint's request: JSON, or a form if the endpoint takes files. A form takes one of the spool's
 * places from when it is read until it is discarded. It is refused if no place is free.
 */
export const bodyOf = (
  endpoint: EndpointSpec,
  { spool: folder, jsonBodies }: Intake,
): ((request: HostRequest) => RequestBody) => {
  const { bodyLimit = DEFAULT_BODY_BYTES, files } = endpoint;
  const taken = bodyTypes(endpoint).join(' or ');
  const asJson = async (request: HostRequest, caller: Caller): Promise<Outcome<ReadBody, RefusalCode>> => {
    const read = await jsonBodies.read(request, bodyLimit, taken, caller);
    return read.ok ? ok({ fields: read.value, files: NO_FILES }) : read;
  };
  return (request) => {
    if (files === undefined || !FORM.test(request.headers['content-type'] ?? '')) {
      return { isCostly: isCostly(request), read: (caller) => asJson(request, caller) };
    }
    let spool: Spool | undefined;
    return {
      isCostly: true,
      read: async (caller) => {
        spool = folder.take(ownerName(ownerIn(caller)));
        if (spool === undefined) return tooMany();
        // Loaded with the first form, because few requests have one.
        return (await import('./form.ts')).readForm(request, spool, { fieldBytes: bodyLimit, files });
      },
      discard: () => spool?.remove(),
    };
  };
};
