import { stringify } from 'yaml';
import { OPERATOR_PATH } from './http/operator.ts';

/** The kubeconfig of the operator that plays a controller of the run. */
export function operatorKubeconfigFor(url: string): string {
  return kubeconfigFor(`${url}${OPERATOR_PATH}`);
}

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
