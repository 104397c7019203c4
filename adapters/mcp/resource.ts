import type { ListResourcesResult, ReadResourceResult, ResourceTemplateType } from '@modelcontextprotocol/server';
import type { CallEnd, CallFacts, ToolContext } from './tool.ts';

export type { ListResourcesResult, ReadResourceResult, ResourceTemplateType as Template };

/** The end of a request for resources. A sentence in place of a result tells the agent what to change. */
export type ResourceEnd<R> = (CallEnd<R> | { readonly missing: string } | { readonly invalid: string }) & CallFacts;

/** Texts that agents read by their URIs, beside the tools that they call. */
export type ResourceSource = {
  readonly templates: readonly ResourceTemplateType[];
  /** The page that a cursor names; the first without one. `invalid` where the cursor is none of this source's. */
  readonly list: (cursor: string | undefined, context: ToolContext) => Promise<ResourceEnd<ListResourcesResult>>;
  /** The text of a resource; `missing` where there is none at the URI that the caller may read. */
  readonly read: (uri: string, context: ToolContext) => Promise<ResourceEnd<ReadResourceResult>>;
};
