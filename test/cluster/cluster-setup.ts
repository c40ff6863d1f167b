/** A Redis Cluster of three masters for a test run, instead of the Redis of redis-setup.ts. */
import type { TestProject } from 'vitest/node';
import { startCluster } from './redis-servers.ts';

export default async (project: TestProject): Promise<() => Promise<void>> => {
  const { url, farm } = await startCluster();
  console.log('Redis of this test run: a Cluster of three masters');
  project.provide('redis', { url, kind: 'REDIS_URL' });
  return () => farm.stop();
};
