import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { completed, copySeconds, upload, writeList } from './batch.ts';
import { createReadStream, readFileSync } from 'node:fs';
const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' '); return (Number(f[13]) + Number(f[14])) / 100; };
import { childrenOf, peakMb, startService } from './service.ts';

const N = Number(process.argv[2] ?? 200_000);
const dir = await mkdtemp(join(tmpdir(), 'rates-lists-'));
const path = join(dir, 'list.csv');
await writeList(path, N);
const s = await startService({ WORKERS: '2' });
for (let k = 0; k < Number(process.argv[3] ?? 3); k++) {
  const copy = await copySeconds(path);
  const before = childrenOf(s.pid).map((c) => [c, cpu(c.pid)] as const); const own = process.cpuUsage();
  const t0 = performance.now(); const b = await upload(s, createReadStream(path)); const t1 = performance.now(); await completed(s, b.id); const ours = (performance.now() - t0) / 1000;
  const mine = process.cpuUsage(own); console.log('upload ms', Math.round(t1 - t0), 'rest ms', Math.round(performance.now() - t1), before.map(([c, t]) => `${c.kind} ${(cpu(c.pid) - t).toFixed(2)}s`).join(' '), 'client', (mine.user + mine.system) / 1e6);
  console.log(
    `copy ${Math.round(N / copy / 1000)} krows/s, ours ${Math.round(N / ours / 1000)} krows/s, ratio ${(copy / ours).toFixed(2)}; peaks ${childrenOf(
      s.pid,
    )
      .map((c) => `${c.kind} ${peakMb(c.pid)}`)
      .join(', ')}`,
  );
}
await s.stop();
await rm(dir, { recursive: true });
