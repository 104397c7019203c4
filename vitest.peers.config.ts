import { defineConfig } from 'vitest/config';

/** Tests with what people have beside npm: a browser (chromium, whose path CHROMIUM may name), a shell, curl, openssl, and readers of feeds (xmllint, feedparser). */
export default defineConfig({
  test: {
    include: [
      'test/appcast/**/*.test.ts',
      'test/browser/**/*.test.ts',
      'test/openssl/**/*.test.ts',
      'test/quick-start/**/*.test.ts',
    ],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
