/** The commands that a Redis has run, by its own counts. */
import type { Redis } from 'ioredis';

export interface RedisCounts {
  /** Calls from clients and scripts, by command. */
  readonly commands: Readonly<Record<string, number>>;
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly cpuSeconds: number;
}

const number = (info: string, name: string): number =>
  Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1] ?? 0);

export const redisCounts = async (redis: Redis): Promise<RedisCounts> => {
  const [stats, commands, cpu] = await Promise.all([
    redis.info('stats'),
    redis.info('commandstats'),
    redis.info('cpu'),
  ]);
  const calls = [...commands.matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm)];
  return {
    commands: Object.fromEntries(calls.map(([, name = '', count]) => [name, Number(count)])),
    bytesIn: number(stats, 'total_net_input_bytes'),
    bytesOut: number(stats, 'total_net_output_bytes'),
    cpuSeconds: number(cpu, 'used_cpu_user') + number(cpu, 'used_cpu_sys'),
  };
};

/** The difference of `after` and `before`. */
export const redisWork = (before: RedisCounts, after: RedisCounts): RedisCounts => ({
  commands: Object.fromEntries(
    Object.entries(after.commands).map(([name, count]) => [name, count - (before.commands[name] ?? 0)]),
  ),
  bytesIn: after.bytesIn - before.bytesIn,
  bytesOut: after.bytesOut - before.bytesOut,
  cpuSeconds: after.cpuSeconds - before.cpuSeconds,
});

export const commandsIn = ({ commands }: RedisCounts): number =>
  Object.values(commands).reduce((sum, count) => sum + count, 0);
