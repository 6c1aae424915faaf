import { type Body, bodyIn, isBody, textIn } from '../cluster/body.ts';
import { definitionFaults } from '../cluster/definitions.ts';
import type { Resource } from '../cluster/resources.ts';
import { invalidRequest } from '../requests/status.ts';
import { notChecked, schemaFaults } from './definition-schemas.ts';
import { compileFault } from './faults.ts';
import { selectableFaults } from './selectable-fields.ts';

/**
 * Throws `StatusError` for a definition that is wrong.
 *
 * @param isNew what is stored already may lack schemas: dumps are often taken without them.
 */
export function demandDefinition(
  { kind }: Resource,
  apiVersion: string,
  body: Body,
  isNew: boolean,
): void {
  if (kind.storage !== 'customResourceDefinition') return;
  const isDemanded = isNew && apiVersion.endsWith('/v1');
  const faults = [
    ...definitionFaults(body),
    ...schemasOf(body).flatMap(([version, schema]) => {
      if (schema === null) return isDemanded ? [missing(version)] : [];
      const found = schemaFaults(version, schema);
      return found.length > 0 ? found : compileFault(schema);
    }),
    ...selectableFaults(body),
    // The first version of the API has one schema for all versions of the kind.
    ...(bodyIn(body, 'spec').validation === undefined
      ? []
      : ['spec.validation: reapcheck serve reads the schema of each version, in spec.versions']),
  ];
  if (faults.length === 0) return;
  throw invalidRequest(`CustomResourceDefinition is invalid: ${faults.join('; ')}`);
}

function missing(version: string): string {
  return `spec.versions[${version}].schema.openAPIV3Schema: Required value: schemas are required`;
}

/** The schemas of a definition, by name of the version. Null: a version has none. */
function schemasOf(body: Body): readonly (readonly [version: string, schema: Body | null])[] {
  const { versions } = bodyIn(body, 'spec');
  if (!Array.isArray(versions)) return [];
  return versions.filter(isBody).map((version) => {
    const { openAPIV3Schema } = bodyIn(version, 'schema');
    return [textIn(version, 'name'), isBody(openAPIV3Schema) ? openAPIV3Schema : null] as const;
  });
}

/** Kinds that change what other requests are answered with in Kubernetes, and not here. */
const WITHOUT_EFFECT: readonly string[] = [
  'LimitRange',
  'ResourceQuota',
  'APIService.apiregistration.k8s.io',
  'MutatingAdmissionPolicy.admissionregistration.k8s.io',
  'MutatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'MutatingWebhookConfiguration.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicy.admissionregistration.k8s.io',
  'ValidatingAdmissionPolicyBinding.admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration.admissionregistration.k8s.io',
];

/** What is stored and has no effect, one sentence each, for the client that writes it. */
export function withoutEffect({ kind }: Resource, body: Body): readonly string[] {
  if (WITHOUT_EFFECT.includes(kind.name)) {
    return [`reapcheck serve stores a ${kind.kind}, and does not act on it`];
  }
  if (kind.name === 'PodDisruptionBudget.policy' && body.status === undefined) {
    return ['reapcheck serve runs no disruption controller: write the status of the budget'];
  }
  if (kind.storage !== 'customResourceDefinition') return [];
  const { strategy } = bodyIn(bodyIn(body, 'spec'), 'conversion');
  return [
    ...(strategy === 'Webhook'
      ? ['spec.conversion: reapcheck serve converts nothing between versions']
      : []),
    ...schemasOf(body).flatMap(([version, schema]) =>
      schema === null ? [] : notChecked(version, schema),
    ),
  ];
}
