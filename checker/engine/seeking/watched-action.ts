import type { ActionInstance } from '../../property.ts';
import type { Recording } from '../recording.ts';

/**
 * The action of a step, as step predicates see it. It records that it is looked at.
 *
 * Make it once for each instance: V8 gives each object with accessors of its own another hidden
 * class, and then it takes a microsecond to make one and to read it for a first time.
 */
export class WatchedAction {
  /** As long as the recording of the last `enter` is open. */
  readonly action: ActionInstance;
  /** Whether it was looked at since the last `enter`. */
  wasRead = false;
  private recording: Pick<Recording, 'noteAnswer'> | null = null;

  /**
   * @param column where its number is recorded.
   * @param instance its number.
   */
  constructor({ name, parameters }: ActionInstance, column: number, instance: number) {
    const read = (): void => {
      this.wasRead = true;
      this.recording?.noteAnswer(column, instance);
    };
    this.action = {
      get name() {
        read();
        return name;
      },
      get parameters() {
        read();
        return parameters;
      },
    };
  }

  /** The action for one run of a predicate. */
  enter(recording: Pick<Recording, 'noteAnswer'>): ActionInstance {
    this.recording = recording;
    this.wasRead = false;
    return this.action;
  }
}
