import { defineConfig } from 'vitest/config';

/**
 * `npm run test:peers`: tests with real programs: a browser (chromium; CHROMIUM may name its path), a shell, curl, jq,
 * openssl, readers of feeds (xmllint, feedparser), proxies (nginx, Caddy), systemd, Prometheus and its promtool, and a
 * fuzzer (schemathesis, which
 * Python 3 downloads once).
 */
export default defineConfig({
  test: {
    include: [
      'checks/browser/**/*.test.ts',
      'checks/deploy/**/*.test.ts',
      'checks/mcp/**/*.test.ts',
      'test/appcast/**/*.test.ts',
      'test/documents/programs/**/*.test.ts',
      'test/fuzz/**/*.test.ts',
      'test/openssl/**/*.test.ts',
      'test/prometheus/**/*.test.ts',
      'test/quick-start/**/*.test.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
