import { type Kept, type KeptFields, scalars } from './kept-part.ts';

/** What a dump keeps of containers: what they name, and how controllers are told what they do. */

const NAME: Kept = { fields: scalars('name') };
const ENV_FROM: Kept = { items: { fields: { configMapRef: NAME, secretRef: NAME } } };
const SOURCES: KeptFields = { configMapKeyRef: NAME, secretKeyRef: NAME };
const VARIABLE = { fields: { valueFrom: { fields: SOURCES } } };
export const CONTAINERS: Kept = {
  items: { fields: { env: { items: VARIABLE }, envFrom: ENV_FROM } },
};

/** Variables and arguments that say which namespaces a controller watches. */
const NAMESPACE_ENDINGS: readonly string[] = ['NAMESPACE', 'NAMESPACES'];
/** And what it deletes outside of the cluster. */
export const POLICY_FLAGS: readonly string[] = ['--deletion-policy'];
const POLICY_ENDING = 'DELETION_POLICY';
export const NAMESPACE_FLAGS: readonly string[] = ['namespace', 'namespaces']
  .flatMap((name) => [name, `watch-${name}`, `watched-${name}`, `target-${name}`])
  .flatMap((name) => [`--${name}`, `-${name}`]);
/** A shell and its flag for a script, which says that there is one. What it has is not kept. */
export const SHELLS: readonly string[] = ['sh', 'bash', 'ash', 'dash'].flatMap((name) => [
  name,
  ...['/bin', '/usr/bin', '/busybox'].map((folder) => `${folder}/${name}`),
]);
export const SCRIPT_FLAGS: readonly string[] = [
  ...['-c', '-ec', '-ce', '-lc', '-xc', '-cx', '-exc', '-euc', '-euxc', '-xec'],
];
const FLAGS: Kept = {
  flags: [...NAMESPACE_FLAGS, ...POLICY_FLAGS],
  words: [...SHELLS, ...SCRIPT_FLAGS],
};
/** Those that may run a controller. */
export const CONTROLLERS: Kept = {
  items: {
    fields: {
      // Dumps without it have none of the rest.
      name: 'scalar',
      image: 'scalar',
      args: FLAGS,
      command: FLAGS,
      env: {
        items: {
          endings: [...NAMESPACE_ENDINGS, POLICY_ENDING],
          kept: {
            fields: {
              ...scalars('name', 'value'),
              valueFrom: { fields: { ...SOURCES, fieldRef: { fields: scalars('fieldPath') } } },
            },
          },
          others: VARIABLE,
        },
      },
      envFrom: ENV_FROM,
    },
  },
};
