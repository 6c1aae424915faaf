import { InputError } from '../text/input-error.ts';

/** The package, as far as it is used: it reads kubeconfigs and authenticates as kubectl does. */
export type ClientNode = Pick<typeof import('@kubernetes/client-node'), 'KubeConfig'>;

/**
 * Loads the package when a cluster is to be read. It is large, and nobody else needs it, so it is
 * an optional peer dependency. Throws `InputError` if it is not installed.
 */
export async function clientNode(
  load: () => Promise<ClientNode> = () => import('@kubernetes/client-node'),
): Promise<ClientNode> {
  try {
    return await load();
  } catch (error) {
    if ((error as { readonly code?: unknown } | null)?.code !== 'ERR_MODULE_NOT_FOUND') {
      throw new InputError({
        what: `@kubernetes/client-node does not load here: ${error instanceof Error ? error.message : String(error)}`,
        expected: 'a version of it for this Node.js: its version 2 needs Node.js 22.19 or later',
        next: `for Node.js ${process.versions.node}: npm install @kubernetes/client-node@1`,
      });
    }
    throw new InputError({
      what: 'reading a cluster needs the package @kubernetes/client-node, which is not installed',
      expected: 'the package where reapcheck is installed',
      next: [
        'npm install @kubernetes/client-node',
        'or, if reapcheck is installed globally: npm install --global @kubernetes/client-node',
        'without it: reapcheck dump-command | sh, and give dump.yaml',
      ],
    });
  }
}
