import { stringify } from 'yaml';

/** A kubeconfig for a server without authentication. @param url such as `http://127.0.0.1:8080`. */
export function kubeconfigFor(url: string): string {
  const name = 'reapcheck';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
