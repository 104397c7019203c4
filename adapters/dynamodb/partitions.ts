/* The names that this engine gives partitions beside those of the records. The rights of the functions name them too. */

/** The beginning of the partition of a counter. */
export const COUNTERS = 'COUNTER#';

/** The beginning of the partition of an item whose own would look like one of these. */
export const ESCAPED = 'ITEM#';

/** The partition, always empty, that a ping reads. */
export const PING = 'PING';
