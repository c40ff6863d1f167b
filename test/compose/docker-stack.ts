/** The services by Docker Compose itself. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readCompose } from './compose-file.ts';
import { run } from './images.ts';
import { PROJECT, type Stack } from './stack.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** Whether a daemon answers. */
export const hasDocker = (): boolean =>
  spawnSync('docker', ['info']).status === 0 && spawnSync('docker', ['compose', 'version']).status === 0;

export const openDockerStack = async (env: NodeJS.ProcessEnv, keepImages: boolean): Promise<Stack> => {
  const { services } = await readCompose(join(ROOT, 'docker-compose.yml'), env);
  const [address, port] = (services['proxy']?.ports[0] ?? '').split(':');
  const settings = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const compose = (...args: readonly string[]): Promise<string> =>
    run('env', [...settings, 'docker', 'compose', `--project-name=${PROJECT}`, ...args]);
  const image = services['api']?.image ?? '';
  return {
    about: ['Docker Compose runs the services as the file says.'],
    url: `http://${address}:${port}`,
    build: async () => {
      await compose('build');
      const bytes = await run('docker', ['image', 'inspect', '--format={{.Size}}', image]);
      return [`${image}: ${Math.round(Number(bytes) / 1e6)} MB.`];
    },
    up: async () => [await compose('up', '--detach')],
    run: (service, args, volumes = []) =>
      compose('run', '--rm', '--no-TTY', ...volumes.map((volume) => `--volume=${volume}`), service, ...args),
    exec: async (service, command) => {
      const replicas = Array.from({ length: services[service]?.deploy.replicas ?? 0 }, (_, index) => index + 1);
      return await Promise.all(
        replicas.map((index) => compose('exec', '--no-TTY', `--index=${index}`, service, ...command)),
      );
    },
    down: async () => [await compose('down')],
    logs: () => compose('logs', '--tail=30'),
    remove: async () => void (await compose('down', '--volumes', ...(keepImages ? [] : ['--rmi=all']))),
  };
};
