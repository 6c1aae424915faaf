import { clusterModel, defineController, isBeingDeleted, setupFromYaml } from 'reapcheck/model';
import { propertiesFor } from 'reapcheck/properties';

/*
 * A project is uninstalled: its custom resource has a finalizer, which only the operator of the project
 * removes, and the operator goes as well. The order decides.
 */

const FINALIZER = 'widgets.example.com/finalizer';

const objects = `
protocol: newest
objects:
  - {apiVersion: apps/v1, kind: Deployment, metadata: {name: widget-operator, namespace: widgets}}
  - apiVersion: widgets.example.com/v1
    kind: Widget
    metadata: {name: one, namespace: widgets, finalizers: [${FINALIZER}]}
`;

/** The requests of an uninstallation, in order. */
export const orders = {
  operatorFirst: `
requests:
  - {delete: Deployment/widget-operator.widgets, propagationPolicy: Background, user: helm}
  - {delete: Widget/one.widgets, propagationPolicy: Background, user: helm}
`,
  widgetFirst: `
requests:
  - {delete: Widget/one.widgets, propagationPolicy: Background, user: helm}
  - {delete: Deployment/widget-operator.widgets, propagationPolicy: Background, user: helm}
`,
  widgetAwaited: `
requests:
  - {kubectl: delete Widget/one -n widgets --wait, user: admin}
  - {delete: Deployment/widget-operator.widgets, propagationPolicy: Background, user: admin}
`,
};

export const operator = defineController({
  name: 'widget-operator',
  for: 'Widget',
  runsIn: 'Deployment/widget-operator.widgets',
  finalizers: [FINALIZER],
  plan(look, self) {
    const widget = look(self.object);
    if (widget === null || !isBeingDeleted(widget)) return [];
    return [{ do: 'removeFinalizer', object: self.object, finalizer: FINALIZER }];
  },
});

export const modelWith = (order: keyof typeof orders) =>
  clusterModel(setupFromYaml(`${objects}${orders[order]}`), {
    name: `uninstall, ${order}`,
    controllers: [operator],
  });

export const propertiesOf = (model: ReturnType<typeof modelWith>) =>
  propertiesFor(model, ['every-deletion-finishes', 'nothing-stuck']);

export const model = modelWith('widgetFirst');
export const properties = propertiesOf(model);
