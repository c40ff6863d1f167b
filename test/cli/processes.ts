/** The processes of the machine from `ps`. */
import { execFileSync } from 'node:child_process';

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly command: string;
}

export const processes = (): readonly Process[] =>
  execFileSync('ps', ['-eo', 'pid=,ppid=,pgid=,args='], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const match = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/.exec(line);
      if (match === null) return [];
      const [, pid, parent, group, command = ''] = match;
      return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }];
    });

/** Children of `parent` whose command line contains `part`. */
export const childrenOf = (parent: number, part = ''): readonly Process[] =>
  processes().filter((process) => process.parent === parent && process.command.includes(part));
