/** The stage variable that marks requests through the legacy host's API Gateway. */
export const LEGACY_VARIABLE = 'legacy';

/** The maximum JSON payload of a Lambda call and, unless streamed, of its answer. Bodies are base64 in it. */
export const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** The part of that limit that remains for a body: about 4.5 MB. */
const BODY = '6 MB, which holds a body of about 4.5 MB';

/** The message to a client whose request exceeds Lambda's limit; such a request never reaches a function. */
export const REQUEST_OVER_LIMIT = `The request is too large: this host takes at most ${BODY}.`;

/** The message to a client whose answer exceeds Lambda's limit. */
export const ANSWER_OVER_LIMIT = `The answer is too large: this host gives at most ${BODY}.`;

/** The CloudWatch namespace of the functions' own metrics. */
export const METRICS_NAMESPACE = 'AccountService';
