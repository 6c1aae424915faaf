import type { Body } from '../cluster/body.ts';
import type { Change } from '../cluster/history.ts';
import type { View } from '../cluster/views.ts';
import type { Selector } from '../requests/selectors.ts';
import { expired, statusBody } from '../requests/status.ts';
import { type ApiRequest, resourceOf, type Served } from './context.ts';
import { itemIn } from './forms.ts';
import { selectorIn, wantedBy, wholeIn } from './read.ts';
import { checkWatchOptions, revisionIn } from './revisions.ts';

/** Where a watch writes its events. */
export interface WatchSink {
  /** Bytes that the client has not read yet. */
  readonly waiting: () => number;
  write(text: string): void;
  end(): void;
  /** Drops what the client has not read, with its connection. */
  abort(): void;
  onClose(closed: () => void): void;
}

/** A watch ends after this time unless the client asks for another one. 0 asks for none. */
const SECONDS_DEFAULT = 1_800;

const BOOKMARK_EVERY = 60_000;

interface Event {
  readonly revision: number;
  readonly type: Change['type'] | 'BOOKMARK' | 'ERROR';
  readonly object: Body;
}

/**
 * A watch of a collection, or of one object. It begins with what is stored (no resourceVersion, or
 * 0, or `sendInitialEvents`), or after a revision that the history still has.
 *
 * @returns a function that begins to write. Throws `StatusError` for a request that is wrong.
 */
export function watch(served: Served, request: ApiRequest): (sink: WatchSink) => void {
  const { cluster, schedule } = served;
  const { route, query } = request;
  const resource = resourceOf(served, route);
  const { kind } = resource;
  checkWatchOptions(query);
  const selects = selectorIn(resource, request.route.apiVersion, query);
  const isChosen: Selector =
    route.name === '' ? selects : (view) => view.metadata.name === route.name && selects(view);
  const asked = query.get('resourceVersion') ?? '';
  const revision = asked === '' ? 0 : revisionIn(asked);
  const initial = query.get('sendInitialEvents') === 'true' || revision === 0;
  const seconds = wholeIn(query, 'timeoutSeconds') || SECONDS_DEFAULT;
  const bookmarks = ['true', '1'].includes(query.get('allowWatchBookmarks') ?? '');
  const isOfWatch = (change: Change): boolean =>
    change.kind === kind.name && (route.namespace === '' || change.namespace === route.namespace);

  return (sink) => {
    const wanted = { ...wantedBy(served, request, resource) };
    const queue: Event[] = [];
    let sent = cluster.revision;
    let closed = false;
    const object = (view: View): Body => itemIn({ ...wanted, now: cluster.clock() }, view);
    const bookmark = (ends: boolean): Event => ({
      revision: sent,
      type: 'BOOKMARK',
      object: {
        kind: kind.kind,
        apiVersion: route.apiVersion,
        metadata: {
          resourceVersion: String(sent),
          ...(ends ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
        },
      },
    });
    const push = (change: Change): void => {
      if (!isOfWatch(change)) return;
      const event = eventOf(change, isChosen);
      if (event === null) return;
      queue.push({ revision: change.revision, type: event.type, object: object(event.view) });
    };
    const flush = (): boolean => {
      const event = queue.shift();
      if (event === undefined || closed) return false;
      const { revision: _, ...sendable } = event;
      sink.write(`${JSON.stringify(sendable)}\n`);
      served.backlog.wrote(reader);
      return queue.length > 0;
    };
    const delivery = schedule.watch({
      kind: kind.name,
      isOfOperator: request.isOfOperator,
      next: () => (closed ? null : (queue[0]?.revision ?? null)),
      flush,
    });
    const stop = cluster.history.listen((change) => {
      push(change);
      sent = change.revision;
      delivery.notify();
    });
    const mark = (): void => {
      if (bookmarks && queue.length === 0) queue.push(bookmark(false));
      delivery.notify();
    };
    const ticking = setInterval(mark, BOOKMARK_EVERY);
    const ending = setTimeout(() => {
      // What the schedule holds back comes with the watch that follows.
      mark();
      close();
    }, seconds * 1_000);
    const close = (): void => {
      if (closed) return;
      closed = true;
      stop();
      delivery.end();
      clearInterval(ticking);
      clearTimeout(ending);
      served.backlog.forget(reader);
      sink.end();
    };
    const reader = {
      waiting: sink.waiting,
      close: () => {
        sink.abort();
        close();
      },
    };
    sink.onClose(close);

    if (initial) {
      for (const key of cluster.keys(kind.name, route.namespace)) {
        const view = cluster.get(key)?.view;
        if (view === undefined || !isChosen(view)) continue;
        queue.push({ revision: sent, type: 'ADDED', object: object(view) });
      }
      if (bookmarks && query.get('sendInitialEvents') === 'true') queue.push(bookmark(true));
    } else {
      const missed = cluster.history.since(revision);
      if (missed === null) {
        sink.write(`${JSON.stringify({ type: 'ERROR', object: statusBody(expired(asked)) })}\n`);
        close();
        return;
      }
      for (const change of missed) push(change);
      delivery.notify();
      return;
    }
    // What was there before the watch is a list, which comes at once.
    while (flush());
  };
}

/** A change can bring an object into a selection, or take it out. */
function eventOf(
  { type, view, before }: Change,
  isChosen: Selector,
): { readonly type: Change['type']; readonly view: View } | null {
  const was = before !== null && isChosen(before);
  if (type === 'DELETED') return was ? { type, view } : null;
  const is = isChosen(view);
  if (is) return { type: was ? 'MODIFIED' : 'ADDED', view };
  return was ? { type: 'DELETED', view } : null;
}
