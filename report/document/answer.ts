import type { Immutable } from 'immer';
import * as z from 'zod';
import { surveyRowSchema } from './survey.ts';

/**
 * The answer to a question about a dump, for people: what becomes of each object, why, and what the
 * dump does not say. It is part of the result document; the checks beside it are its evidence.
 */

const lines = z.array(z.string());
const inWords = z.string().describe('The same in words.');
const settle = z.string().describe('The command whose answer decides.');
const index = z.int().nonnegative();

export const outcomeWordSchema = z.enum(['goes', 'depends', 'hangs', 'stays', 'unknown']).meta({
  id: 'OutcomeWord',
  description:
    'goes: the object goes on every run. depends: it goes or stays, and `on` says on what that ' +
    'depends. hangs: its deletion begins and never ends. stays: nothing deletes it. unknown: the ' +
    'dump does not say enough, or a limit was hit.',
});

/** What a fate depends on, or why it is unknown. */
const conditionSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('order').describe('order, see above.'), text: inWords }),
    z.object({
      kind: z.literal('finalizer').describe('finalizer, see above.'),
      finalizer: z.string().describe('Its name.'),
      text: inWords,
    }),
    z.object({ kind: z.literal('dump').describe('dump, see above.'), settle, text: inWords }),
    z.object({
      kind: z.literal('admission').describe('admission, see above.'),
      settle,
      text: inWords,
    }),
    z.object({ kind: z.literal('controller').describe('controller, see above.'), text: inWords }),
    z.object({ kind: z.literal('limit').describe('limit, see above.'), text: inWords }),
  ])
  .meta({
    id: 'Condition',
    description:
      'order: the order of events decides. finalizer: the owner of this finalizer has to act. dump: ' +
      'the dump lacks something; `settle` is the command whose answer decides. admission: a webhook ' +
      'or policy can refuse a DELETE; `settle` asks it, and deletes nothing. controller: a ' +
      'controller can delete what stays otherwise. limit: the search did not end. `text` says it ' +
      'in words.',
  });

/** One thing that keeps an object from going. */
const waitSchema = z
  .object({
    for: z
      .enum([
        'finalizer',
        'dependent',
        'tracked',
        'contents',
        'instances',
        'users',
        'kubelet',
        'api',
        'removal',
        'nothing',
      ])
      .describe(
        'finalizer: its owner has to remove it. dependent: it blocks the owner. tracked: the owner ' +
          'of a finalizer deletes it and waits for its end. contents: of a namespace. instances: ' +
          'of a definition. users: pods or claims that use it. kubelet: it has to end the grace ' +
          'period. api: its server has to answer. removal: nothing holds it, and a DELETE ' +
          'removes it. nothing: no request deletes the object.',
      ),
    what: z.string().describe('The finalizer, object or node that is waited for.'),
    text: z.string().describe('The reason as a sentence without its full stop.'),
  })
  .meta({ id: 'Wait', description: 'One thing that keeps an object from going.' });

const objectFateSchema = z
  .object({
    fate: outcomeWordSchema,
    because: z
      .string()
      .exactOptional()
      .describe('Why something happens to an object that no request deletes.'),
    replaced: z.boolean().describe('A controller creates another object in its place.'),
    unmade: z
      .literal(true)
      .exactOptional()
      .describe('A controller tries to create another one, and admission may refuse that.'),
    on: z.array(conditionSchema).describe('What the fate depends on, or why it is unknown.'),
    waits: z.array(waitSchema).describe('On a run on which the object stays: what it waits for.'),
  })
  .meta({ id: 'ObjectFate', description: 'What becomes of one object.' });

const basisSchema = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('search').describe('search, see above.'), text: inWords }),
    z.object({
      kind: z.literal('bounded').describe('bounded, see above.'),
      most: z.int().describe('How many of each group were searched.'),
      of: z.int().describe('How many the largest group has.'),
      nothingNew: z
        .boolean()
        .describe(
          'With one fewer of each group, the fates and the reachable local views are the same. A ' +
            'local view is the state of one object and of what it refers to, up to names.',
        ),
      accepted: z.boolean().describe('--accept-bounded: the exit code counts it as certain.'),
      text: inWords,
    }),
    z.object({ kind: z.literal('some').describe('some, see above.'), text: inWords }),
    z.object({ kind: z.literal('parts').describe('parts, see above.'), text: inWords }),
    z.object({
      kind: z.literal('walks').describe('walks, see above.'),
      walks: z.int().describe('How many random runs.'),
      text: inWords,
    }),
    z.object({ kind: z.literal('none').describe('none, see above.'), text: inWords }),
  ])
  .meta({
    id: 'Basis',
    description:
      'How the fates were found. search: every order of events was tried, of the whole or of parts ' +
      'that together decide it (the text says which). bounded: every order, ' +
      'but with at most `most` of the objects in each group of alike ones. some: every order, of ' +
      'parts that decide some of the objects; the others are unknown. parts: every order, but ' +
      'each tree of objects by itself. walks: only random runs. ' +
      'none: not at all. Only search proves anything about all of the objects.',
  });

