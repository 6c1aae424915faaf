import type { Parameters } from '../../checker/index.ts';
import {
  type ApiObject,
  actingItemCall,
  type Cluster,
  collectorActions,
  dependentKeys,
  ORPHAN,
} from '../../model/index.ts';
import { defineProperty } from '../catalogue.ts';
import {
  deletedInStep,
  deleting,
  nameOf,
  relationsOf,
  whichObjects,
  whyStillThere,
} from '../relations.ts';
import { ownersText } from '../values.ts';

export const ORPHANS_SURVIVE = defineProperty({
  id: 'orphans-survive',
  group: 'ownership and cascade',
  name: 'orphaned objects are not collected',
  kind: 'step',
  judgesObjects: 'parameters',
  about:
    'After a DELETE has been answered with an object on which it left the finalizer `orphan`, ' +
    'the collector does not delete a dependent that was stored at that time and that had, and ' +
    'still has, no other owner.',
  trigger:
    'the API server has promised to orphan a dependent, and the collector sends a DELETE or a ' +
    'PATCH',
  source:
    'Kubernetes documentation, Garbage Collection: "If you delete an object without deleting its dependents automatically, the ' +
    'dependents are said to be orphaned"; https://github.com/kubernetes/kubernetes/issues/26120',
  build: (setup) => ({
    actions: collectorActions(setup),
    parameters: whichObjects(setup),
    trigger: (before, action, _after, { uid }) =>
      before.promisedOrphans[String(uid)] !== undefined &&
      actingItemCall(setup, before, action) !== null,
    holds: (before, action, after, { uid }) => {
      const owner = before.promisedOrphans[String(uid)];
      if (owner === undefined) return true;
      const object = deletedInStep(setup, before, action, after);
      if (object === null || object.uid !== uid) return true;
      return !object.ownerReferences.every((reference) => reference.uid === owner);
    },
    explain: (before, action, after, { uid }) => {
      const object = deletedInStep(setup, before, action, after);
      if (object === null || object.uid !== uid) return [];
      const promise = `promised by the DELETE of its owner uid=${before.promisedOrphans[object.uid]}`;
      return [
        `the collector deletes ${nameOf(object)}, which was to be orphaned (${promise}; ${ownersText(object.ownerReferences)})`,
      ];
    },
  }),
});

export const ORPHANING_COMPLETES = defineProperty({
  id: 'orphaning-completes',
  group: 'ownership and cascade',
  name: 'orphaning completes',
  kind: 'eventually',
  judgesObjects: 'parameters',
  about:
    'An object that is being deleted with the finalizer `orphan` loses that finalizer. By ' +
    'then, no dependent that was promised to be orphaned refers to the object as an owner.',
  trigger: 'an object with the finalizer `orphan` is being deleted',
  source:
    'Garbage Collection (proposal): "Then it updates R1 to remove D1 from its OwnerReferences"; ' +
    'https://github.com/kubernetes/kubernetes/issues/56348',
  build: (setup) => {
    const relations = relationsOf(setup);
    const keys = dependentKeys(setup);
    const orphaning = (cluster: Cluster, which: Parameters): boolean =>
      deleting(cluster, which)?.finalizers.includes(ORPHAN) ?? false;
    const left = (cluster: Cluster, { uid }: Parameters): readonly ApiObject[] =>
      (keys.get(String(uid)) ?? []).flatMap((key) => {
        const dependent = cluster.store[key];
        if (dependent === undefined || cluster.promisedOrphans[dependent.uid] !== uid) return [];
        return dependent.ownerReferences.some((reference) => reference.uid === uid)
          ? [dependent]
          : [];
      });
    return {
      parameters: whichObjects(setup),
      trigger: orphaning,
      goal: (cluster, which) => !orphaning(cluster, which) && left(cluster, which).length === 0,
      explain: (cluster, which) => [
        ...whyStillThere(relations, cluster, deleting(cluster, which)),
        ...left(cluster, which).map((dependent) => `${nameOf(dependent)} still names its owner`),
      ],
    };
  },
});
