import type { Requirement } from '../webhooks/observed.ts';

/** The tools that track objects by labels, annotations or references, without owner references. */
export type Tool =
  | 'Argo CD'
  | 'Flux'
  | 'Flux Operator'
  | 'Fleet'
  | 'kapp-controller'
  | 'KubeVela'
  | 'Config Sync'
  | 'Helm'
  | 'Cluster API'
  | 'Crossplane'
  | 'cert-manager'
  | 'k3s'
  | 'Strimzi'
  | 'Karpenter'
  | 'External Secrets'
  | 'Kubernetes'
  | 'Kyverno'
  | 'OLM'
  | 'OpenShift'
  | 'HNC'
  | 'Metal3'
  | 'AWS Load Balancer Controller'
  | 'Postgres Operator'
  | 'Azure Service Operator'
  | 'Actions Runner Controller'
  | 'Atlas Operator'
  | 'Percona'
  | 'RabbitMQ Messaging Topology Operator'
  | 'Reflector'
  | 'kubernetes-replicator'
  | 'Config Syncer'
  | 'Vertical Pod Autoscaler'
  | 'external-dns'
  | 'MinIO'
  | 'TopoLVM'
  | 'Open Cluster Management'
  | 'Karmada'
  | 'SR-IOV Network Operator'
  | 'Tailscale'
  | 'Elastic Cloud on Kubernetes'
  | 'Flink'
  | 'EKS Anywhere'
  | 'Harvester'
  | 'Rancher';

