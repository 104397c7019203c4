const LEAST_NODE = 24;

/** What an older Node than the service needs is told; null where it is new enough. */
export const olderNode = (): string | null => {
  const { node } = process.versions;
  const isOlder = Number.parseInt(node, 10) < LEAST_NODE;
  return isOlder ? `account-service needs Node ${LEAST_NODE} or newer, and this is Node ${node}.` : null;
};
