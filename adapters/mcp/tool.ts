import type {
  CallToolResult,
  Tool as Listing,
  ListResourcesResult,
  ReadResourceResult,
  ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { Principal } from '../../domain/access/principal.ts';
import type { RateVerdict } from '../../domain/access/rate-limit.ts';
import type { Locale } from '../../domain/shared/locale.ts';
import type { AnswerFacts, Reply } from '../host/reply.ts';
import type { Caller } from '../pipeline/identify.ts';

export type { ListResourcesResult, ReadResourceResult, ResourceTemplateType as Template };

/** The end of a request for resources. A sentence instead of a result tells the agent what to change. */
export type ResourceEnd<R> = (CallEnd<R> | { readonly missing: string } | { readonly invalid: string }) & CallFacts;

/** Texts that agents read by URI, besides the tools that they call. */
export type ResourceSource = {
  readonly templates: readonly ResourceTemplateType[];
  /** The page that a cursor names; the first without one. `invalid` where the cursor is none of this source's. */
  readonly list: (cursor: string | undefined, context: ToolContext) => Promise<ResourceEnd<ListResourcesResult>>;
  /** The text of a resource; `missing` where there is none at the URI that the caller may read. */
  readonly read: (uri: string, context: ToolContext) => Promise<ResourceEnd<ReadResourceResult>>;
};

export type { CallToolResult, Listing };

/** The caller of a tool or the reader of a resource, and the facts of its request that the answer may need. */
export type ToolContext = {
  readonly caller: Required<Caller>;
  /** The language that the request asks for. */
  readonly locale: Locale;
  readonly requestId: string;
};

/** The end of a call: a result for the agent, a fault of the service, or a whole HTTP reply instead of both. */
export type CallEnd<R = CallToolResult> =
  | {
      readonly result: R;
      /** The JSON of the structured content, where the text of it is the whole content. It saves writing it again. */
      readonly json?: string | undefined;
    }
  | { readonly fault: string }
  | { readonly reply: Pick<Reply, 'status' | 'headers' | 'body'> };

export type CallFacts = {
  /** The verdict of the rate limits on the call, if it came so far. */
  readonly rate?: RateVerdict;
  readonly answered?: AnswerFacts;
  /** Faults for the log. */
  readonly faults?: readonly unknown[];
};

export type FinishedCall = CallEnd & CallFacts;

/** A tool as this server offers it. */
export type Tool = {
  /** 1 to 40 characters of `a-z`, `0-9` and `_`. */
  readonly name: string;
  /** The name by which a client asks for the tools of one group. */
  readonly group: string;
  /** The entry of `tools/list`. */
  readonly listing: Listing;
  /** The largest message in bytes that may call the tool. */
  readonly bodyLimit: number;
  readonly permits: (principal: Principal) => boolean;
  /** The permission by which this caller could call the tool; undefined if none would help. */
  readonly lacks: (principal: Principal) => string | undefined;
  readonly call: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<FinishedCall>;
};
