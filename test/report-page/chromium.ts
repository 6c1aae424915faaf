import { execFileSync } from 'node:child_process';
import { accessSync, constants, existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';
import { PATIENCE } from '../clock.ts';

/**
 * The browser of the machine; playwright-core brings none. The one without windows takes a third of
 * the CPU for a page.
 */
const PLACES = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'].map(
  (name) => `/usr/bin/${name}`,
);

const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Null where there is none and none can be installed. */
export function chromiumPath(): string | null {
  const found = installed();
  if (found !== null || process.getuid?.() !== 0 || !existsSync('/etc/debian_version'))
    return found;
  try {
    execFileSync('apt-get', ['update'], { stdio: 'ignore' });
    execFileSync('apt-get', ['install', '-y', 'chromium'], { stdio: 'ignore' });
  } catch {
    return null;
  }
  return installed();
}

function installed(): string | null {
  return PLACES.find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

let running: Promise<Browser> | null = null;

/**
 * A browser takes seconds of CPU to start, so the files of one process of tests share it. It ends
 * with the process.
 */
export async function launched(executablePath: string): Promise<Browser> {
  if ((await running)?.isConnected() === true) return (await running)!;
  running = chromium.launch({ executablePath, args: ARGUMENTS, timeout: PATIENCE });
  return await running;
}

/** Closes what a file of tests has opened. */
export async function cleared(browser: Browser | undefined): Promise<void> {
  await Promise.all((browser?.contexts() ?? []).map((context) => context.close()));
}
