import type { Held, Lacking } from '../../../input/cluster/doubts/evidence.ts';
import { displayName } from '../../../input/manifests/names.ts';
import type { Plan } from '../../../input/plan.ts';
import { type ApiObject, type KindTable, keyOf } from '../../../model/index.ts';
import { shellQuoted } from '../../../text/layout.ts';
import { kubectl } from '../kubectl.ts';
import { HARM, NOTHING, type Option, type Step, step } from './option.ts';

/** With more objects than this, a person has to look first. */
const MOST = 3;

/**
 * The way to end what keeps the owner of a finalizer from removing it; null: none that is worth a
 * try.
 *
 * @param act changes a plan so that the owner acts. What is used is judged anew once it goes.
 * @param lost what the owner deletes outside of the cluster then; null: nothing.
 */
export function endOf(
  { by, objects, why, pause = '', lacks, settle }: Held,
  kinds: KindTable,
  act: (plan: Plan) => Plan,
  lost: string | null,
): Option | null {
  if (objects.length > MOST) return null;
  switch (by) {
    case 'paused':
      return { ...NOTHING, ...done(objects.map((one) => resumed(one, pause, kinds))), change: act };
    case 'hooked':
      return {
        ...NOTHING,
        ...done(objects.map((one) => unhooked(one, pause, kinds))),
        change: act,
      };
    case 'used':
      return deleting(objects, kinds, HARM.deletes, (name) => [
        `delete ${name}, for whose end it waits`,
        `${name} is gone, with what it owns`,
      ]);
    case 'drained': {
      const option = deleting(objects, kinds, HARM.little, (name) => [
        `delete ${name}: a deletion asks neither a budget nor an annotation`,
        `${name} ends, however many of its kind are left`,
      ]);
      return { ...option, change: act };
    }
    case 'unconfirmed':
      return { ...NOTHING, ...done(objects.map((one) => agreed(one, kinds))), change: act };
    case 'lacking':
      return lacks === undefined
        ? null
        : { ...NOTHING, ...done([lackingStep(lacks, lost)]), change: act };
    case 'refused':
      return {
        ...NOTHING,
        ...done(objects.map((one) => allowed(one, why, objects, kinds))),
        change: act,
      };
    case 'elsewhere':
      return settle === undefined
        ? null
        : { ...NOTHING, ...done(objects.map((one) => reached(one, settle))), change: act };
    case 'unseen':
    case 'hooks':
      return null;
    case 'beneath':
      // The other finalizer has a remedy of its own.
      return { ...NOTHING, steps: [], harm: HARM.none, change: act };
    default:
      throw new Error(`unknown hold ${by satisfies never}`);
  }
}

function done(steps: readonly Step[]): Pick<Option, 'steps' | 'harm'> {
  return { steps, harm: Math.max(...steps.map(({ harm }) => harm)) };
}

function resumed(object: ApiObject, pause: string, kinds: KindTable): Step {
  const text = `resume ${displayName(object)}: it is paused (${pause})`;
  const patch = `--type=merge -p ${shellQuoted('{"spec":{"paused":false}}')}`;
  const command = pause.startsWith('spec.')
    ? kubectl('patch', object, kinds, patch)
    : kubectl('annotate', object, kinds, `${pause}-`);
  return step(text, command, HARM.little, 'its controllers do everything again that was paused');
}

function unhooked(object: ApiObject, hook: string, kinds: KindTable): Step {
  const text = `take the hook ${hook} off ${displayName(object)}, if its owner never does`;
  const path = `/${hook.replaceAll('.', '/')}`;
  const patch = JSON.stringify([{ op: 'remove', path }]);
  const command = hook.startsWith('spec.')
    ? kubectl('patch', object, kinds, `--type=json -p ${shellQuoted(patch)}`)
    : kubectl('annotate', object, kinds, `${hook}-`);
  return step(text, command, HARM.cleanup, 'what the owner of the hook would have done first');
}

function agreed(object: ApiObject, kinds: KindTable): Step {
  const now = 'argocd.argoproj.io/deletion-approved="$(date -u +%Y-%m-%dT%H:%M:%SZ)" --overwrite';
  return step(
    `confirm the deletion of ${displayName(object)} with all that it tracks`,
    kubectl('annotate', object, kinds, now),
    HARM.deletes,
    'what it asks for is gone',
  );
}

function allowed(
  object: ApiObject,
  why: string,
  { length }: readonly ApiObject[],
  kinds: KindTable,
): Step {
  const name = displayName(object);
  return step(
    length === 1 ? `end what keeps it (${why})` : `end what keeps ${name}, as it says`,
    kubectl('describe', object, kinds),
    HARM.deletes,
    `what ${name} stands for is gone`,
  );
}

function reached(object: ApiObject, settle: string): Step {
  const name = displayName(object);
  return step(
    `get the other cluster of ${name} to answer again, to the credentials as they were; this says whether it does`,
    settle,
    HARM.deletes,
    `what ${name} applied there is gone`,
  );
}

function lackingStep(lacks: Lacking, lost: string | null): Step {
  const { kind, name, namespace } = lacks;
  if (kind === 'AppProject') return projectOf(lacks);
  const scope = namespace === '' ? '' : ` -n ${shellQuoted(namespace)}`;
  return step(
    `make ${kind}/${name} again, as it was: the owner of the finalizer reads it; this says whether it is there`,
    `kubectl get ${kind.toLowerCase()} ${shellQuoted(name)}${scope}`,
    lost === null ? HARM.none : HARM.deletes,
    lost,
  );
}

function projectOf({ name, namespace }: Lacking): Step {
  const spec = {
    destinations: [{ server: '*', namespace: '*' }],
    clusterResourceWhitelist: [{ group: '*', kind: '*' }],
  };
  const project = {
    ...{ apiVersion: 'argoproj.io/v1alpha1', kind: 'AppProject' },
    metadata: { name, namespace },
    spec,
  };
  return step(
    `make AppProject/${name} again: it permits Argo CD to delete what the Application tracks`,
    `echo ${shellQuoted(JSON.stringify(project))} | kubectl create -f -`,
    HARM.deletes,
    'what the Application tracks is gone',
  );
}

function deleting(
  objects: readonly ApiObject[],
  kinds: KindTable,
  harm: number,
  words: (name: string) => readonly [text: string, leaves: string],
): Option {
  const steps = objects.map((object) => {
    const [text, leaves] = words(displayName(object));
    return step(text, kubectl('delete', object, kinds), harm, leaves);
  });
  const requests = objects.map((object) => {
    const options = { propagationPolicy: 'Background' } as const;
    return { do: 'delete', key: keyOf(object), options } as const;
  });
  return { ...NOTHING, ...done(steps), deletes: objects, requests };
}
