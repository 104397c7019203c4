/**
 * Resolves once the request has passed every gate (rate limit, entitlement), and rejects where one turned it away. Reads
 * may run beside the gates; a use case that writes awaits this before its first write.
 */
export type Admission = Promise<void>;
