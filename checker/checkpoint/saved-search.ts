import type { Auditor } from '../audit.ts';
import type { Engine, Question } from '../engine/engine.ts';
import { type EnginePart, type EngineSaver, MisfitError } from '../engine/saved.ts';
import { CheckerError } from '../errors.ts';
import type { Decisions, Judge } from '../judge.ts';
import type { CompiledProperties } from '../judgements.ts';
import type { SavedSearch, SearchPosition } from '../search.ts';
import { type BlockHead, decodedBlock, encodedBlock } from './block.ts';
import { questionDigest } from './question-digest.ts';
import type { CheckpointOptions } from './store.ts';

const SECONDS_DEFAULT = 60;
/** The clock is read once in so many states. */
const STATES_PER_LOOK = 64;

/** What is saved, and of which question. */
export interface SavedParts<State> {
  readonly engine: Engine<State>;
  readonly question: Question<State>;
  readonly compiled: CompiledProperties<State>;
  readonly judge: Judge<State>;
  readonly auditor: Auditor<State>;
  /** Steps that the search may take at most. */
  readonly mostDepth: number | undefined;
}

/**
 * Saves a search in blocks, each with what was added since the one before. The state in work never
 * counts: what is saved is the search as it was when it had not begun with that state.
 */
export class Checkpoints<State> implements SavedSearch {
  start: SearchPosition | null = null;
  private readonly options: CheckpointOptions;
  private readonly parts: SavedParts<State>;
  private readonly saver: EngineSaver;
  private readonly question: string;
  /** As they were at the last mark. */
  private position: SearchPosition | null = null;
  private readonly triggered: Float64Array;
  private judgedStates = 0;
  private terminalStates = 0;
  private nextAudit = 0;
  private audited = 0;
  private decisions: Decisions;
  private changes = 0;
  /** Number of the state at which the last block ends; -1: there is no block. */
  private savedState = -1;
  private savedAt = performance.now();

  /**
   * Restores the engine, the judge and the auditor, which must be new, if the store has blocks.
   * Throws `CheckerError` if these are not blocks of this question, and `LimitHitError`.
   */
  constructor(options: CheckpointOptions, parts: SavedParts<State>) {
    const { engine, judge } = parts;
    if (engine.saving === null) {
      throw new CheckerError('badOption', `the ${engine.kind} engine makes no checkpoints`);
    }
    this.options = options;
    this.parts = parts;
    this.saver = engine.saving;
    this.question = questionDigest(parts, parts.auditor.every);
    this.triggered = judge.triggered.slice();
    this.restore();
    this.decisions = judge.decisions();
    this.changes = judge.changes;
    this.saver.begin();
  }

  get isDue(): boolean {
    const { everySeconds = SECONDS_DEFAULT, everyStates } = this.options;
    const state = this.position?.state ?? 0;
    // Already the first states can be restored, with the question.
    if (this.savedState < 0) return true;
    if (everyStates !== undefined && state >= this.savedState + everyStates) return true;
    return state % STATES_PER_LOOK === 0 && performance.now() >= this.savedAt + 1000 * everySeconds;
  }

  mark(at: Readonly<SearchPosition>): void {
    const { judge, auditor } = this.parts;
    this.position = Object.assign(this.position ?? {}, at);
    this.saver.mark();
    this.triggered.set(judge.triggered);
    this.judgedStates = judge.judgedStates;
    this.terminalStates = judge.terminalStates;
    this.nextAudit = auditor.next;
    this.audited = auditor.audited;
    if (judge.changes === this.changes) return;
    this.decisions = judge.decisions();
    this.changes = judge.changes;
  }

  save(): void {
    const { position, question } = this;
    if (position === null || position.state === this.savedState) return;
    const part = this.saver.part();
    const head: BlockHead = {
      question,
      position,
      engine: part.head,
      judge: {
        judgedStates: this.judgedStates,
        terminalStates: this.terminalStates,
        triggered: [...this.triggered],
        decisions: this.decisions,
      },
      // JSON has no infinity, which means that nothing is audited.
      auditor: {
        next: Number.isFinite(this.nextAudit) ? this.nextAudit : null,
        audited: this.audited,
      },
    };
    this.options.store.append(encodedBlock({ head, part }));
    this.savedState = position.state;
    this.savedAt = performance.now();
  }

  private restore(): void {
    const { judge, auditor, mostDepth } = this.parts;
    try {
      let last: BlockHead | null = null;
      const decoded = this.decoded((head) => {
        last = head;
      });
      this.saver.restore(decoded);
      const head = last as BlockHead | null;
      if (head === null) return;
      judge.judgedStates = head.judge.judgedStates;
      judge.terminalStates = head.judge.terminalStates;
      judge.triggered.set(head.judge.triggered);
      judge.restore(head.judge.decisions);
      auditor.next = head.auditor.next ?? Number.POSITIVE_INFINITY;
      auditor.audited = head.auditor.audited;
      this.start = head.position;
      this.savedState = head.position.state;
    } catch (error) {
      if (error instanceof MisfitError) throw badCheckpoint(error.message);
      throw error;
    }
    if (mostDepth !== undefined && this.start.layer > mostDepth) {
      throw badCheckpoint(`it is ${this.start.layer} steps deep, and the limit is ${mostDepth}`);
    }
  }

  private *decoded(seen: (head: BlockHead) => void): Iterable<EnginePart> {
    for (const bytes of this.options.store.blocks()) {
      const { head, part } = decodedBlock(bytes);
      if (head.question !== this.question) throw new MisfitError('it is of another question');
      seen(head);
      yield part;
    }
  }
}

function badCheckpoint(why: string): CheckerError {
  return new CheckerError('badCheckpoint', `the checkpoint cannot be continued: ${why}`);
}
