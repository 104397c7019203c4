/**
 * Reports CPU time and memory of any program to its parent process. JavaScript, because a program that loads no
 * TypeScript shall not load Node's stripper of types for its sake.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ cpuMicros: user + system, rssBytes: rss, heapBytes: heapUsed, externalBytes: external });
});
