/** Runs a Swift until it is interrupted, and prints its environment: `npx tsx test/cluster/swift-main.ts [BUCKET] [HOST]`. */
import { once } from 'node:events';
import { hasSwift, SWIFT_PACKAGES, startSwift } from './swift.ts';

if (!hasSwift()) throw new Error(`Debian's packages are needed: apt-get install ${SWIFT_PACKAGES.join(' ')}`);
const [bucket, host] = process.argv.slice(2);
const swift = await startSwift(bucket, host);
for (const [name, value] of Object.entries(swift.env)) process.stdout.write(`export ${name}='${value}'\n`);
await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
await swift.stop();
