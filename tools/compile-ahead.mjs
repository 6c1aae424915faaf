// Stores what V8 has compiled of the command after two small checks, for `run/compiled.ts`: V8 only
// takes what the same version of it has compiled. A part of the build. Without it, each start
// compiles what it needs.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';
import { compiledChecksum, compiledName, SCRIPT_NAME } from '../dist/run/compiled.js';
import { optimiseLater } from '../dist/run/compiler.js';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const folder = join(root, 'dist', 'cli');
const unfinished = join(folder, 'compiling');
const file = join(unfinished, 'run.cjs');

// What they use is compiled at the start of a command. The code for dumps has that for scenarios.
const SMALL = {
  scenario: ['check', 'background-chain'],
  dump: ['delete', join(root, 'test/dumps/deployment.yaml'), 'deploy/web', '-n', 'prod'],
};

// Its options are a part of what V8 compiles for.
optimiseLater();

// In the encoding that is read fastest.
const code = readFileSync(file, 'utf8');
const isWide = (letter) => letter > '\xff';
if ([...code].some(isWide)) throw new Error(`${file} has letters that latin1 lacks`);
const withImports = code.replace(/(?<![\w$.])import\(/g, 'importModule(');
const source = `(function (require, __filename, module, importModule) {${withImports}\n})`;
writeFileSync(file, source, 'latin1');

const script = new Script(source, { filename: SCRIPT_NAME });
const module = { exports: {} };
const importModule = (name) => import(name);
script.runInThisContext()(createRequire(file), file, module, importModule);
const nowhere = { write: () => undefined, isTerminal: false };
const io = { stdin: process.stdin, stdout: nowhere, stderr: nowhere, env: {} };
const silent = { ...io, onInterrupt: () => () => undefined, onTerminate: () => undefined };
const ofScript = crc32(readFileSync(file));
for (const [asked, words] of Object.entries(SMALL)) {
  const exitCode = await module.exports.run(words, silent);
  if (exitCode !== 0) throw new Error(`${words.join(' ')} has ended with ${exitCode}`);
  const cachedData = script.createCachedData();
  const checksum = compiledChecksum(ofScript, crc32(cachedData));
  writeFileSync(join(unfinished, compiledName(asked)), Buffer.concat([checksum, cachedData]));
}
// All files at once, or none.
mkdirSync(folder, { recursive: true });
rmSync(join(folder, 'compiled'), { recursive: true, force: true });
renameSync(unfinished, join(folder, 'compiled'));
