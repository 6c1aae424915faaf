/**
 * URLs as expressions use them (`library.URLs` of the API server, 1.23). Those that Go and others
 * may read in different ways are not known here.
 */
export interface Url {
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
}

export class ParsedUrl implements Url {
  readonly text: string;
  readonly scheme: string;
  readonly host: string;
  readonly port: string;
  readonly path: string;
  readonly query: ReadonlyMap<string, readonly string[]>;

  constructor(text: string, { scheme, host, port, path, query }: Url) {
    this.text = text;
    this.scheme = scheme;
    this.host = host;
    this.port = port;
    this.path = path;
    this.query = query;
  }
}

const PLAIN =
  /^(?:([a-zA-Z][a-zA-Z\d+.-]*):\/\/([a-zA-Z\d.-]+|\[[\da-fA-F:]+\])(?::(\d{1,5}))?)?((?:\/[\w\-.~!$&'()*+,;=:@/]*)?)(?:\?([\w\-.~=&]*))?$/;

/** undefined: it is none. null: not known. */
export function urlOf(text: string): ParsedUrl | null | undefined {
  const [all, scheme = '', host = '', port = '', path = '', query = ''] = PLAIN.exec(text) ?? [];
  // `ParseRequestURI`: a scheme, or an absolute path.
  if (all === undefined || (scheme === '' && path === '')) {
    return text === '' || /^[\w-]+(?:\/[\w\-/]*)?$/.test(text) ? undefined : null;
  }
  if (path.startsWith('//')) return null;
  const pairs = query === '' ? [] : query.split('&');
  const found = new Map<string, string[]>();
  for (const pair of pairs) {
    if (pair === '') continue;
    const [key = '', ...value] = pair.split('=');
    found.set(key, [...(found.get(key) ?? []), value.join('=')]);
  }
  const known = { scheme: scheme.toLowerCase(), host, port, path, query: found };
  return new ParsedUrl(text, known);
}
