/** Paths, hosts, ids and files: what must not be revealed, reached or bypassed. */
import { lstat, readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack } from '../attack.ts';
import { answerIn, type Calls, forSeconds } from '../calls.ts';
import type { Environment } from '../environment.ts';
import { BATCHES, endedBatch } from './batches.ts';

const SECONDS = 3;
const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };
const GRANT = 'grant_type=client_credentials&client_id=attacker&client_secret=attacker-secret';

/** A path in spellings that other programs may treat as the same. */
const otherSpellings = (path: string): string[] => [
  `${path}/`,
  `${path}//`,
  path.toUpperCase(),
  path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  `/${path}`,
  path.replace('/', '/./'),
  `/x/..${path}`,
  path.replace(/\/([a-z])/, (_, letter: string) => `/%${letter.charCodeAt(0).toString(16)}`),
  path.replace(/\/(?=[^/]*$)/, '%2f'),
  `${path};x=1`,
  `${path}%20`,
  `${path}.`,
  path.replaceAll('/', '\\'),
];

const GUARDED: readonly [method: string, path: string][] = [
  ['POST', '/token/generate'],
  ['POST', '/v1/client/shipment/rates'],
  ['GET', '/v1/client/shipment/rates/batches'],
  ['GET', '/v1/client/warehouses'],
  ['GET', '/metrics'],
  ['POST', '/console/session'],
];

const rawRequest = (method: string, path: string, headers: readonly string[], body = ''): string =>
  [
    `${method} ${path} HTTP/1.1`,
    ...headers,
    'Connection: close',
    ...(body === '' ? [] : [`Content-Length: ${body.length}`]),
    '',
    body,
  ].join('\r\n');

const sendRaw = async (calls: Calls, request: string) => {
  const answer = answerIn(await calls.raw(request));
  calls.seen(answer);
  return answer;
};

const paths: Attack = {
  name: 'path-spellings',
  group: 'spellings',
  tries: 'Requests protected paths in other spellings, for which a proxy may have no rule.',
  run: async ({ calls, attacker, url }) => {
    const { host } = new URL(url);
    const reached = new Set<string>();
    let sent = 0;
    const all = GUARDED.flatMap(([method, path]) => otherSpellings(path).map((other) => [method, other] as const));
    await forSeconds(SECONDS, 2, async (connection) => {
      const [method, path] = all[(sent * 2 + connection) % all.length] ?? ['GET', '/'];
      sent += 1;
      const form = ['Content-Type: application/x-www-form-urlencoded', `Authorization: Bearer ${attacker}`];
      const request = rawRequest(method, path, [`Host: ${host}`, ...form], method === 'POST' ? GRANT : '');
      const { status } = await sendRaw(calls, request);
      if (status !== 404 && status !== 400) reached.add(`${method} ${path} was answered ${status}`);
    });
    return { sent: `${sent} calls of ${all.length} spellings of ${GUARDED.length} paths`, problems: [...reached] };
  },
};

const OTHER_HOSTS = [
  'evil.example',
  '127.0.0.1.evil.example',
  'localhost.evil.example',
  '203.0.113.7',
  '',
  'a b',
  '[::1',
];

const hosts: Attack = {
  name: 'other-hosts',
  tries: 'Signs in and sends requests with the name of another host, as in DNS rebinding, and with two names at once.',
  run: async ({ calls, attacker, url }) => {
    const { host, port } = new URL(url);
    const problems = new Set<string>();
    let sent = 0;
    const json = 'Content-Type: application/json';
    const secret = JSON.stringify({ client_id: 'attacker', client_secret: 'attacker-secret' });
    const ask = async (method: string, path: string, headers: string[], body: string, why: string, good = false) => {
      sent += 1;
      const { status } = await sendRaw(calls, rawRequest(method, path, headers, body));
      if (good !== (status === 200)) problems.add(`${method} ${path} was answered ${status} ${why}`);
    };
    const doors: [string, string, string[], string][] = [
      ['POST', '/token/generate', [json], secret],
      ['POST', '/console/session', [json, 'Sec-Fetch-Site: same-origin'], secret],
      ['GET', '/v1/client/warehouses', [`Authorization: Bearer ${attacker}`], ''],
    ];
    let rounds = 0;
    await forSeconds(SECONDS, 1, async () => {
      rounds += 1;
      for (const [method, path, headers, body] of doors) {
        for (const other of OTHER_HOSTS)
          await ask(method, path, [`Host: ${other}:${port}`, ...headers], body, `to the host "${other}"`);
        await ask(method, path, [`Host: ${host}`, 'Host: evil.example', ...headers], body, 'to two hosts');
        await ask(method, path, [`Host: ${host}`, `Host: ${host}`, ...headers], body, 'to one host twice');
        await ask(method, path, headers, body, 'to no host');
        // Only once, because too many requests for tokens are refused.
        for (const own of rounds > 1 ? [] : [host, `localhost:${port}`, `[::1]:${port}`])
          await ask(method, path, [`Host: ${own}`, ...headers], body, `to ${own}`, true);
      }
    });
    return { sent: `${sent} calls by the names of other hosts, two hosts, and none`, problems: [...problems] };
  },
};