const riskSchema = z
  .object({
    text: z.string().describe('What can happen, as a sentence.'),
    documented: z
      .string()
      .nullable()
      .describe('Where Kubernetes documents this behaviour; null: it is a risk of this cluster.'),
    check: index.describe('Index of the check that has the trace.'),
    property: z.string().describe('Name of its property that has the trace.'),
  })
  .meta({ id: 'Risk', description: 'Something that can happen, with a trace that shows it.' });

/** One column of an answer: one way to delete, or none. */
const outcomeSchema = z
  .object({
    name: z.string().describe('The propagation policy; `none` without a deletion.'),
    sentence: z.string().describe('The answer in one sentence.'),
    basis: basisSchema,
    fates: z.array(objectFateSchema).describe('For each object of the answer, in their order.'),
    risks: z.array(riskSchema).describe('What can go wrong, each with a trace.'),
    expected: z
      .array(
        z.object({
          name: z.string().describe('The property.'),
          verdict: z
            .enum(['holds', 'violated', 'inconclusive', 'vacuous'])
            .describe('What was found, all that the dump leaves open taken together.'),
          text: z.string().describe('The same in one line.'),
        }),
      )
      .exactOptional()
      .describe('The properties that were expected to hold; absent: none.'),
    invariants: z
      .object({
        held: z.int().describe('How many invariants hold.'),
        notExercised: z.int().describe('How many were never exercised.'),
        undecided: z.int().describe('How many no search decided.'),
        violated: lines.describe('Those that are violated.'),
        text: z.string().describe('All of that in one line.'),
      })
      .describe('The properties of the model that were checked besides the fates.'),
    smaller: lines
      .exactOptional()
      .describe(
        'Where a limit of time or memory was hit: what of the input makes the question large, and ' +
          'which question costs less; absent: none was.',
      ),
    exitCode: z.int().describe('The exit code of this outcome alone.'),
  })
  .meta({ id: 'Outcome', description: 'What becomes of the objects if they are deleted so.' });

const answerObjectSchema = z.object({
  name: z.string().describe('The object, as Kind/name.'),
  namespace: z.string().describe('Its namespace; empty if it is cluster-scoped.'),
  uid: z.string().describe('Its uid.'),
  parent: index
    .nullable()
    .describe('Index of the object below which the tree shows it; null at the top.'),
  asked: z.boolean().describe('Whether it is asked to go.'),
  deleting: z.boolean().describe('Whether it is being deleted already.'),
});

const actorSchema = z.object({
  name: z.string().describe('The actor.'),
  runs: z.boolean().describe('Whether it takes part.'),
  evidence: z.string().describe('What says so.'),
  overrule: z.string().describe('The option that says the opposite.'),
});

const finalizerSchema = z.object({
  finalizer: z.string().describe('The finalizer.'),
  judgement: z
    .enum(['cooperative', 'stuck', 'unknown'])
    .describe('Whether its owner removes it: surely, never, perhaps.'),
  evidence: z.string().describe('What says so.'),
  owner: z.string().nullable().describe('Its owner, if it is well known.'),
  leaves: z
    .string()
    .nullable()
    .describe('What stays outside of the cluster if it is removed by hand, if that is known.'),
  overrule: z.string().describe('The option that says the opposite.'),
});

const stuckSchema = z
  .object({
    object: index.describe('Index of the object, which is being deleted.'),
    since: z.string().nullable().describe('Its deletionTimestamp, as the dump writes it.'),
    seconds: z
      .number()
      .nullable()
      .describe('How long after that the dump was made, at least: up to its newest time.'),
    fate: outcomeWordSchema.describe('What becomes of it if nobody does anything.'),
    waits: z.array(waitSchema).describe('What it waits for; empty: the dump shows nothing.'),
    chain: lines.describe(
      'For an object that no other one waits for: each way to the last reason.',
    ),
    cycle: z.boolean().describe('Whether it waits, in the end, for itself.'),
  })
  .meta({ id: 'Stuck', description: 'An object that is being deleted, and why it is not gone.' });

