import { describeQuestions, made, type Question } from './truth-objects.ts';

/** What tools of GitOps apply again once it is deleted, and when. */

const application = (automated: object): object =>
  made('argoproj.io/v1alpha1 Application', 'argocd/app', {
    spec: { destination: { name: 'in-cluster' }, syncPolicy: { automated } },
  });
const ofApplication = made('v1 ConfigMap', 'shop/c', {
  annotations: { 'argocd.argoproj.io/tracking-id': 'app:/ConfigMap:shop/c' },
});
const release = (spec: object): object =>
  made('helm.toolkit.fluxcd.io/v2 HelmRelease', 'shop/app', { spec });
const ofRelease = made('v1 ConfigMap', 'shop/c', {
  labels: { 'helm.toolkit.fluxcd.io/name': 'app', 'helm.toolkit.fluxcd.io/namespace': 'shop' },
});

const QUESTIONS: readonly Question[] = [
  {
    truth: 'with selfHeal, Argo CD applies at once what is gone (autoSync)',
    objects: [application({ selfHeal: true }), ofApplication],
    ...{ ask: 'cm/c -n shop', answer: 'goes' },
    says: /^ConfigMap\/c\.shop goes; Application\S+ stays, and Argo CD applies it anew\. /,
  },
  {
    truth: 'where the automation is off, selfHeal means nothing',
    objects: [application({ selfHeal: true, enabled: false }), ofApplication],
    ...{ ask: 'cm/c -n shop', answer: 'goes' },
    says: /^ConfigMap\/c\.shop goes\. .* Argo CD applies ConfigMap\/c\.shop anew with its next sync /,
  },
  {
    truth: 'the helm-controller of Flux corrects drift if it is asked to',
    objects: [release({ driftDetection: { mode: 'enabled' } }), ofRelease],
    ...{ ask: 'cm/c -n shop', answer: 'goes' },
    says: /^ConfigMap\/c\.shop goes; HelmRelease\S+ stays, and Flux applies it anew\. /,
  },
  {
    truth: 'and else Helm makes what is gone with the next upgrade (Update of its client)',
    objects: [release({}), ofRelease],
    ...{ ask: 'cm/c -n shop', answer: 'goes' },
    says: /^ConfigMap\/c\.shop goes\. .* anew with the next upgrade of the release /,
  },
];

describeQuestions('what tools apply again', QUESTIONS);
