/** What this machine needs to run containers without a daemon. */
import { spawnSync } from 'node:child_process';

/** By the Debian package that has it. */
const PROGRAMS = { buildah: 'buildah', debootstrap: 'debootstrap', iproute2: 'ip', 'dnsmasq-base': 'dnsmasq' };

/** @returns what is missing, in words */
export const missingPrograms = (): readonly string[] => {
  const there = (program: string): boolean => spawnSync(program, ['--version']).error === undefined;
  const packages = Object.entries(PROGRAMS).flatMap(([name, program]) => (there(program) ? [] : [name]));
  return [
    ...(process.platform === 'linux' && process.getuid?.() === 0 ? [] : ['it needs root on Linux']),
    ...(packages.length === 0 ? [] : [`apt-get install ${packages.join(' ')}`]),
  ];
};
