/** What another partition is said to have sent is not what it can have sent, or not all of it. */
export class BlockError extends Error {
  override readonly name = 'BlockError';

  constructor(what: string) {
    super(`a block between partitions ${what}`);
  }
}