/** What a manifest says of itself, by its metadata. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly manifest: unknown;
}

/** What an object says of who manages it, or of what it manages. */
export type Mark =
  | {
      readonly mark: 'trackedBy';
      readonly tool: Tool;
      /** The kind of the object that tracks; empty: the tool keeps its own records. */
      readonly kind: string;
      readonly name: string;
      /** Empty: any namespace. */
      readonly namespace: string;
      /** By a label that other tools write as well. */
      readonly isCommon?: true;
    }
  /** The object that this one stands for, and that is deleted with it. */
  | {
      readonly mark: 'manages';
      readonly tool: Tool;
      readonly kind: string;
      /** The group of that kind; absent: any. */
      readonly group?: string;
      /** Empty: none, or any. */
      readonly namespace: string;
      readonly name: string;
    }
  /** The object with which the tool deletes this one, a copy or a record of it. */
  | {
      readonly mark: 'follows';
      readonly tool: Tool;
      /** Without its group. */
      readonly kind: string;
      /** Empty: any other namespace. */
      readonly namespace: string;
      readonly name: string;
      /** Only if that has this finalizer. */
      readonly under?: string;
    }
  /** A copy that stays, and that the tool empties once this object of its kind is gone. */
  | {
      readonly mark: 'emptiedWith';
      readonly tool: Tool;
      readonly namespace: string;
      readonly name: string;
    }
  /** It has records in DNS, which the tool deletes. */
  | { readonly mark: 'publishes'; readonly tool: Tool }
  /** An object of this kind (without its group) that it uses, so that its end has to wait. */
  | {
      readonly mark: 'uses';
      readonly tool: null;
      readonly kind: string;
      /** Null: the dump does not say which. Empty: none. */
      readonly name: string | null;
      /** The name is that of the namespace in which it is. */
      readonly isNamespace?: true;
    }
  /** An object of this kind (without its group) that has to go before this one does. */
  | { readonly mark: 'awaits'; readonly tool: Tool; readonly kind: string; readonly name: string }
  /** An object of this kind (without its group), beside it, that the tool deletes before it. */
  | {
      readonly mark: 'tearsDown';
      readonly tool: Tool;
      readonly kind: string;
      readonly name: string;
    }
  /** A leader holds it; `renewed`: when it last said so, null: not said. */
  | {
      readonly mark: 'lock';
      readonly tool: null;
      readonly holder: string;
      readonly renewed: string | null;
    }
  /** Values of a ConfigMap or Secret that name namespaces, by key; null: it is not shown. */
  | {
      readonly mark: 'sets';
      readonly tool: null;
      readonly values: Readonly<Record<string, string | null>>;
    }
  /** The ranges from which Services have their addresses. */
  | { readonly mark: 'ranges'; readonly tool: null; readonly cidrs: readonly string[] }
  /** The Service that has this address. */
  | {
      readonly mark: 'addressOf';
      readonly tool: null;
      readonly namespace: string;
      readonly name: string;
    }
  /** What the controllers of the tool read before they remove their finalizers from it. */
  | {
      readonly mark: 'needs';
      readonly tool: Tool;
      /** Without its group. */
      readonly kind: string;
      /** Null: that of the object, or none if the kind has none. */
      readonly namespace: string | null;
      /** Empty: all that `selects` selects, each of which they read. */
      readonly name: string;
      readonly selects?: readonly Requirement[];
      /** The namespace is one that the object does not say. */
      readonly anywhere?: true;
      /** They do without it if it is not there: another one may be meant. */
      readonly ifThere?: true;
      /** Its finalizers do not help: what it reads itself goes with its namespace. */
      readonly whole?: true;
    }
  /** Its condition says that its controller fails now; `by`: which. */
  | {
      readonly mark: 'fails';
      readonly tool: null;
      readonly by: string;
      /** It fails to do what it does before it removes any finalizer. */
      readonly always?: true;
    }
  /** The provider of what it stands for may refuse to delete that; `by`: a clause. */
  | { readonly mark: 'refused'; readonly tool: null; readonly by: string }
  /**
   * The webhook of its operator may refuse its DELETE; `by`: the field that says so; `refuses`: who
   * refuses it and why, a clause, if that is not because of what runs on the operator.
   */
  | {
      readonly mark: 'blocks';
      readonly tool: null;
      readonly by: string;
      readonly refuses?: { readonly who: string; readonly why: string };
    }
  /** The controllers of the tool do nothing for it; `by`: the field or annotation that says so. */
  | { readonly mark: 'paused'; readonly tool: Tool; readonly by: string }
  /** The controllers of the tool wait until this annotation or field, a hook, is taken off. */
  | { readonly mark: 'hooked'; readonly tool: Tool; readonly by: string }
  /** Its controller destroys what it stands for; `by`: the field that says so. */
  | { readonly mark: 'destroys'; readonly tool: null; readonly by: string }
  /** The tool leaves pods on its node, as this field or annotation says. */
  | { readonly mark: 'undrained'; readonly tool: Tool; readonly by: string }
  /** The tool keeps up an object of this kind and name in the same namespace. */
  | { readonly mark: 'makes'; readonly tool: Tool; readonly kind: string; readonly name: string }
  /** What it stands for outside of the cluster outlives it; `by`: what says so. */
  | { readonly mark: 'abandons'; readonly tool: null; readonly by: string }
  /**
   * The deletion policy of AWS Controllers for Kubernetes: of this object, of the controller that
   * this is, or, with a `service`, of the objects of that service in this namespace.
   */
  | {
      readonly mark: 'policy';
      readonly tool: null;
      readonly service: string;
      readonly value: string;
      /** What says so. */
      readonly by: string;
    }
  /** The tool does not delete this object with what tracks it, or evict it from its node. */
  | { readonly mark: 'keptBy'; readonly tool: Tool; readonly by?: string }
  /** The tool deletes this object with what tracks it, whatever that says of all such objects. */
  | { readonly mark: 'deletedBy'; readonly tool: Tool }
  /**
   * The tool deletes nothing with the object that tracks this one (`itself`), or with this one that
   * tracks others (`tracked`), until a person agrees; `by`: what says so.
   */
  | {
      readonly mark: 'asksFor';
      readonly tool: Tool;
      readonly of: 'itself' | 'tracked';
      readonly by: string;
    }
  /** A person has agreed since this object is being deleted; `by`: the annotation. */
  | { readonly mark: 'agreed'; readonly tool: Tool; readonly by: string }
  /**
   * The tool deletes nothing with this object, unless what is tracked says otherwise; `by`: the
   * field.
   */
  | { readonly mark: 'leavesTracked'; readonly tool: Tool; readonly by: string }
  /** The tool applies again at once what it tracks and finds gone. */
  | { readonly mark: 'heals'; readonly tool: Tool }
  /** The tool deletes what it tracks in waves, the highest first; absent: 0. */
  | { readonly mark: 'wave'; readonly tool: Tool; readonly wave: number }
  /**
   * The tool makes it, and waits until it has succeeded, before or after it deletes what is
   * tracked.
   */
  | { readonly mark: 'hook'; readonly tool: Tool; readonly hooks: string; readonly failed: boolean }
  /** The tool takes its owner references off, once it sees that this object is being deleted. */
  | { readonly mark: 'releases'; readonly tool: Tool; readonly by: string }
  /** The tool deletes what this object owns, one after the other, whatever the DELETE says. */
  | { readonly mark: 'deletesOwned'; readonly tool: Tool; readonly by: string }
  /** A role with the rules of all roles that one of these selects. */
  | {
      readonly mark: 'aggregates';
      readonly tool: null;
      readonly selectors: readonly (readonly Requirement[])[];
    }
  /** A quota: more of this resource is used than it allows; `by`: both in words. */
  | {
      readonly mark: 'exceeds';
      readonly tool: null;
      readonly resource: string;
      readonly by: string;
    }
  /** The tool deletes it at a time of its own; `when`: in words. */
  | { readonly mark: 'expires'; readonly tool: Tool; readonly when: string }
  /** Its controller has seen that what uses it is being deleted. */
  | { readonly mark: 'letGo'; readonly tool: null }
  /** A class of all that name none. */
  | { readonly mark: 'default'; readonly tool: null }
  /** What it tracks is in another cluster; `by`: the field that says so. */
  | {
      readonly mark: 'elsewhere';
      readonly tool: Tool;
      readonly by: string;
      /** Its status says that it has reached that cluster the last time. */
      readonly answers: boolean;
    };
