import { expect, it } from 'vitest';
import { isRefusedForOthers } from '../../conformance/recordings/matching/calls.ts';

/** Answers of API servers. The model knows what the last ones are about, and judges them itself. */
const ANSWERS: readonly (readonly [boolean, number, string])[] = [
  [true, 403, 'configmaps "a" is forbidden: User "bob" cannot delete resource "configmaps"'],
  [true, 403, 'pods "web" is forbidden: exceeded quota: small, requested: pods=1, used: pods=5'],
  [true, 400, 'admission webhook "guard.acme.io" denied the request: keep it'],
  [true, 422, `configmaps "a" is forbidden: ValidatingAdmissionPolicy 'keep' denied request`],
  [true, 422, 'Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1'],
  [true, 429, 'Too many requests, please try again later.'],
  [false, 403, 'configmaps "a" is forbidden: namespace x is being terminated'],
  [
    false,
    422,
    'Secret "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added',
  ],
  [false, 422, 'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value'],
  [false, 400, 'orphanDependents and deletionPropagation cannot be both set'],
  [false, 409, 'Operation cannot be fulfilled on configmaps "a": please apply your changes again'],
  [false, 404, 'configmaps "a" not found'],
  [false, 500, 'etcdserver: request timed out'],
  // Nothing says why.
  [false, 403, ''],
];

it.each(ANSWERS)('refused for what the model leaves out: %s for %i %s', (is, code, message) => {
  expect(isRefusedForOthers({ code, message })).toBe(is);
});
