/* The beginnings of the keys in a bucket. The rights of the functions name them too. */

/** The prefix of complete objects, which no upload in progress has. */
export const OBJECTS = 'objects/';

/** The prefix of objects whose SHA-256 is not known yet. The bucket's lifecycle removes leftovers. */
export const INCOMING = 'incoming/';

/** A prefix that no object has. To list it asks nothing but whether the bucket answers. */
export const PING = 'ping/';
