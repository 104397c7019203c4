import { defineConfig } from 'vitest/config';

/** Tests in a real browser; they need chromium, whose path CHROMIUM may name. */
export default defineConfig({
  test: { include: ['test/browser/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000, fileParallelism: false },
});
