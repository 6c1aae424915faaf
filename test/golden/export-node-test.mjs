// A counterexample of reapcheck as a regression test: late-dependent-orphan.
// A dependent of another kind is created just before its owner is deleted with policy Orphan. If the
// collector has not seen it in time, the dependent is collected instead of orphaned.
//
// The run violates: orphaned objects are not collected.
// The test says how it should be. So it FAILS while the defect is there, and passes once the
// operator (or the order of its requests) is right. Keep it then.
//
// npm install --save-dev reapcheck @kubernetes/client-node
// (before Node.js 22.19: @kubernetes/client-node@1)
// node --test FILE.test.mjs
//
// It starts "reapcheck serve" with the token of the run (REAPCHECK names another command for it).
// With TEST_KUBECONFIG, it uses that cluster instead and creates the objects there: take one for
// tests.
// OPERATOR is a command that is started first, with KUBECONFIG set to a file of its own.
//
// 13 steps of the run are not among the 2 requests below: which worker acts, and
// how late a cache is. reapcheck serve forces their order. On a real cluster nothing can: there the
// test passes if the order is another one, and a pass proves little.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { KubeConfig } from '@kubernetes/client-node';

/** Milliseconds for what must become true. */
const PATIENCE = Number(process.env.PATIENCE ?? 20_000);
const TOKEN = "rt1:late-dependent-orphan:PJmnxpCB:ATAoAQAdB7AiA8AQA7A4AiApASANAW:WTIT:6DP8";
const STEPS = 2;
// The controllers of the run. OPERATOR plays the first, or the one that PLAYS names.
const CONTROLLERS = [];

test("late-dependent-orphan: orphaned objects are not collected", async (t) => {
  const cluster = await connect(t);

  // With the token, the server has these objects already.
  await cluster.start("/api/v1/namespaces/default/configmaps", "/api/v1/namespaces/default/configmaps/a", "uid-a", {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a","namespace":"default"}}, null);

  // user: POST Secret/late
  await cluster.send(1, 'POST', "/api/v1/namespaces/default/secrets", {"apiVersion":"v1","kind":"Secret","metadata":{"name":"late","namespace":"default","ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":"a","uid":"uid-a","blockOwnerDeletion":true}]}}, "uid-late");
  // user: DELETE ConfigMap/a propagationPolicy=Orphan
  await cluster.send(2, 'DELETE', "/api/v1/namespaces/default/configmaps/a", {"propagationPolicy":"Orphan"}, null);

  await cluster.rest();
  await cluster.there("/api/v1/namespaces/default/secrets/late", {"uid":"uid-late","finalizers":null,"owners":null,"deleting":null}, "Secret/late must still be there");
});

/** A server with the token, or the cluster of TEST_KUBECONFIG. */
async function connect(t) {
  const given = process.env.TEST_KUBECONFIG;
  const { kubeconfig, ofOperator } =
    given === undefined ? await serve(t) : { kubeconfig: given, ofOperator: given };
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  if (process.env.OPERATOR) {
    const env = { ...process.env, KUBECONFIG: ofOperator };
    const operator = spawn(process.env.OPERATOR, { shell: true, stdio: 'inherit', env, detached: true });
    t.after(() => process.kill(-operator.pid));
  }
  const ask = (method, path, body) => request(config, method, path, body);
  const isRun = (await ask('GET', '/reapcheck/run')).body.of >= STEPS && given === undefined;
  return clusterOf(ask, isRun);
}

async function serve(t) {
  const folder = mkdtempSync(join(tmpdir(), 'counterexample-'));
  const kubeconfig = join(folder, 'kubeconfig.yaml');
  const [command, ...words] = (process.env.REAPCHECK ?? 'npx reapcheck').split(' ');
  const played = process.env.OPERATOR ? (process.env.PLAYS ?? CONTROLLERS[0]) : undefined;
  // The server knows the operator by its kubeconfig.
  const ofOperator = played === undefined ? kubeconfig : join(folder, 'operator.yaml');
  const plays = played === undefined ? [] : ['--plays', played, '--operator-kubeconfig', ofOperator];
  const given = ['serve', '--schedule', TOKEN, '--kubeconfig', kubeconfig, ...plays];
  const server = spawn(command, [...words, ...given], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  server.stderr.on('data', (data) => {
    said += data;
  });
  t.after(() => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  while (!said.includes('serving http')) {
    if (server.exitCode !== null) throw new Error(`reapcheck serve has ended: ${said}`);
    await pause(50);
  }
  assert.ok(existsSync(kubeconfig) && readFileSync(kubeconfig, 'utf8') !== '');
  return { kubeconfig, ofOperator };
}

async function request(config, method, path, body) {
  const url = new URL(config.getCurrentCluster().server);
  const options = { method, host: url.hostname, port: url.port, path, headers: {} };
  await config.applyToHTTPSOptions(options);
  const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const data = body === undefined ? '' : JSON.stringify(body);
  // Node sends the body of a DELETE only with its length.
  const head = { 'content-type': type, 'content-length': Buffer.byteLength(data) };
  if (data !== '') options.headers = { ...options.headers, ...head };
  const { request: begin } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = begin({ ...options, agent: undefined }, (response) => {
      let text = '';
      response.on('data', (data) => {
        text += data;
      });
      response.on('end', () => {
        let answer = {};
        try {
          answer = JSON.parse(text);
        } catch {
          // Not every path of a cluster answers with JSON.
        }
        resolve({ code: response.statusCode, body: answer });
      });
    });
    sent.on('error', reject);
    sent.end(data);
  });
}

