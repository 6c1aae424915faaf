/** What `reapcheck gate` looks for in the working directory, and what stands beside it. */
export { SUITE_DEFAULT } from '../report/document/gate-document.ts';
export const LOCK_DEFAULT = 'reapcheck.lock.json';
