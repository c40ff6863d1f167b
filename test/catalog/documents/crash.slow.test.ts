/**
 * A process that changes documents is killed at any moment. Then what was in force before is in force, or what comes after
 * it, and never a part of both. `ROUNDS` says how often each change is killed.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { rounds } from '../../rounds.ts';
import { CHANGES, type ChangeName, NOTE, openLibrary, PLACES, type PlaceName, withKind } from './fixtures/libraries.ts';

const ROUNDS = rounds(4);
vi.setConfig({ testTimeout: 60_000 + ROUNDS * 20_000 });

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'crash-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const PROCESS = join(import.meta.dirname, 'fixtures', 'changer.ts');

/** Makes a change in a separate process. @param killMs when it is killed; undefined: never. @returns how long it took */
const inProcess = async (args: readonly string[], killMs?: number): Promise<number> => {
  const execArgv = ['--import', import.meta.resolve('tsx')];
  const child = fork(PROCESS, args, { execArgv, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exited = once(child, 'exit');
  await once(child, 'message');
  const begun = performance.now();
  const done = once(child, 'message').catch(() => undefined);
  child.send('go');
  if (killMs === undefined) await done;
  else {
    await sleep(killMs);
    child.kill('SIGKILL');
  }
  const took = performance.now() - begun;
  await exited;
  return took;
};

const KINDS = ['tariff', 'agreement'];
const cases = KINDS.flatMap((kind) =>
  PLACES.flatMap((place) => CHANGES.map((change): readonly [string, PlaceName, ChangeName] => [kind, place, change])),
);

describe.each(cases)('%s in %s: %s', (name, place, change) => {
  test('that is killed leaves the old or the new in force', () =>
    withKind(name, async (kind, make) => {
      const library = await openLibrary(kind, place, dir);
      const idsNow = async () => (await library.current()).documents.map(kind.id).sort();
      const old = ['air', 'ground'].map((one) => make(one, 2025));
      const fresh = ['air', 'ground'].map((one) => make(one, 2026));
      const ids = (documents: typeof old) => documents.map(kind.id).sort().join();
      const hold = (documents: typeof old) =>
        library.put(
          documents.map((document) => ({ document })),
          { ...NOTE, replace: 'all', alone: true },
        );
      const states = { publish: [old, fresh], withdraw: [old, old.slice(0, 1)], 'go back': [fresh, old] } as const;
      const [before, after] = states[change];
      let longest = 0;
      const seen = new Map<string, number>();
      for (let round = 0; round <= ROUNDS; round += 1) {
        const made = await hold(change === 'go back' ? old : before);
        const version = 'version' in made ? made.version : undefined;
        const [{ version: current } = { version: '' }] = (await library.versions()).filter((one) => one.isCurrent);
        if (change === 'go back') await hold(before);
        expect(await idsNow()).toEqual(ids(before).split(','));
        // The first is not killed, to see how long it takes.
        const killMs = round === 0 ? undefined : Math.random() * longest * 1.1;
        const took = await inProcess([name, place, dir, change, version ?? current], killMs);
        if (round === 0) longest = took;
        const now = (await idsNow()).join();
        expect([ids(before), ids(after)]).toContain(now);
        if (round === 0) expect(now).toBe(ids(after));
        seen.set(now, (seen.get(now) ?? 0) + 1);
        expect((await library.current()).broken).toEqual([]);
      }
      if (process.env['ROUNDS'] !== undefined)
        process.stderr.write(
          `${name} in ${place}, ${change}: ${[...seen.values()].join(' and ')} in ${longest.toFixed(0)} ms\n`,
        );
    }));
});
