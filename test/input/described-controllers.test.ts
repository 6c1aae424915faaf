import { check } from 'reapcheck/checker';
import { clusterModel, controllersIn } from 'reapcheck/model';
import { deletionProperties } from 'reapcheck/properties';
import { expect, test } from 'vitest';
import { checkArguments } from '../../cli/check-arguments.ts';
import { gatherPlans } from '../../input/gather.ts';
import { modelOf } from '../../run/assemble.ts';

/** They speak of described controllers, which the twin does not have. */
const OF_DESCRIBED = ['custom-controller-as-described', 'created-objects-go'];
/**
 * It is exercised by versions that a plan has read, which only one that waits between reads keeps.
 */
const OF_VERSIONS = ['version-outdated-only-by-write'];

/**
 * A controller of a scenario, and the same one in TypeScript: the same verdicts. The latter reads
 * its objects one by one, also where the former reads all of them in one step.
 */
test.each([
  'definition-in-two-namespaces',
  'operator-clean-up-job',
  'operator-deadlock',
  'operator-done-once',
  'operator-finalizer-forced',
  'operator-finalizer-on-child',
  'operator-live-upkeep',
  'operator-may-stop',
  'operator-teardown',
  'operator-without-finalizer',
])('%s', async (name) => {
  const nothing = (async function* () {})();
  const [plan] = await gatherPlans(checkArguments({ input: [name] }, []), nothing);
  const { setup } = plan!;
  const twin = clusterModel(setup, { controllers: controllersIn(setup) });
  const asked = deletionProperties(setup).filter(
    ({ id = '' }) => ![...OF_DESCRIBED, ...OF_VERSIONS].includes(id),
  );
  const ids = asked.map(({ id = '' }) => id);
  const own = await check({ model: modelOf(setup), properties: asked });
  const properties = deletionProperties(twin.setup).filter(({ id = '' }) => ids.includes(id));
  const found = await check({ model: twin, properties });
  const verdicts = (result: typeof own) =>
    Object.fromEntries(result.properties.map(({ id = '', verdict }) => [id, verdict]));
  expect(found.defect).toBeNull();
  expect(verdicts(found)).toEqual(verdicts(own));
});
