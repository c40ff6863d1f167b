/** The services by `buildah`, without a daemon: each replica in its own root, on a network that this machine alone has. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { must } from '../../src/base/must.ts';
import { type Host, type Network, openNetwork } from '../cluster/network.ts';
import { inOrder, readCompose, type Service } from './compose-file.ts';
import { type Container, createContainer } from './container.ts';
import { buildah, makeImages, ourImages } from './images.ts';
import { PROJECT, type Stack } from './stack.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const READY_MS = 120_000;

const ABOUT = [
  'buildah runs the containers: a root of their own (chroot), a network of their own, but processes as on this machine.',
  'Networks: a bridge of this machine, in 172.29.77.0/24, one of the ranges that Docker takes its networks from.',
  'Names of services: dnsmasq at 127.0.0.11 of each container, where Docker has its own server.',
  'ports: this program passes the connections on. The port is PUBLISH_PORT, or a free one.',
  'Health checks and exec: nsenter runs the program in the namespaces and the root of the container, as its user.',
  'Volumes and tmpfs: folders, and a volume begins with what the image has there.',
  'init and restart: left out. A service that ends by itself fails this test.',
];

/** Answers for the names of the services, on every host. */
const createNames = (file: string) => {
  const servers = new Map<string, ReturnType<typeof spawn>>();
  const known = new Map<string, readonly string[]>();
  const write = async (): Promise<void> => {
    await writeFile(file, [...known].map(([address, names]) => `${address} ${names.join(' ')}\n`).join(''));
    for (const server of servers.values()) server.kill('SIGHUP');
  };
  return {
    add: async (host: Host, names: readonly string[]): Promise<void> => {
      known.set(host.address, names);
      await write();
      const options = [
        '--keep-in-foreground',
        '--conf-file=/dev/null',
        '--pid-file=',
        '--user=root',
        '--bind-interfaces',
      ];
      const places = ['--no-resolv', '--no-hosts', `--addn-hosts=${file}`, '--listen-address=127.0.0.11'];
      const [program = '', ...args] = [...host.enter, 'dnsmasq', ...options, ...places];
      servers.set(host.name, spawn(program, args, { stdio: 'ignore' }));
    },
    remove: async (host: Host): Promise<void> => {
      known.delete(host.address);
      servers.delete(host.name);
      await write();
    },
  };
};

/** Passes connections to a port of this machine on to a container. */
const openPort = async (text: string, target: () => Host) => {
  const [address, port, inside] = text.split(':');
  const server = createServer((socket) => {
    const on = connect(Number(inside), target().address);
    socket.pipe(on).pipe(socket);
    socket.on('error', () => on.destroy());
    on.on('error', () => socket.destroy());
  });
  await once(server.listen(Number(port), address), 'listening');
  return { url: `http://${address}:${(server.address() as AddressInfo).port}`, close: () => server.close() };
};

const untilHealthy = async ({ name, check, exec, running, logs }: Container): Promise<number> => {
  const { command, intervalMs, timeoutMs } = must(check, `a health check of ${name}`);
  const began = performance.now();
  let last: unknown = 'it ended by itself';
  while (running() && performance.now() - began < READY_MS) {
    try {
      await exec(command, timeoutMs);
      return performance.now() - began;
    } catch (error) {
      last = error;
      await sleep(intervalMs);
    }
  }
  throw new Error(`${name} does not become healthy: ${last}\n${(await logs()).slice(-2_000)}`);
};

