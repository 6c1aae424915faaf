import type { Explanation } from '../../input/manifests/explanation.ts';
import type { Trouble } from '../../input/manifests/leaving/troubles.ts';
import { displayName } from '../../input/manifests/names.ts';
import { type ApiObject, isBeingDeleted, keyOf } from '../../model/index.ts';
import type { Look, ObjectFate, Reported } from '../../report/document/answer.ts';
import { shellQuoted } from '../../text/layout.ts';
import { refusalsFor } from './refusals.ts';

/** The conditions of a namespace or definition that is being deleted, the first to mend first. */
const MEANINGS: Readonly<Record<string, string>> = {
  NamespaceDeletionDiscoveryFailure:
    'an API does not answer, so nobody knows what else is in the namespace, and it is not finalized: mend this first',
  NamespaceDeletionGroupVersionParsingFailure:
    'discovery names a version that cannot be read, so what it has is not deleted',
  NamespaceDeletionContentFailure: 'deleting or listing some of the contents failed',
  NamespaceContentRemaining: 'these objects are still there',
  NamespaceFinalizersRemaining: 'the owners of these finalizers have not removed them',
  Terminating: 'how far the instances of the definition are deleted',
};

const CONVERSION =
  'nobody can list or delete what this webhook converts until it answers: run its operator again, or set spec.conversion of the definition to {strategy: None}, which leaves the instances as they are stored';

/** What the objects themselves say of their deletion, in their own words. */
export function reportedBy({ dump, targets, plan }: Explanation): readonly Reported[] {
  const apis =
    (plan.setup.unavailableApis ?? []).length === 0 ? [] : (plan.cluster?.unavailableApis ?? []);
  const down = apis.map(
    ({ name, groupVersion, condition }): Reported => ({
      object: `APIService/${name}`,
      type: `Available=${condition.status}`,
      message: condition.message || condition.reason,
      meaning: `the API ${groupVersion} does not answer: while it is down, no namespace is finalized`,
    }),
  );
  const order = Object.keys(MEANINGS);
  const namespaces = targets.filter(isBeingDeleted).flatMap((object) => {
    const observed = dump.observations.get(keyOf(object));
    if (observed?.of !== 'Namespace' && observed?.of !== 'CustomResourceDefinition') return [];
    return observed.conditions
      .filter(({ type, status }) => status === 'True' && order.includes(type))
      .map(
        ({ type, message }): Reported => ({
          object: displayName(object),
          type,
          message,
          meaning: message.includes('conversion webhook for') ? CONVERSION : (MEANINGS[type] ?? ''),
        }),
      );
  });
  return [...down, ...namespaces.sort((a, b) => order.indexOf(a.type) - order.indexOf(b.type))];
}

/** More objects than these say nothing new. */
const MOST = 6;

/** What the objects say of what goes wrong, but for those that `reportedBy` reads. */
export function troublesReported(
  objects: readonly { readonly object: ApiObject; readonly troubles: readonly Trouble[] }[],
): readonly Reported[] {
  return objects
    .filter(({ object }) => !READ.test(object.kind))
    .filter(({ troubles }) => troubles.length > 0)
    .slice(0, MOST)
    .flatMap(({ object, troubles }) =>
      troubles.map(({ type, message }): Reported => {
        const meaning = 'its controller says so itself';
        return { object: displayName(object), type, message, meaning };
      }),
    );
}

const READ = /^(Namespace$|CustomResourceDefinition\.)/;

/** What ends the refusals of webhooks that do not answer, where nobody brings their pods back. */
export function silencesOf(
  told: readonly { readonly object: ApiObject; readonly fate: ObjectFate }[],
  explanation: Explanation,
): readonly Look[] {
  const refused = told
    .filter(({ fate }) => fate.fate !== 'goes')
    .flatMap(({ object }) => refusalsFor(object, explanation.plan));
  const commands = new Set(refused.flatMap(({ silence }) => silence ?? []));
  const known = [...commands].map((command) => ({
    text: 'if nothing is to answer for the webhook any more, delete its configuration: nobody checks then what it checked',
    command,
  }));
  return [...known, ...webhooksSought(explanation)];
}

const CALLED = /failed calling webhook \\?"([^"\\]+)/;

/** How to find the webhook that keeps contents of a namespace, where the dump lacks it. */
function webhooksSought({ dump, targets }: Explanation): readonly Look[] {
  const known = new Set(
    [...dump.observations.values()].flatMap((observed) =>
      observed.of === 'webhooks' ? observed.webhooks.map(({ name }) => name) : [],
    ),
  );
  return targets.filter(isBeingDeleted).flatMap((namespace): readonly Look[] => {
    const observed = dump.observations.get(keyOf(namespace));
    const [failed] =
      observed?.of !== 'Namespace'
        ? []
        : observed.conditions.filter(
            ({ type, status }) => type === 'NamespaceDeletionContentFailure' && status === 'True',
          );
    const [, name = ''] = CALLED.exec(failed?.message ?? '') ?? [];
    if (name === '' || known.has(name)) return [];
    const all = 'validatingwebhookconfigurations,mutatingwebhookconfigurations';
    const columns = 'custom-columns=KIND:.kind,NAME:.metadata.name,WEBHOOKS:.webhooks[*].name';
    return [
      {
        text: `this finds the configuration of the webhook ${name}: bring back what answers for it, or delete the configuration if nothing is to answer any more`,
        command: `kubectl get ${all} -o ${shellQuoted(columns)} | grep ${shellQuoted(name)}`,
      },
    ];
  });
}
