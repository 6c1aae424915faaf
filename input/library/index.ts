/**
 * `reapcheck/model`: a cluster as a model, with controllers of your own. Documented in
 * docs/writing-an-operator.md.
 */

export * from '../../model/index.ts';
export {
  type ClusterModel,
  type ClusterOptions,
  type ClusterView,
  clusterModel,
  viewOf,
} from './cluster-model.ts';
export {
  type Controller,
  type ControllerSpec,
  defineController,
  type Manifest,
  type Widened,
} from './define-controller.ts';
export { controllersIn } from './described-controllers.ts';
export { type DumpRequests, setupFromYaml } from './setup-from-yaml.ts';
