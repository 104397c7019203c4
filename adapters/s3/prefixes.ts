/* The prefixes of the keys in a bucket. The permissions of the AWS functions name them too. */

/** The prefix of complete objects. An upload in progress never has it. */
export const OBJECTS = 'objects/';

/** The prefix of objects with a still unknown SHA-256. The bucket's lifecycle removes leftovers. */
export const INCOMING = 'incoming/';

/** A prefix without objects. Listing it only tests whether the bucket responds. */
export const PING = 'ping/';
