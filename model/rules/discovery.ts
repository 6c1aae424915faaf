import { rule } from './rule.ts';

/**
 * What the collector watches, and what happens to its workers while it does not watch everything.
 */
export const DISCOVERY_RULES = {
  ignoredKinds: rule({
    values: ['eventsAndApiExtensions', 'events'],
    proposals: ['eventsAndApiExtensions', 'eventsAndApiExtensions'],
    releases: ['eventsAndApiExtensions', ['v1.12', 'events']],
    about:
      'Which kinds the collector never watches: events, and also APIServices and CustomResourceDefinitions or not.',
    source: 'DefaultIgnoredResources; kubernetes/kubernetes#65856 (1.12)',
  }),
  customResources: rule({
    values: ['unknown', 'watched'],
    proposals: ['unknown', 'unknown'],
    releases: ['unknown', ['v1.8', 'watched']],
    about:
      'Whether the collector watches custom resources and can look them up, or knows built-in kinds only.',
    source: 'NewGarbageCollector, GraphBuilder.syncMonitors; kubernetes/kubernetes#47665 (1.8)',
  }),
  sharedInformers: rule({
    values: ['none', 'builtInKinds', 'allKinds'],
    proposals: ['none', 'none'],
    releases: ['builtInKinds', ['v1.15', 'allKinds']],
    about:
      'For which kinds the collector hears events from an informer of the whole controller manager, which goes on when its monitor is dropped.',
    source:
      'GraphBuilder.controllerFor; kubernetes/kubernetes#45427 (1.7), kubernetes/kubernetes#74440 (1.15)',
  }),
  emptyDiscovery: rule({
    values: ['noKinds', 'skipped'],
    proposals: ['noKinds', 'noKinds'],
    releases: ['noKinds', ['v1.10', 'skipped']],
    about: 'What an empty answer of discovery means: that no kind is served, or nothing at all.',
    source: 'GarbageCollector.Sync; kubernetes/kubernetes#61201 (1.10)',
  }),
  failedGroupDiscovery: rule({
    values: ['dropsMonitors', 'keepsMonitors'],
    proposals: ['dropsMonitors', 'dropsMonitors'],
    releases: ['dropsMonitors', ['v1.29', 'keepsMonitors']],
    about:
      'What becomes of the monitors of a group that discovery fails for: stopped like those of a group that is gone, or kept if they had synced.',
    source: 'GarbageCollector.Sync; kubernetes/kubernetes#117992 (1.29)',
  }),
  syncRetry: rule({
    values: ['never', 'discoversAgain'],
    proposals: ['never', 'never'],
    releases: ['never', ['v1.11', 'discoversAgain']],
    about:
      'Whether a sync of the monitors that takes too long asks discovery anew, or waits for the same monitors for ever.',
    source: 'GarbageCollector.Sync; kubernetes/kubernetes#64235 (1.11)',
  }),
  workersWhileUnsynced: rule({
    values: ['paused', 'running'],
    proposals: ['paused', 'paused'],
    releases: ['paused', ['v1.32', 'running']],
    about:
      'Whether workers stand still while a monitor has not synced, or only start somewhat later for it.',
    source: 'GarbageCollector.Run, GarbageCollector.Sync; kubernetes/kubernetes#125796 (1.32)',
  }),
} as const;
