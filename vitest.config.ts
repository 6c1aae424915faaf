import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 120_000,
    // All cores: by default one is left idle, which is half of a small machine.
    maxWorkers: '100%',
    globalSetup: ['test/compiled.ts'],
  },
});
