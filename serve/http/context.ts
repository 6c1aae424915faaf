import type { Body } from '../cluster/body.ts';
import type { ServedCluster } from '../cluster/cluster.ts';
import type { Resource } from '../cluster/resources.ts';
import type { View } from '../cluster/views.ts';
import { notServed } from '../requests/status.ts';
import type { Schedule } from '../schedule/schedule.ts';
import type { Backlog } from './backlog.ts';
import type { ResourceRoute } from './route.ts';

/** What every handler works with. */
export interface Served extends Naming {
  readonly cluster: ServedCluster;
  readonly schedule: Schedule;
  /** Name of the protocol, such as `v1.20`. */
  readonly protocol: string;
  /** What the clients of watches have not read yet. */
  readonly backlog: Backlog;
}

export interface Naming {
  /**
   * A new uid.
   *
   * @param kind name in the table of kinds.
   * @param given the object that it is for, as the client has sent it.
   */
  readonly newUid: (kind: string, given: Body) => string;
  /** The end of a name that the server makes. */
  readonly newSuffix: () => string;
}

/** A request, read but not yet understood. */
export interface ApiRequest {
  readonly method: string;
  readonly route: ResourceRoute;
  readonly query: URLSearchParams;
  readonly accept: string;
  /** Media type of the body, without its parameters. */
  readonly contentType: string;
  /** Undefined: there is no body. */
  readonly body: unknown;
  readonly userAgent: string;
  /** Whether it comes from the operator that plays a controller of the run of a token. */
  readonly isOfOperator: boolean;
}

export interface Reply {
  readonly code: number;
  readonly body: Body;
  /** Media type. Absent: JSON. */
  readonly type?: string;
  /** What the client should know, for the header `Warning`. */
  readonly warnings?: readonly string[];
}

/** Throws `StatusError` if this version of the API has no such resource in this scope. */
export function resourceOf({ cluster }: Served, route: ResourceRoute): Resource {
  const resource = cluster.resources.find(route.apiVersion, route.resource);
  if (resource === null) throw notServed();
  const isInNamespace = route.namespace !== '';
  if (isInNamespace && !resource.kind.namespaced) throw notServed();
  if (!isInNamespace && resource.kind.namespaced && route.name !== '') throw notServed();
  return resource;
}

/** The object as a client gets it. */
export function withType(apiVersion: string, kind: string, view: View): Body {
  return { apiVersion, kind, ...view };
}
