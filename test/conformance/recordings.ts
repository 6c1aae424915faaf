import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import {
  type Recording,
  recordingSchema,
} from '../../conformance/recordings/logs/recording-schema.ts';

const folder = join(dirname(fileURLToPath(import.meta.url)), 'recordings');

/** What a real control plane (v1.20.2) did: steps, requests, watch events and what was left. */
export function recordings(): readonly Recording[] {
  const text = gunzipSync(readFileSync(join(folder, 'recordings.json.gz'))).toString('utf8');
  const byName = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return Object.values(byName).map((recording) => recordingSchema.parse(recording));
}
