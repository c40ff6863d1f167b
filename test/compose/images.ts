/**
 * Images without a registry: Debian by `debootstrap`, with the npm package of Node for the product's own Dockerfile, and with
 * Debian's packages in place of each other image that `docker-compose.yml` names.
 */
import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { must } from '../../src/base/must.ts';
import { PROJECT } from './stack.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** Debian of the image that the Dockerfile names, and the first Debian with an nginx that has `resolve` in `server`. */
const NODE_SUITE = 'bookworm';
const SUITE = 'forky';
const SCRIPTS: Readonly<Record<string, string>> = { bookworm: 'bookworm', forky: 'sid' };
const CERTIFICATES = '/etc/ssl/certs/ca-certificates.crt';

export const run = async (command: string, args: readonly string[], cwd = ROOT): Promise<string> =>
  (await promisify(execFile)(command, args, { cwd, maxBuffer: 2 ** 26 })).stdout.trim();
export const buildah = (...args: readonly string[]): Promise<string> => run('buildah', args);

/** Where an image of this test is kept. */
export const kept = (image: string): string => `localhost/${PROJECT}/${image}`;
const NODE_IMAGE = kept('node:24');
const DEBIAN_IMAGE = kept('debian');

interface StandIn {
  readonly what: string;
  /** For `buildah config`: what the image that it stands in for has. */
  readonly config: readonly string[];
}

/** By the name without the version. */
const STAND_INS: Readonly<Record<string, StandIn>> = {
  redis: {
    what: "Debian's redis-server, open to other containers as in the image",
    config: ['--user=redis', '--workingdir=/data', '--volume=/data', '--entrypoint=["/stand-ins/redis"]'],
  },
  'chrislusf/seaweedfs': {
    what: 'OpenStack Swift with its S3 middleware, which reads the same arguments and keys',
    config: ['--volume=/data', '--entrypoint=["/stand-ins/weed"]'],
  },
  'amazon/aws-cli': { what: "Debian's awscli", config: ['--entrypoint=["aws"]'] },
  nginx: { what: "Debian's nginx", config: ['--cmd=nginx -g "daemon off;"', '--stop-signal=SIGQUIT'] },
};
const PACKAGES =
  'redis-server nginx-light awscli swift-proxy swift-account swift-container swift-object python3-swift'.split(' ');

/** @param fill puts more into the image. Its parameters: the container, and the folder of its files */
const debian = async (suite: string, image: string, fill: (container: string, root: string) => Promise<void>) => {
  const container = await buildah('from', `--name=${PROJECT}-${suite}`, 'scratch');
  const root = await buildah('mount', container);
  await run('debootstrap', ['--variant=minbase', suite, root, '', must(SCRIPTS[suite], suite)]);
  // The certificates that this machine trusts, for its registries.
  await mkdir(join(root, CERTIFICATES, '..'), { recursive: true });
  await copyFile(CERTIFICATES, join(root, CERTIFICATES));
  await fill(container, root);
  for (const folder of ['var/cache/apt', 'var/lib/apt/lists']) {
    await rm(join(root, folder), { recursive: true });
    await mkdir(join(root, folder));
  }
  await buildah('umount', container);
  await buildah('commit', '--quiet', '--rm', '--format=docker', container, image);
};

const addNode = async (container: string, root: string, folder: string): Promise<void> => {
  const unpacked = async (name: string): Promise<string> => {
    const to = join(folder, name);
    await mkdir(to);
    const packed = await run('npm', ['pack', '--silent', '--pack-destination', to, name]);
    await run('tar', ['--extract', '--no-same-owner', '--file', join(to, packed), '--directory', to]);
    return join(to, 'package');
  };
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  await copyFile(join(await unpacked(`node-linux-${arch}@24`), 'bin', 'node'), join(root, 'usr/local/bin/node'));
  const npm = 'lib/node_modules/npm';
  await cp(await unpacked('npm@11'), join(root, 'usr/local', npm), { recursive: true });
  for (const name of ['npm', 'npx']) await symlink(`../${npm}/bin/${name}-cli.js`, join(root, 'usr/local/bin', name));
  await run('chroot', [root, 'useradd', '--uid=1000', '--user-group', '--create-home', 'node']);
  await buildah('config', `--env=NODE_EXTRA_CA_CERTS=${CERTIFICATES}`, container);
};

const addPackages = async (container: string, root: string): Promise<void> => {
  // Debian's way to say that no service starts.
  await writeFile(join(root, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  // A mirror of Debian may be older than its index says that it is good.
  const index = 'apt-get update -qq -o Acquire::Check-Valid-Until=false';
  const install = `DEBIAN_FRONTEND=noninteractive apt-get install -qq --no-install-recommends ${PACKAGES.join(' ')}`;
  await buildah('run', '--isolation=chroot', container, '--', 'sh', '-c', `${index} && ${install} && apt-get clean`);
  await cp(join(import.meta.dirname, 'stand-ins'), join(root, 'stand-ins'), { recursive: true });
  await run('chroot', [root, 'install', '--directory', '--owner=redis', '--group=redis', '/data']);
};

const standIn = async (image: string, { config }: StandIn): Promise<void> => {
  const container = await buildah('from', '--pull=never', DEBIAN_IMAGE);
  await buildah('config', ...config, container);
  await buildah('commit', '--quiet', '--rm', '--format=docker', container, kept(image));
};

const listed = z.array(z.object({ names: z.array(z.string()).nullish(), size: z.string() }));
export const ourImages = async () =>
  listed
    .parse(JSON.parse(await buildah('images', '--json')))
    .flatMap(({ names, size }) => (names ?? []).map((name) => ({ name: name.replace(/:latest$/, ''), size })))
    .filter(({ name }) => name.startsWith(kept('')));

const makeBases = async (folder: string): Promise<void> => {
  await debian(NODE_SUITE, NODE_IMAGE, (container, root) => addNode(container, root, folder));
  await debian(SUITE, DEBIAN_IMAGE, addPackages);
};

/** @param folder for what is needed meanwhile @param images that the file names @param own the one that has a Dockerfile */
export const makeImages = async (
  folder: string,
  images: readonly string[],
  own: { readonly image: string; readonly dockerfile: string },
): Promise<readonly string[]> => {
  const there = (await ourImages()).map(({ name }) => name);
  if (!there.includes(NODE_IMAGE) || !there.includes(DEBIAN_IMAGE)) await makeBases(folder);
  const lines = [`node:24-bookworm-slim is Debian's ${NODE_SUITE} here, with Node and npm from their npm packages.`];
  for (const image of images.filter((name) => name !== own.image)) {
    const found = must(STAND_INS[image.replace(/:.*$/, '')], `something in place of ${image}`);
    await standIn(image, found);
    lines.push(`${image} is ${found.what} (${SUITE}).`);
  }
  const args = [`--build-arg=NODE_IMAGE=${NODE_IMAGE}`, `--file=${own.dockerfile}`, `--tag=${kept(own.image)}`];
  await buildah('build', '--isolation=chroot', '--format=docker', '--pull=never', ...args, ROOT);
  const sizes = new Map((await ourImages()).map(({ name, size }) => [name, size]));
  const base = sizes.get(NODE_IMAGE);
  return [...lines, `${own.image}: ${sizes.get(kept(own.image))}, of which the image with Node is ${base}.`];
};
