import { stringify } from 'yaml';

/** A kubeconfig for a server without authentication. @param url such as `http://127.0.0.1:8080`. */
export function kubeconfigFor(url: string): string {
  const name = 'reapcheck';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    // There is no TLS to verify. Some clients want to be told so before they use plain HTTP.
    clusters: [{ name, cluster: { server: url, 'insecure-skip-tls-verify': true } }],
    users: [{ name, user: {} }],
    contexts: [{ name, context: { cluster: name, user: name, namespace: 'default' } }],
    'current-context': name,
  });
}
