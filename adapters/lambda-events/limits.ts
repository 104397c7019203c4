/** Bytes of JSON that Lambda takes in one call and, unless it streams, gives back. A body in it is base64. */
export const LAMBDA_PAYLOAD_BYTES = 6 * 1024 * 1024;

/** What is left of that for the bytes of a body: about 4.5 MB. */
const BODY = '6 MB, which holds a body of about 4.5 MB';

/** What a client is told whose request Lambda doesn't take; such a request never reaches a function. */
export const REQUEST_OVER_LIMIT = `The request is too large: this host takes at most ${BODY}.`;

/** What a client is told where the answer would be larger than Lambda gives. */
export const ANSWER_OVER_LIMIT = `The answer is too large: this host gives at most ${BODY}.`;
