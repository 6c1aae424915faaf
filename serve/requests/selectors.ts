import {
  type FieldLabel,
  fieldLabel,
  fieldLabelsOf,
  labelledIn,
} from '../../input/manifests/selection/field-labels.ts';
import { bodyIn, metadataOf } from '../cluster/body.ts';
import type { Resource } from '../cluster/resources.ts';
import type { View } from '../cluster/views.ts';
import { badRequest } from './status.ts';

/** Whether an object is in a list or a watch. */
export type Selector = (view: View) => boolean;

const EVERYTHING: Selector = () => true;

const KEY = /^[A-Za-z0-9]([-A-Za-z0-9_./]*[A-Za-z0-9])?$/;

/** The objects that both selectors of a request choose. Throws `StatusError`. */
export function selectorOf(
  resource: Resource,
  apiVersion: string,
  labels: string,
  fields: string,
): Selector {
  const known = fieldsOf(resource, apiVersion);
  const chosen = [labelSelector(labels), fieldSelector(known, fields)].filter(
    (one) => one !== EVERYTHING,
  );
  if (chosen.length === 0) return EVERYTHING;
  return (view) => chosen.every((selects) => selects(view));
}

/** `labels.Parse`: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. */
function labelSelector(text: string): Selector {
  if (text.trim() === '') return EVERYTHING;
  const demands = splitOutside(text).map((part) => labelDemand(part.trim()));
  return (view) => {
    const labels = bodyIn(metadataOf(view), 'labels');
    return demands.every((demand) =>
      demand(Object.hasOwn(labels, demand.key) ? String(labels[demand.key]) : null),
    );
  };
}

type Demand = ((value: string | null) => boolean) & { readonly key: string };

function labelDemand(part: string): Demand {
  const demand = (key: string, meets: (value: string | null) => boolean): Demand => {
    if (!KEY.test(key)) throw badRequest(`unable to parse requirement: ${JSON.stringify(part)}`);
    return Object.assign((value: string | null) => meets(value), { key });
  };
  const set = part.match(/^(\S+)\s+(in|notin)\s*\(([^()]*)\)$/);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return operator === 'in'
      ? demand(key, (value) => value !== null && values.includes(value))
      : demand(key, (value) => value === null || !values.includes(value));
  }
  const equality = part.match(/^([^=!\s]+)\s*(==|=|!=)\s*([^=!\s]*)$/);
  if (equality !== null) {
    const [, key = '', operator, wanted] = equality;
    return operator === '!='
      ? demand(key, (value) => value !== wanted)
      : demand(key, (value) => value === wanted);
  }
  if (part.startsWith('!')) return demand(part.slice(1).trim(), (value) => value === null);
  return demand(part, (value) => value !== null);
}

/** Splits at the commas that are not in parentheses. */
function splitOutside(text: string): readonly string[] {
  return text.split(/,(?![^(]*\))/);
}

/** By label: those of the kind, and those that its definition names for this version. */
function fieldsOf({ kind, selectable }: Resource, apiVersion: string): Fields {
  const own = Object.hasOwn(selectable, apiVersion) ? (selectable[apiVersion] ?? []) : [];
  return new Map([
    ...fieldLabelsOf(kind.name),
    ...own.map((label) => [label, fieldLabel(label)] as const),
  ]);
}

type Fields = ReadonlyMap<string, FieldLabel>;

/** `fields.ParseSelector`: equalities and inequalities. */
function fieldSelector(known: Fields, text: string): Selector {
  if (text.trim() === '') return EVERYTHING;
  const demands = text.split(',').map((part) => {
    const match = part.trim().match(/^([\w.]+)(==|=|!=)(.*)$/);
    const [, path = '', operator, wanted = ''] = match ?? [];
    if (match === null) throw badRequest(`invalid field selector: ${JSON.stringify(part)}`);
    const label = known.get(path);
    if (label === undefined) throw badRequest(`field label not supported: ${path}`);
    const isWanted = (view: View): boolean => (labelledIn(view, label) ?? label.absent) === wanted;
    return operator === '!=' ? (view: View) => !isWanted(view) : isWanted;
  });
  return (view) => demands.every((meets) => meets(view));
}
