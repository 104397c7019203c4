import { atMost, part } from '../part.ts';
import { compare, IN_MEMORY, libraryShot, type Service, startBare, startService } from '../service.ts';

const textOf = async (service: Service): Promise<string> => {
  const { path, headers } = libraryShot(service)();
  return (await fetch(`http://127.0.0.1:${service.port}${path}`, { headers })).text();
};

export const LIBRARY = part({
  title: 'A library of 50 products',
  text: 'CPU time of the server for each request, beside Express that sends the same object by `res.json`.',
  ratios: { 'library of 50: CPU against bare Express sending the same': atMost(1.2) },
  figures: ['library of 50 products, memory engine, CPU µs', 'library of 50 products, bare Express, CPU µs'],
  measure: async () => {
    const service = await startService(IN_MEMORY);
    const express = await startBare({ BENCH_LIBRARY: await textOf(service) });
    const { ours, bare, ratio } = await compare(service, express, 1000, libraryShot(service));
    service.stop();
    express.stop();
    return {
      ratios: { 'library of 50: CPU against bare Express sending the same': ratio },
      figures: {
        'library of 50 products, memory engine, CPU µs': ours,
        'library of 50 products, bare Express, CPU µs': bare,
      },
    };
  },
});
