import { AROUND } from './actor-transitions.ts';
import { API_SERVER, CLIENTS } from './apiserver-transitions.ts';
import { CONTROLLERS, GRAPH, WORKERS } from './collector-transitions.ts';
import { DISCOVERY } from './discovery-transitions.ts';
import type { Transition } from './transition.ts';

/** All transitions of the model. */
export const TRANSITIONS: readonly Transition[] = [
  ...CLIENTS,
  ...API_SERVER,
  ...GRAPH,
  ...WORKERS,
  ...CONTROLLERS,
  ...AROUND,
  ...DISCOVERY,
];