/** An answer without the parts that differ at each call. */
const toldBy = (status: number, headers: Readonly<Record<string, unknown>>, body: string): string => {
  const { date, 'x-request-id': _, ...told } = headers;
  const text = JSON.stringify([status, told, body], undefined, 0);
  return text.replaceAll(/other|nobody/g, 'X').replaceAll(/\bt=\d+|"retry-after":"\d+"|in \d+ s\b/g, 't=N');
};

const ids: Attack = {
  name: 'client-ids',
  group: 'secrets',
  // No token of `other` was requested before, and its limits are not the defaults.
  tries: 'Tries to learn from the answers to wrong secrets which client ids exist.',
  run: async ({ calls }) => {
    const problems = new Set<string>();
    let sent = 0;
    const guess = async (id: string): Promise<string> => {
      sent += 1;
      const body = `grant_type=client_credentials&client_id=${id}&client_secret=guess`;
      const answer = await calls.call('POST', '/token/generate', { headers: FORM, body });
      return toldBy(answer.status, answer.headers, answer.body);
    };
    const begun = performance.now();
    for (let tries = 0; tries < 150; tries += 1) {
      const [known, unknown] = [await guess('other'), await guess('nobody')];
      if (known !== unknown) problems.add(`the answers differ:\n      ${known}\n      ${unknown}`);
      if (problems.size > 2) break;
      await sleep(Math.max(0, begun + tries * 20 - performance.now()));
    }
    return {
      sent: `${sent} wrong secrets for an id that exists and one that does not, by turns`,
      problems: [...problems],
    };
  },
};

/** Paths in a folder that users other than the owner can open. */
async function* openToOthers(root: string, folder: string): AsyncGenerator<string> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    const stats = await lstat(path).catch(() => undefined);
    if (stats === undefined) continue;
    const others = (stats.mode & 0o077) !== 0;
    if (entry.isDirectory() && others) yield* openToOthers(root, path);
    else if (!entry.isDirectory() && others && !entry.isSocket()) yield relative(root, path);
  }
}

const files: Attack = {
  name: 'files-of-others',
  group: 'secrets',
  tries: "Tries to read uploads and parts on the service's disk as another user of the machine.",
  run: async (environment: Environment) => {
    const { dataDir, calls, attacker } = environment;
    const open = new Set<string>();
    const look = async (): Promise<void> => {
      for await (const path of openToOthers(dataDir, dataDir)) if (path !== 'service.log') open.add(path);
    };
    let batches = 0;
    let running = true;
    const looking = (async () => {
      for (; running; await sleep(20)) await look();
    })();
    await forSeconds(SECONDS, 1, async () => {
      batches += 1;
      const id = await endedBatch(environment, attacker, 400);
      await calls.call('GET', `${BATCHES}/${id}/output?format=xlsx`, { token: attacker });
    });
    running = false;
    await looking;
    const problems =
      open.size === 0 ? [] : [`${open.size} files are open to others, such as ${[...open].slice(0, 6).join(', ')}`];
    return { sent: `${batches} batches, while their files were looked for`, problems };
  },
};

const SECONDS_OF_FORGED = 5;

const forged: Attack = {
  name: 'forged-tokens',
  group: 'secrets',
  tries: 'Sends tokens with wrong signatures, each different, over eight connections.',
  run: async ({ calls, attacker }) => {
    const [head = '', claims = ''] = attacker.split('.');
    let sent = 0;
    await forSeconds(SECONDS_OF_FORGED, 8, async () => {
      sent += 1;
      const token = `${head}.${claims}.${Buffer.from(`${sent}`.padStart(32, 'x')).toString('base64url')}`;
      await calls.call('GET', BATCHES, { token });
    });
    const opened = calls.counts().includes('200') ? ['a forged token opened something'] : [];
    return { sent: `${sent} forged tokens`, problems: opened };
  },
};

export const EDGE_ATTACKS: readonly Attack[] = [paths, hosts, ids, files, forged];
