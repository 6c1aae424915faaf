import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { PACKAGE_FOLDER } from '../../../input/package-files.ts';
import { PATIENCE } from '../../clock.ts';

const CHECKER = pathToFileURL(join(PACKAGE_FOLDER, 'dist', 'checker', 'index.js')).href;

/** Work without a pause. If nothing interrupts it, it gives up. */
const WORK = `
  import { writeSync } from 'node:fs';
  import { isInterrupted } from ${JSON.stringify(CHECKER)};
  const end = Date.now() + ${PATIENCE / 10};
  let heard = false;
  writeSync(1, 'begun');
  for (let work = 0; work < 2; work++) {
    heard = false;
    process.once('SIGINT', () => { heard = true; });
    while (!isInterrupted(() => heard) && Date.now() < end);
    writeSync(1, heard ? ', heard' : ', deaf');
  }
  // One that nobody listens to ends it.
  while (heard && Date.now() < end);
`;

test(
  'work without a pause hears SIGINT, later work as well, and then one ends the process',
  async () => {
    const child = spawn(process.execPath, ['--input-type=module', '--eval', WORK]);
    let said = '';
    child.stdout.on('data', (part) => {
      said += part;
    });
    // The thread that hears it takes a while to start.
    const signals = setInterval(() => said !== '' && child.kill('SIGINT'), 500);
    const signal = await new Promise((resolve) => {
      child.on('close', (_code, by) => resolve(by));
    });
    clearInterval(signals);
    expect({ said, signal }).toEqual({ said: 'begun, heard, heard', signal: 'SIGINT' });
  },
  PATIENCE,
);
