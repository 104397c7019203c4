import type { Reply } from '../host/reply.ts';

/** The parts of a WWW-Authenticate challenge (RFC 6750, section 3; RFC 9728, section 5.1). */
export type Challenge = {
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly scopes: readonly string[];
  /** The address of the protected-resource metadata; undefined where nobody can sign in. */
  readonly metadataUrl: string | undefined;
};

/** The reply with a challenge by which a client finds the place to sign in, and the permissions to ask for. */
export const challenged = (reply: Reply, { error, scopes, metadataUrl }: Challenge): Reply => {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(metadataUrl === undefined ? [] : [`scope="${scopes.join(' ')}"`, `resource_metadata="${metadataUrl}"`]),
  ];
  return { ...reply, headers: { ...reply.headers, 'www-authenticate': ['Bearer', parts.join(', ')].join(' ').trim() } };
};