/** @param isRun the server has the objects of the run, with their uids, and repeats it. */
function clusterOf(ask, isRun) {
  /** By uid in the run: the uid here. */
  const uids = new Map();
  const versions = new Map();
  const sent = [];
  /** Nothing is left to do, so nothing becomes true any more. */
  let isOver = false;
  const here = (value) => {
    if (Array.isArray(value)) return value.map(here);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        key === 'uid' && uids.has(part) ? uids.get(part) : here(part),
      ]),
    );
  };
  const until = async (isTrue, patience = PATIENCE) => {
    for (const end = Date.now() + patience; Date.now() < end; await pause(100)) {
      if (await isTrue()) return true;
    }
    return isTrue();
  };
  /** Waits until the run wants this step, or until it is over. */
  const at = async (step) => {
    if (!isRun) return;
    await until(async () => {
      const { body } = await ask('GET', '/reapcheck/run');
      return body.state !== 'waits' || body.step === step;
    });
  };
  /** @param name uid of a new object in the run, or the user whose version is demanded. */
  const begin = async (step, method, path, body, name = null) => {
    await at(step);
    const resourceVersion = method === 'POST' ? undefined : versions.get(name);
    const demand = method === 'DELETE' ? 'preconditions' : 'metadata';
    const whole =
      resourceVersion === undefined
        ? body
        : { ...body, [demand]: { ...body[demand], resourceVersion } };
    const answer = ask(method, path, here(whole));
    const noted = answer.then((given) => {
      if (method === 'POST' && given.code === 201) uids.set(name, given.body.metadata.uid);
    });
    sent.push(noted);
    return { answer: noted };
  };
  return {
    async start(collection, path, uid, manifest, deleted) {
      if (isRun) return;
      const { code, body } = await ask('POST', collection, here(manifest));
      assert.equal(code, 201, `POST ${collection}: ${JSON.stringify(body)}`);
      uids.set(uid, body.metadata.uid);
      if (deleted !== null) await ask('DELETE', path, { propagationPolicy: deleted });
    },
    /**
     * Sends a request whose answer comes after the next one is sent. A real cluster answers at
     * once.
     */
    async begin(...given) {
      const { answer } = await begin(...given);
      if (!isRun) await answer;
    },
    async send(...given) {
      const { answer } = await begin(...given);
      await answer;
    },
    async read(step, path, user) {
      await at(step);
      const { body } = await ask('GET', path);
      versions.set(user, body.metadata?.resourceVersion);
    },
    /** Waits until nothing is left to do, as far as the cluster says so. */
    async rest() {
      await Promise.all(sent);
      let calm = 0;
      await until(async () => {
        const { code, body } = await ask('GET', '/reapcheck/run');
        if (code !== 200) return true;
        calm = body.quiet && body.state !== 'waits' ? calm + 1 : 0;
        isOver = calm === 5 && !process.env.OPERATOR;
        return calm === 5;
      }, process.env.OPERATOR ? PATIENCE : PATIENCE / 4);
      const { code, body } = await ask('GET', '/reapcheck/run');
      const isServed = code === 200;
      if (isRun && body.state !== 'complete') {
        console.error(`note: the run was not repeated to its end: ${body.state} at step ${body.step}`);
      }
      if (!isServed) await pause(PATIENCE / 2);
    },
    async gone(path, words) {
      const isGone = await until(async () => (await ask('GET', path)).code === 404, isOver ? 0 : PATIENCE);
      assert.ok(isGone, words);
    },
    async there(path, { uid, finalizers, owners, deleting }, words) {
      const { code, body } = await ask('GET', path);
      assert.equal(code, 200, words);
      const { metadata } = body;
      const wanted = uids.get(uid) ?? uid;
      if (isRun || uids.has(uid)) assert.equal(metadata.uid, wanted, words);
      if (finalizers !== null) assert.deepEqual(metadata.finalizers ?? [], finalizers, words);
      const found = (metadata.ownerReferences ?? []).map((reference) => reference.uid);
      if (owners !== null) {
        assert.deepEqual(found, owners.map((owner) => uids.get(owner) ?? owner), words);
      }
      if (deleting !== null) {
        assert.equal(metadata.deletionTimestamp !== undefined, deleting, words);
      }
    },
  };
}
