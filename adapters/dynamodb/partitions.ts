/* The names of this engine's own partitions. The permissions of the AWS functions name them too. */

/** The prefix of a counter's partition. */
export const COUNTERS = 'COUNTER#';

/** The prefix added to the partition of an item that looks like one of these. */
export const ESCAPED = 'ITEM#';

/** The partition that a ping reads. It is always empty. */
export const PING = 'PING';
