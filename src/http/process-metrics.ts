/**
 * Metrics of this process under the names that Prometheus clients give them. By hand, because the usual collection
 * watches every garbage collection too, which cost a tenth of a quote.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const RESOLUTION_MS = 20;
const NS_PER_S = 1e9;

/** Adds them to a registry; lag is that since the last time that it was asked for. */
export const addProcessMetrics = (register: Registry): void => {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  delay.enable();
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [register],
      collect() {
        this.set(read());
      },
    });
  };
  const seconds = (ns: number): number => (Number.isNaN(ns) ? 0 : ns / NS_PER_S);
  gauge('nodejs_eventloop_lag_mean_seconds', 'Mean delay of the event loop', () => seconds(delay.mean));
  gauge('nodejs_eventloop_lag_p99_seconds', '99th percentile of the delay of the event loop', () =>
    seconds(delay.percentile(99)),
  );
  gauge('nodejs_eventloop_lag_max_seconds', 'Greatest delay of the event loop', () => {
    const greatest = seconds(delay.max);
    delay.reset();
    return greatest;
  });
  gauge('process_resident_memory_bytes', 'Memory that is held in all', () => process.memoryUsage.rss());
  gauge('nodejs_heap_size_used_bytes', 'Memory that JavaScript values take', () => process.memoryUsage().heapUsed);
  gauge('process_cpu_seconds_total', 'Processor time so far', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  gauge('process_start_time_seconds', 'When the process began, since 1970', () =>
    Math.round(Date.now() / 1_000 - process.uptime()),
  );
};
