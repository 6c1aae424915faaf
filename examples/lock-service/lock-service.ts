/** An in-memory lock service. With `faulty`, it has a defect that the model finds. */
export class LockService {
  holder: string | null = null;
  private line: string[] = [];
  private readonly gone = new Set<string>();
  private readonly faulty: boolean;

  constructor({ faulty }: { readonly faulty: boolean }) {
    this.faulty = faulty;
  }

  /** False if the client has the lock, or waits for it already. */
  acquire(client: string): boolean {
    if (this.holder === client || this.waiting().includes(client)) return false;
    if (this.holder === null) {
      this.holder = client;
      return true;
    }
    this.forget(client);
    this.line.push(client);
    return true;
  }

  /** False if the client does not wait. */
  giveUp(client: string): boolean {
    if (!this.waiting().includes(client)) return false;
    // It stays in the line, and is passed over later.
    this.gone.add(client);
    return true;
  }

  /** False if the client does not have the lock. */
  release(client: string): boolean {
    if (this.holder !== client) return false;
    let next = this.line.shift();
    // The defect: a client that gave up gets the lock, and never releases it.
    while (!this.faulty && next !== undefined && this.gone.has(next)) next = this.line.shift();
    this.holder = next ?? null;
    if (next !== undefined) this.forget(next);
    return true;
  }

  waiting(): readonly string[] {
    return this.line.filter((client) => !this.gone.has(client));
  }

  private forget(client: string): void {
    if (this.gone.delete(client)) this.line = this.line.filter((other) => other !== client);
  }
}
