import type { ActionInstance, Model, Property } from '../../checker/index.ts';
import { type Cluster, DEFAULT_PROTOCOL, PROTOCOLS, type Setup } from '../../model/index.ts';
import { InputError } from '../../text/input-error.ts';
import { watched } from '../execution.ts';
import { TOKEN_ERRORS } from '../tokens/errors.ts';
import { runOfToken, type Token } from '../tokens/token.ts';
import { authoredModel, type LoadModule } from './authored.ts';
import { questionOfModel } from './tokens.ts';

/** A run of a cluster model that a module exports (`clusterModel`). */
export interface ClusterRun {
  readonly title: string;
  readonly protocol: string;
  /** With its controllers in TypeScript. */
  readonly setup: Setup;
  /** One more than actions. */
  readonly states: readonly Cluster[];
  readonly actions: readonly ActionInstance[];
  readonly property: Property<Cluster> | null;
}

/**
 * Executes the run of a token of this module again. Throws `InputError`.
 *
 * @param look is called before each step.
 */
export async function clusterRunOf(
  token: Token,
  file: string,
  load: LoadModule,
  look: () => void = () => {},
): Promise<ClusterRun> {
  const authored = authoredModel(await load(file));
  const { setup } = authored.model as { readonly setup?: Setup };
  if (setup === undefined) {
    throw new InputError({
      what: `the model of ${file} is no cluster`,
      expected: 'a run of a model that clusterModel makes, of a scenario or of a dump',
    });
  }
  const { model, property } = questionOfModel(token, authored);
  const { states, actions, stopped } = runOfToken(watched(model as Model<Cluster>, look), token);
  if (stopped !== null) throw TOKEN_ERRORS.tokenStops(actions.length + 1, stopped);
  return {
    title: authored.model.name,
    protocol: protocolOf(setup, file),
    setup,
    states,
    actions,
    property: property as Property<Cluster> | null,
  };
}

/** The protocol that the rules of a set-up are, for the version that a server claims. */
function protocolOf({ rules }: Setup, file: string): string {
  const text = JSON.stringify(Object.entries(rules).sort());
  // Several releases can have the same rules.
  const found = [DEFAULT_PROTOCOL, ...Object.keys(PROTOCOLS)].find(
    (name) => JSON.stringify(Object.entries(PROTOCOLS[name] ?? {}).sort()) === text,
  );
  if (found !== undefined) return found;
  throw new InputError({
    what: `the cluster of ${file} has rules of no protocol`,
    expected: 'the rules of one protocol, without changes of single rules',
  });
}
