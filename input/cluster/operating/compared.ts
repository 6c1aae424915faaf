import type { ApiObject } from '../../../model/index.ts';
import type { Mark } from '../marks.ts';
import type { Observation } from '../observations.ts';

type Managing = Extract<Mark, { readonly mark: 'manages' }>;

/** Whether an Application says nothing of what it has compared, or that this is part of it. */
export function mayManage(application: Observation | undefined, object: ApiObject): boolean {
  const listed = (application?.marks ?? []).flatMap((mark) =>
    mark.mark === 'manages' ? [mark] : [],
  );
  const [kind] = object.kind.split('.');
  return (
    listed.length === 0 ||
    listed.some((mark) => mark.kind === kind && mark.name === object.name && isMeant(object, mark))
  );
}

/** Of a kind without its group, any object of that name; names are those of one namespace. */
export function isMeant({ kind, namespace }: ApiObject, mark: Managing): boolean {
  const [, ...group] = kind.split('.');
  return (
    mark.group === undefined || (group.join('.') === mark.group && namespace === mark.namespace)
  );
}

/**
 * Whether an object has only a label that other tools write as well, and the Application has
 * compared others and not it. Hooks are not among what it compares.
 */
export function isOnlyNamed(
  object: ApiObject,
  by: Mark,
  application: Observation | undefined,
  marks: readonly Mark[] = [],
): boolean {
  const isCommon = by.mark === 'trackedBy' && by.isCommon === true;
  const isHook = marks.some(({ mark }) => mark === 'hook');
  return isCommon && !isHook && !mayManage(application, object);
}
