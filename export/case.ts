import { expectedOf } from './expected.ts';
import { customKinds, startObjects } from './objects.ts';
import { requestsOf } from './requests.ts';
import type { SourceRun } from './source.ts';
import type { TestCase } from './test-case.ts';

/** The run as a test. Throws `InputError` if no client can do or see it. */
export function testCaseOf(run: SourceRun): TestCase {
  const requests = requestsOf(run);
  const { title, about, token, protocol, setup, property } = run;
  return {
    title,
    about,
    property: property?.name ?? 'the run ends as on a good day',
    token,
    protocol,
    start: startObjects(setup),
    requests,
    expected: expectedOf(run),
    actors: actorsOf(run),
    controllers: controllersOf(run),
    otherSteps: run.actions.filter(({ name }) => name !== 'request').length,
    customKinds: customKinds(setup),
  };
}

function actorsOf({ setup }: SourceRun): readonly string[] {
  const { finalizers, workloads = [] } = setup;
  return [
    ...controllersOf({ setup }).map((name) => `the controller ${name}`),
    ...Object.entries(finalizers).flatMap(([name, owner]) =>
      owner === 'stuck' ? [] : [`the owner of the finalizer ${name}`],
    ),
    ...(workloads.length === 0 ? [] : ['the controllers of workloads']),
  ];
}

function controllersOf({ setup }: Pick<SourceRun, 'setup'>): readonly string[] {
  const { operators = [], programs = [] } = setup;
  return [...operators, ...programs].map(({ name }) => name);
}
