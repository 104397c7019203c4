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

/** The end of a request for resources. A message instead of a result tells the agent what to change. */
export type ResourceEnd<R> = (CallEnd<R> | { readonly missing: string } | { readonly invalid: string }) & CallFacts;

/** Texts that agents read by URI, in addition to the tools that they call. */
export type ResourceSource = {
  readonly templates: readonly ResourceTemplateType[];
  /** The page that a cursor names, or the first page. `invalid` if the cursor was not issued by this source. */
  readonly list: (cursor: string | undefined, context: ToolContext) => Promise<ResourceEnd<ListResourcesResult>>;
  /** The text of a resource; `missing` if the URI has none that the caller may read. */
  readonly read: (uri: string, context: ToolContext) => Promise<ResourceEnd<ReadResourceResult>>;
};

export type { CallToolResult, Listing };

/** The caller of a tool or the reader of a resource, and the facts of the request that the answer may need. */
export type ToolContext = {
  readonly caller: Required<Caller>;
  readonly locale: Locale;
  readonly requestId: string;
};

/** The end of a call: a result for the agent, a fault of the service, or a complete HTTP reply in their place. */
export type CallEnd<R = CallToolResult> =
  | {
      readonly result: R;
      /** The JSON of the structured content, if it is the only content. It saves a second serialization. */
      readonly json?: string | undefined;
    }
  | { readonly fault: string }
  | { readonly reply: Pick<Reply, 'status' | 'headers' | 'body'> };

export type CallFacts = {
  /** The verdict of the rate limits, if the call reached them. */
  readonly rate?: RateVerdict;
  readonly answered?: AnswerFacts;
  readonly faults?: readonly unknown[];
};

export type FinishedCall = CallEnd & CallFacts;

export type Tool = {
  /** 1 to 40 characters of `a-z`, `0-9` and `_`. */
  readonly name: string;
  /** The name by which a client asks for the tools of one group. */
  readonly group: string;
  readonly listing: Listing;
  /** The maximum size in bytes of a message that calls the tool. */
  readonly bodyLimit: number;
  readonly permits: (principal: Principal) => boolean;
  /** The permission that would let this caller call the tool; undefined if no permission would. */
  readonly lacks: (principal: Principal) => string | undefined;
  readonly call: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<FinishedCall>;
};
