/** What `reapcheck gate` looks for in the working directory, and what stands beside it. */
export const SUITE_DEFAULT = 'reapcheck.suite.yaml';
export const LOCK_DEFAULT = 'reapcheck.lock.json';
