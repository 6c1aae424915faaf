import { isReservedName } from '../../input/documents/shape.ts';
import type { RecordedRequest } from './recorder.ts';

/** The requests of one user come one after the other, each after the answer to the one before. */
export interface User {
  readonly name: string;
  /** The answer to its last request, as an index of happenings. Infinity: it is not answered. */
  busyUntil: number;
}

/**
 * Users of a scenario stand for clients. Each program is a user; requests that it had in flight at
 * the same time belong to different users.
 */
export class Users {
  readonly #users: User[] = [];

  /** The user that sends this request. */
  sender(request: RecordedRequest): User {
    const { agent, sent, last } = request;
    const word = wordOf(agent);
    const free = this.#users.find(
      ({ name, busyUntil }) => name.replace(/\d+$/, '') === word && busyUntil < sent,
    );
    const user = free ?? this.another(agent);
    user.busyUntil = last ?? Number.POSITIVE_INFINITY;
    return user;
  }

  /** A user that nobody else is. */
  another(agent: string): User {
    const word = wordOf(agent);
    const names = this.#users.map(({ name }) => name);
    let name = word;
    for (let number = 2; names.includes(name); number++) name = `${word}${number}`;
    const user: User = { name, busyUntil: Number.POSITIVE_INFINITY };
    this.#users.push(user);
    return user;
  }
}

/** The program in a User-Agent, such as `kubectl` in `kubectl/v1.33.1 (linux/amd64)`. */
function wordOf(agent: string): string {
  const [product = ''] = agent.split(/[/\s]/);
  const word = product.replaceAll(/[^A-Za-z0-9]/g, '').replace(/^\d+|\d+$/g, '');
  return word === '' || isReservedName(word) ? 'client' : word.slice(0, 40);
}
