import { compare } from '../compare.ts';
import { atMost, part } from '../part.ts';
import { answerOf, IN_MEMORY, libraryShot, startBare, startService } from '../service.ts';

export const LIBRARY = part({
  title: 'A library of 50 products',
  ratios: { 'library of 50 products: CPU vs. bare Express with the same response': atMost(1.2) },
  figures: ['library of 50 products, memory engine, CPU µs', 'library of 50 products, bare Express, CPU µs'],
  measure: async () => {
    const server = await startService(IN_MEMORY);
    const shot = libraryShot(server.more.key);
    const express = await startBare({ BENCH_LIBRARY: await answerOf(server.port, shot()) });
    const { ours, bare, ratio } = await compare({ server, shot }, { server: express, shot }, 1000);
    server.stop();
    express.stop();
    return {
      ratios: { 'library of 50 products: CPU vs. bare Express with the same response': ratio },
      figures: {
        'library of 50 products, memory engine, CPU µs': ours,
        'library of 50 products, bare Express, CPU µs': bare,
      },
    };
  },
});
