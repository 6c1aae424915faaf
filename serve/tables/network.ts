import { type Body, bodyIn, textIn, valueAt } from '../cluster/body.ts';
import {
  AGE,
  type BuiltInColumn,
  column,
  joined,
  listAt,
  NONE,
  selectorText,
  sizeAt,
  textAt,
  textsAt,
  wide,
} from './column.ts';

/** The tables of services and of what leads to them, by kind. */

const MOST_SHOWN = 3;

export const NETWORK_TABLES: Readonly<Record<string, readonly BuiltInColumn[]>> = {
  Service: [
    column('Type', (object) => textAt(object, 'spec.type')),
    column('Cluster-IP', (object) => textAt(object, 'spec.clusterIP', NONE)),
    column('External-IP', externalAddress),
    column('Port(s)', (object) => joined(listAt(object, 'spec.ports').map(portText), NONE)),
    AGE,
    wide('Selector', (object) => selectorText(object, 'spec.selector')),
  ],
  'Ingress.networking.k8s.io': [
    column('Class', ingressClass),
    column('Hosts', hosts),
    column('Address', (object) => loadBalancer(object).join(',')),
    column('Ports', (object) => (sizeAt(object, 'spec.tls') > 0 ? '80, 443' : '80')),
    AGE,
  ],
  'IngressClass.networking.k8s.io': [
    column('Controller', (object) => textAt(object, 'spec.controller')),
    column('Parameters', parameters),
    AGE,
  ],
  'NetworkPolicy.networking.k8s.io': [
    column('Pod-Selector', (object) => selectorText(object, 'spec.podSelector')),
    AGE,
  ],
  Endpoints: [column('Endpoints', endpoints), AGE],
  'EndpointSlice.discovery.k8s.io': [
    column('AddressType', (object) => textIn(object, 'addressType')),
    column('Ports', (object) =>
      shortened(
        listAt(object, 'ports').map(({ port }) => (port === undefined ? '*' : String(port))),
        '<unset>',
      ),
    ),
    column('Endpoints', (object) =>
      shortened(
        listAt(object, 'endpoints').flatMap((one) => textsAt(one, 'addresses')),
        '<unset>',
      ),
    ),
    AGE,
  ],
};

function portText(port: Body): string {
  const { nodePort } = port;
  const node = typeof nodePort === 'number' && nodePort > 0 ? `:${nodePort}` : '';
  return `${String(port.port)}${node}/${textIn(port, 'protocol') || 'TCP'}`;
}

function externalAddress(object: Body): string {
  const own = textsAt(object, 'spec.externalIPs');
  switch (textAt(object, 'spec.type')) {
    case 'LoadBalancer':
      return joined([...loadBalancer(object), ...own], '<pending>');
    case 'ExternalName':
      return textAt(object, 'spec.externalName');
    default:
      return joined(own, NONE);
  }
}

function loadBalancer(object: Body): readonly string[] {
  return listAt(object, 'status.loadBalancer.ingress').map(
    (one) => textIn(one, 'ip') || textIn(one, 'hostname'),
  );
}

function ingressClass(object: Body): string {
  const annotations = bodyIn(bodyIn(object, 'metadata'), 'annotations');
  const old = textIn(annotations, 'kubernetes.io/ingress.class');
  return textAt(object, 'spec.ingressClassName', old || NONE);
}

function hosts(object: Body): string {
  const named = listAt(object, 'spec.rules').flatMap((rule) => textIn(rule, 'host') || []);
  return shortened(named, '*');
}

function parameters(object: Body): string {
  const given = valueAt(object, 'spec.parameters');
  if (given === undefined || given === null) return NONE;
  const [group, kind, name] = ['apiGroup', 'kind', 'name'].map((field) =>
    textAt(object, `spec.parameters.${field}`),
  );
  return `${kind}${group ? `.${group}` : ''}/${name}`;
}

function endpoints(object: Body): string {
  const all = listAt(object, 'subsets').flatMap((subset) =>
    listAt(subset, 'ports').flatMap(({ port }) =>
      listAt(subset, 'addresses').map((address) => `${textIn(address, 'ip')}:${String(port)}`),
    ),
  );
  return shortened(all, NONE);
}

/** The first few. @param otherwise if there are none. */
function shortened(all: readonly string[], otherwise: string): string {
  const more = all.length - MOST_SHOWN;
  const shown = joined(all.slice(0, MOST_SHOWN), otherwise);
  return more > 0 ? `${shown} + ${more} more...` : shown;
}