const waitFor = async (condition: string, { name, ended, logs, ...container }: Container): Promise<void> => {
  if (condition === 'service_healthy') await untilHealthy({ name, ended, logs, ...container });
  if (condition !== 'service_completed_successfully') return;
  const code = await ended();
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${(await logs()).slice(-2_000)}`);
};

/** Removes the containers of a run that was killed. */
const removeLeftovers = async (): Promise<void> => {
  const all: { readonly containername: string }[] = JSON.parse((await buildah('containers', '--json')) || '[]') ?? [];
  for (const { containername: name } of all) if (name.startsWith(PROJECT)) await buildah('rm', name);
};

export const openBuildahStack = async (env: NodeJS.ProcessEnv, keepImages: boolean): Promise<Stack> => {
  const { services } = await readCompose(join(ROOT, 'docker-compose.yml'), { PUBLISH_PORT: '0', ...env });
  const service = (name: string): Service => must(services[name], `the service ${name}`);
  const order = inOrder(services);
  const network: Network = await openNetwork();
  await removeLeftovers();
  const names = createNames(join(network.folder, 'names'));
  const hosts = new Map<string, Host>();
  let containers: readonly Container[] = [];
  const hostOf = async (name: string): Promise<Host> => {
    const host = hosts.get(name) ?? (await network.host(name));
    hosts.set(name, host);
    return host;
  };
  const [published] = service('proxy').ports;
  const port = await openPort(must(published, 'a published port'), () => must(hosts.get('proxy-1'), 'the proxy'));

  const startOne = async (name: string, index: number): Promise<Container> => {
    const host = await hostOf(`${name}-${index}`);
    const container = await createContainer({ service: name, declared: service(name), host, folder: network.folder });
    containers = [...containers, container];
    await names.add(host, [name, `${name}-${index}`]);
    await container.start();
    return container;
  };
  const up = async (): Promise<readonly string[]> => {
    const lines: string[] = [];
    for (const name of order) {
      for (const [needed, { condition }] of Object.entries(service(name).depends_on)) {
        const found = containers.filter((container) => container.service === needed);
        await Promise.all(found.map((container) => waitFor(condition, container)));
        lines.push(`${name}: ${needed} is ${condition.replace('service_', '').replaceAll('_', ' ')}`);
      }
      for (let index = 1; index <= service(name).deploy.replicas; index += 1) await startOne(name, index);
    }
    for (const container of containers.filter(({ check }) => check !== undefined))
      lines.push(`${container.name} is healthy after ${((await untilHealthy(container)) / 1_000).toFixed(1)} s`);
    return lines;
  };
  const exec = (name: string, command: readonly string[]): Promise<readonly string[]> =>
    Promise.all(containers.filter((one) => one.service === name).map((one) => one.exec(command)));
  const runOnce = async (
    name: string,
    command: readonly string[],
    volumes: readonly string[] = [],
  ): Promise<string> => {
    const host = await hostOf('run');
    const declared = service(name);
    const container = await createContainer({
      service: name,
      declared,
      host,
      folder: network.folder,
      command,
      volumes,
    });
    try {
      await names.add(host, ['run']);
      const before = (await container.logs().catch(() => '')).length;
      await container.start();
      const code = await container.ended();
      const said = (await container.logs()).slice(before);
      if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${said}`);
      return said;
    } finally {
      await names.remove(host);
      await container.remove();
    }
  };
  const down = async (): Promise<readonly string[]> => {
    const lines: string[] = [];
    for (const name of order.toReversed()) {
      for (const container of containers.filter((one) => one.service === name)) {
        const alone = !container.running();
        if (alone && name !== 'bucket')
          throw new Error(`${container.name} ended by itself: ${await container.ended()}`);
        const began = performance.now();
        const code = await container.stop();
        lines.push(`${container.name} ended with ${code} after ${((performance.now() - began) / 1_000).toFixed(1)} s`);
        if (code !== 0) throw new Error(`${lines.at(-1)}: ${(await container.logs()).slice(-2_000)}`);
        await names.remove(container.host);
        await container.remove();
      }
    }
    containers = [];
    await rm(join(network.folder, 'anonymous'), { recursive: true, force: true });
    return lines;
  };
  const build = async (): Promise<readonly string[]> => {
    const folder = join(network.folder, 'images');
    await mkdir(folder);
    const images = [...new Set(Object.values(services).map(({ image }) => image))];
    const own = service('api');
    const dockerfile = must(own.build?.dockerfile, 'a Dockerfile of the API');
    return await makeImages(folder, images, { image: own.image, dockerfile: join(ROOT, dockerfile) });
  };
  const logs = async (): Promise<string> => {
    const texts = containers.map(async ({ name, logs: said }) => `--- ${name}\n${(await said()).slice(-3_000)}`);
    return (await Promise.all(texts)).join('\n');
  };
  const remove = async (): Promise<void> => {
    port.close();
    for (const { remove: removeOne } of containers) await removeOne();
    await removeLeftovers();
    if (!keepImages) for (const { name } of (await ourImages()).toReversed()) await buildah('rmi', '--force', name);
    await network.remove();
  };
  return { about: ABOUT, url: port.url, build, up, run: runOnce, exec, down, logs, remove };
};
