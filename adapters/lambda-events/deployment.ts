/** The stage variable by which the legacy host's API in API Gateway makes itself known to the functions. */
export const LEGACY_VARIABLE = 'legacy';

/** Bytes of JSON that Lambda takes in one call and, unless it streams, gives back. A body in it is base64. */
export const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** The part of that limit left for the bytes of a body: about 4.5 MB. */
const BODY = '6 MB, which holds a body of about 4.5 MB';

/** The message to a client whose request Lambda doesn't take; such a request never reaches a function. */
export const REQUEST_OVER_LIMIT = `The request is too large: this host takes at most ${BODY}.`;

/** The message to a client whose answer would be larger than Lambda returns. */
export const ANSWER_OVER_LIMIT = `The answer is too large: this host gives at most ${BODY}.`;

/** The namespace of CloudWatch in which the functions' own metrics are. */
export const METRICS_NAMESPACE = 'AccountService';
