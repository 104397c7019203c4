/**
 * Reports the CPU time and memory of any program to its parent process. It is JavaScript, because a program without
 * TypeScript must not load Node's type stripper for it.
 */
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  const { rss, heapUsed, external } = process.memoryUsage();
  process.send({ cpuMicros: user + system, rssBytes: rss, heapBytes: heapUsed, externalBytes: external });
});