const remedySchema = z
  .object({
    objects: z.array(index).describe('Indices of the objects that go after it.'),
    steps: z
      .array(
        z.object({
          text: z.string().describe('What the step does.'),
          command: z.string().describe('The kubectl command.'),
          leaves: z.string().nullable().describe('What stays behind, or can go wrong.'),
          harm: z.int().min(0).max(5).describe('0: none. 5: worst.'),
        }),
      )
      .describe('In this order.'),
    harm: z.int().min(0).max(5).describe('The worst of its steps.'),
    along: lines.describe('Objects that go as well and were not being deleted.'),
    on: z.array(conditionSchema).exactOptional().describe('What may refuse it; absent: nothing.'),
    basis: basisSchema,
  })
  .meta({ id: 'Remedy', description: 'Steps after which, in the model, the objects go.' });

const lookSchema = z
  .object({
    text: z.string().describe('What to find out.'),
    command: z.string().describe('The command that shows it.'),
  })
  .meta({ id: 'Look', description: 'Something that the dump does not say.' });

const reportedSchema = z
  .object({
    object: z.string().describe('The object that reports it.'),
    type: z.string().describe('The type of the condition.'),
    message: z.string().describe('In its own words.'),
    meaning: z.string().describe('What that means.'),
  })
  .meta({ id: 'Reported', description: 'A condition of an object that explains why it waits.' });

export const answerSchema = z
  .object({
    question: z
      .enum(['delete', 'compare', 'collect', 'explain', 'survey', 'uninstall'])
      .describe('The command that asked.'),
    title: z.string().describe('The question in words.'),
    sentence: z
      .string()
      .exactOptional()
      .describe('Of a comparison: where the outcomes differ, in one sentence.'),
    targets: lines.describe('The objects that are asked to go.'),
    objects: z.array(answerObjectSchema).describe('All objects that matter, owners first.'),
    outcomes: z.array(outcomeSchema).describe('One for each way to delete that was asked for.'),
    survey: z
      .array(surveyRowSchema)
      .exactOptional()
      .describe('Of a survey: one row for each root object and policy, in place of outcomes.'),
    missing: z
      .array(z.object({ text: inWords, settle }))
      .describe('What the dump lacks, and the command that would get it.'),
    actors: z.array(actorSchema).describe('The actors around the objects.'),
    finalizers: z.array(finalizerSchema).describe('The finalizers of other controllers.'),
    besides: lines.describe('What other controllers do, which is outside of what was judged.'),
    protocol: z.string().describe('The version of Kubernetes that the answer assumes.'),
    stuck: z
      .array(stuckSchema)
      .exactOptional()
      .describe('Of explain: what is being deleted, the first thing to mend first.'),
    reported: z
      .array(reportedSchema)
      .exactOptional()
      .describe('Of explain: conditions that the dump has, the first thing to mend first.'),
    remedies: z
      .array(remedySchema)
      .exactOptional()
      .describe('Of explain: what was tried in the model and works, least harm first.'),
    steps: z
      .array(
        z.object({
          text: z.string().describe('What the step deletes.'),
          commands: lines.describe('Its kubectl commands, in this order.'),
          along: lines.describe('Objects that go as well.'),
          on: z
            .array(conditionSchema)
            .exactOptional()
            .describe('What may refuse it; absent: nothing.'),
        }),
      )
      .exactOptional()
      .describe('Of uninstall: an order that ends clean; none: no order was found.'),
    stuckOrders: z
      .array(
        z.object({
          first: z.string().describe('The group that is deleted first.'),
          verdict: z.enum(['clean', 'stuck', 'unknown']).describe('How each such order ends.'),
          text: z.string().describe('What hangs then, and why.'),
        }),
      )
      .exactOptional()
      .describe('Of uninstall: groups that cannot be the first.'),
    look: z.array(lookSchema).exactOptional().describe('Of explain: what to look at.'),
  })
  .meta({ id: 'Answer', description: 'The answer to a question about a dump.' });

export type Answer = Immutable<z.output<typeof answerSchema>>;
export type Outcome = Immutable<z.output<typeof outcomeSchema>>;
export type ObjectFate = Immutable<z.output<typeof objectFateSchema>>;
export type OutcomeWord = z.output<typeof outcomeWordSchema>;
export type Condition = Immutable<z.output<typeof conditionSchema>>;
export type Wait = Immutable<z.output<typeof waitSchema>>;
export type Basis = Immutable<z.output<typeof basisSchema>>;
export type Stuck = Immutable<z.output<typeof stuckSchema>>;
export type Remedy = Immutable<z.output<typeof remedySchema>>;
export type Look = Immutable<z.output<typeof lookSchema>>;
export type Reported = Immutable<z.output<typeof reportedSchema>>;
export type Risk = Immutable<z.output<typeof riskSchema>>;
export type AnswerObject = Answer['objects'][number];
