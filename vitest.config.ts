import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    // A browser takes a while to start on a busy machine.
    hookTimeout: 120_000,
    globalSetup: ['test/compiled.ts'],
  },
});
