import type { Ability } from '../access/abilities.ts';

/** An application's request to be let in, as the account's owner is asked about it. */
export type ConsentRequest = {
  /** The id in the page's address. */
  readonly uid: string;
  readonly client: {
    readonly id: string;
    /** The name that the client gave itself. */
    readonly name: string;
    /** The client's https page. */
    readonly uri: string | null;
    /** True where the client id is the address of its metadata, so that its domain vouches for it. */
    readonly is_metadata_document: boolean;
  };
  /** The host, or the app's private scheme (`cursor://`), that the answer goes to. */
  readonly redirect_host: string;
  readonly redirects_to_this_machine: boolean;
  readonly permissions: readonly Ability[];
  readonly resource: string;
};

/** The owner's answer to an application: the account that lets it in, and the permissions that it may have. */
export type ConsentDecision = { readonly account_id: number; readonly permissions: readonly Ability[] };
