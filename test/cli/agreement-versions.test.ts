/** The commands about agreements in force, with a store on the disk or a folder. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeTariffFolder } from '../../src/catalog/tariff/folder.ts';
import { AGREEMENT_FAMILY } from '../../src/cli/agreement/agreement.ts';
import { listDocuments } from '../../src/cli/documents.ts';
import { smallTariff } from '../catalog/tariff/small-tariff.ts';
import { folderForEachTest } from '../folder.ts';
import { type AgreementFiles, makeAgreement } from './agreements.ts';
import { ratesHere } from './in-process.ts';

let dir: string;
let env: NodeJS.ProcessEnv;
folderForEachTest((made) => (dir = made));
beforeEach(async () => {
  await writeTariffFolder(join(dir, 'tariffs', 'small'), smallTariff());
  await writeFile(join(dir, 'clients.json'), '{ "clients": [] }');
  env = {
    TARIFFS_DIR: join(dir, 'tariffs'),
    AGREEMENTS_DIR: 'published',
    CLIENTS_FILE: join(dir, 'clients.json'),
    DATA_DIR: join(dir, 'data'),
  };
});

const filesOf = (name: string, percent: string, more: object = {}): AgreementFiles => ({
  'agreement.json': JSON.stringify({ name, carrier: 'Small', effective: '2026-01-01', ...more }),
  'discounts.csv': ['discount,services,from_lb,percent', `Incentive,GROUND,8,${percent}`],
});
const make = async (name: string, percent: string, more: object = {}): Promise<string> => {
  await makeAgreement(join(dir, 'agreements', name), filesOf(name, percent, more));
  return join(dir, 'agreements', name);
};
const JUNE = { effective: '2026-06-01' };
const SEPTEMBER = { effective: '2026-09-01' };
const agreement = (...args: string[]) => ratesHere(['agreement', ...args], { env });
const ids = async (): Promise<string[]> =>
  JSON.parse((await agreement('list', '--json')).stdout).agreements.map(({ id }: { id: string }) => id);
const names = async () => (await ids()).map((id) => id.split('@')[0]);
const addClient = (id: string, ...args: string[]) =>
  ratesHere(['client', 'add', id, '--warehouse', '101,Newark,NJ,07001', ...args], { env });

test('publishing adds agreements, and replaces those of the same name', async () => {
  const [one, two] = [await make('one', '20'), await make('two', '30')];
  expect(await agreement('publish', one)).toMatchObject({ code: 0 });
  expect(await agreement('publish', two)).toMatchObject({
    code: 0,
    stderr: 'Running processes use it within a second.\n',
  });
  const before = await ids();
  expect(await names()).toEqual(['one', 'two']);
  await make('one', '21');
  await agreement('publish', one);
  const after = await ids();
  expect([after.length, after[0] === before[0], after[1] === before[1]]).toEqual([2, false, true]);
  expect((await agreement('publish', join(dir, 'agreements'))).stdout).toMatch(
    /^one@\S+; it was already there\ntwo@\S+; it was already there\n$/,
  );
});

test('refuses to replace what somebody else has put in force, and says who and when', async () => {
  const by = (user: string, ...args: string[]) =>
    ratesHere(['agreement', 'publish', ...args], { env: { ...env, USER: user } });
  await by('ann', await make('one', '20'), await make('two', '30'));
  expect(await by('bob', await make('one', '21'))).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Nothing was published\. This would replace or withdraw one@\S+, which ann@\S+ published at 20\S+Z\. Use --replace to do that\.\n$/,
    ),
  });
  expect(await ratesHere(['agreement', 'withdraw', 'one'], { env: { ...env, USER: 'bob' } })).toMatchObject({
    code: 1,
  });
  expect(await by('ann', await make('one', '22'))).toMatchObject({ code: 0 });
  // A change may keep what others put in force.
  expect(await by('bob', join(dir, 'agreements', 'two'), await make('three', '10'))).toMatchObject({ code: 0 });
  expect(await by('bob', await make('three', '11'))).toMatchObject({ code: 0 });
  expect(await by('bob', '--replace', await make('one', '21'))).toMatchObject({ code: 0 });
  expect(await by('bob', await make('one', '23'))).toMatchObject({ code: 0 });
  expect(await by('ann', await make('one', '22'))).toMatchObject({ code: 1 });
});

test('publishes a tariff with an agreement that has folders', async () => {
  env = { ...env, TARIFFS_DIR: 'published' };
  const one = await make('one', '20');
  const { 'discounts.csv': discounts = [] } = filesOf('one', '25');
  await makeAgreement(join(one, 'amendments', '2026-06-01'), { 'discounts.csv': discounts });
  expect(await ratesHere(['publish', join(dir, 'tariffs', 'small'), one], { env })).toMatchObject({ code: 0 });
  expect(await names()).toEqual(['one']);
  expect(
    await ratesHere(['publish', '--replace', join(dir, 'tariffs'), join(dir, 'agreements')], { env }),
  ).toMatchObject({
    code: 0,
  });
});

test('refuses the same together with tariffs, and publishes nothing then', async () => {
  env = { ...env, TARIFFS_DIR: 'published' };
  const by = (user: string, ...args: string[]) => ratesHere(['publish', ...args], { env: { ...env, USER: user } });
  expect(await by('ann', join(dir, 'tariffs'), await make('one', '20'))).toMatchObject({ code: 0 });
  const before = await ids();
  await writeTariffFolder(join(dir, 'later', 'small'), smallTariff({ file: { effective: '2031-01-01' } }));
  const both = [join(dir, 'later'), await make('one', '21')];
  expect(await by('bob', ...both)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(
      /^Nothing was published\. This would replace or withdraw one@\S+, which ann@\S+ published at 20/,
    ),
  });
  expect(await ids()).toEqual(before);
  expect((await ratesHere(['tariff', 'list'], { env })).stdout).not.toContain('2031-01-01');
  expect(await by('bob', '--replace', ...both)).toMatchObject({ code: 0 });
  expect(await ids()).not.toEqual(before);
});

test('goes back to an earlier version, and lists all versions', async () => {
  const { stdout } = await agreement('publish', await make('one', '20'), '--json');
  const { version } = JSON.parse(stdout);
  const [first] = await ids();
  await agreement('publish', await make('one', '21'));
  const [second] = await ids();
  expect(second).not.toBe(first);
  expect((await agreement('go-back', version)).stdout).toBe(`${first}, instead of ${second}\nversion ${version}\n`);
  expect(await ids()).toEqual([first]);
  const lines = (await agreement('list')).stdout.split('\n').filter((line) => line.startsWith('version '));
  expect(lines).toEqual([
    expect.stringMatching(/^version 2-[0-9a-f]{16}: one@2026-01-01-[0-9a-f]{8}; published .* by .*@[^,]*$/),
    expect.stringMatching(new RegExp(`^version ${version}: ${first}; published .*, in force since .* by `)),
  ]);
  expect((await agreement('versions')).stdout).toBe(`${lines.join('\n')}\n`);
});

test('takes out an agreement that no client uses', async () => {
  await agreement('publish', await make('one', '20'), await make('two', '30'));
  expect(await addClient('acme', '--agreement', 'one=101')).toMatchObject({ code: 0 });
  expect(await agreement('withdraw', 'one')).toMatchObject({
    code: 1,
    stderr:
      'Nothing was changed. These clients would have no prices: acme uses one. Change them first with `rates client set`.\n',
  });
  expect(await agreement('withdraw', 'two')).toMatchObject({ code: 0 });
  expect(await names()).toEqual(['one']);
  expect((await agreement('list')).stdout).toContain('  acme (101)\n');
  expect(await agreement('withdraw', 'two')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Nothing was withdrawn\. There is no agreement two\. There is only one@\S+\.\n$/),
  });
});

test('does not go back to a version without an agreement that a client uses', async () => {
  const { stdout } = await agreement('publish', await make('one', '20'), '--json');
  await agreement('publish', await make('two', '30'));
  await addClient('acme', '--agreement', 'two');
  const back = await agreement('go-back', JSON.parse(stdout).version);
  expect([back.code, back.stderr]).toEqual([1, expect.stringContaining('acme uses two')]);
  expect(await names()).toEqual(['one', 'two']);
});

test('refuses an agreement that would conflict with another one of a client', async () => {
  const lost = expect.stringContaining(
    'Nothing was published. The client acme would have no prices: one and two both cover GROUND for the same warehouses.',
  );
  await agreement('publish', await make('one', '20', { until: '2026-05-31' }), await make('two', '30', JUNE));
  expect(await addClient('acme', '--agreement', 'one', '--agreement', 'two')).toMatchObject({ code: 0 });
  const before = await ids();
  const endless = await make('one', '20');
  expect(await agreement('publish', endless)).toMatchObject({ code: 1, stderr: lost });
  expect(await ratesHere(['publish', endless], { env: { ...env, TARIFFS_DIR: '' } })).toMatchObject({
    code: 1,
    stderr: lost,
  });
  expect(await ids()).toEqual(before);
  // Both change at once, and do not conflict.
  expect(
    await agreement('publish', await make('one', '20', { until: '2026-08-31' }), await make('two', '30', SEPTEMBER)),
  ).toMatchObject({ code: 0 });
  expect(await agreement('publish', await make('one', '20', { until: '2026-12-31' }))).toMatchObject({
    code: 1,
    stderr: lost,
  });
});

describe('in a folder', () => {
  const root = () => join(dir, 'in-force');
  beforeEach(async () => {
    await mkdir(root());
    env = { ...env, AGREEMENTS_DIR: root() };
  });

  test('agreements are published, withdrawn and restored, and documents next to them stay', async () => {
    const one = await make('one', '20');
    await writeFile(join(one, 'contract.pdf'), 'signed');
    expect(await agreement('publish', one, await make('two', '30'))).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/in-force\/one: one@\S+\n.*in-force\/two: two@\S+\nversion 1\n$/),
      stderr: 'Processes that run with this AGREEMENTS_DIR use it within a second.\n',
    });
    const before = await ids();
    expect(await agreement('withdraw', 'two')).toMatchObject({ code: 0, stdout: expect.stringContaining('version 2') });
    await make('one', '21');
    await agreement('publish', one);
    expect(await names()).toEqual(['one']);
    expect(await agreement('go-back', '1')).toMatchObject({ code: 0, stdout: expect.stringContaining('version 4') });
    expect(await ids()).toEqual(before);
    expect(await readFile(join(root(), 'one', 'contract.pdf'), 'utf8')).toBe('signed');
  });

  test('an agreement replaces the one with its name, whatever that folder is called', async () => {
    await makeAgreement(join(root(), 'our-carrier'), filesOf('one', '20'));
    const one = await make('one', '21');
    expect(await agreement('publish', one)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^Nothing was published\. This would replace or withdraw one@\S+, which was put there without being published\. Use --/,
      ),
    });
    expect(await agreement('publish', one, '--replace')).toMatchObject({ code: 0 });
    expect(await readdir(root())).toEqual(['.versions', 'our-carrier']);
    expect(await names()).toEqual(['one']);
    expect(await agreement('go-back', '1')).toMatchObject({ code: 0 });
    expect((await agreement('show', join(root(), 'our-carrier'), '--json')).stdout).toContain('20');
  });

  test('a folder that has another agreement is not overwritten', async () => {
    await makeAgreement(join(root(), 'one'), filesOf('other', '20'));
    expect(await agreement('publish', await make('one', '21'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The folder one has another agreement. Give that folder another name first.'),
    });
    expect(await names()).toEqual(['other']);
  });
});

test('publishes nothing if one of several has an error, also against the tariffs', async () => {
  const [one, other] = [await make('one', '20'), join(dir, 'agreements', 'other')];
  await makeAgreement(other, { ...filesOf('other', '20'), 'discounts.csv': ['discount,services,percent', 'A,AIR,5'] });
  const { code, stderr } = await agreement('publish', one, other);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: other\/discounts\.csv row 2.*\nNothing was published: 1 error\.\n$/);
  expect(await ids()).toEqual([]);
});

test('publish without a folder is a usage error', async () => {
  const said = await agreement('publish');
  expect([said.code, said.stderr]).toEqual([2, expect.stringContaining("missing required argument 'folders'")]);
});

test('lists the agreements of a folder, with tiers, ends, clients and errors', async () => {
  await make('one', '20', { until: '2026-12-31' });
  await make('two', '30');
  await make('over', '30', { until: '2026-06-30' });
  await makeAgreement(join(dir, 'agreements', 'one', 'amendments', '2026-07-01'), {
    'tiers.csv': ['tier,from_usd', 'gold,5000.00'],
    'spend.csv': ['week_ending,usd', '2026-11-07,6000.00'],
  });
  await makeAgreement(join(dir, 'agreements', 'bad'), { 'agreement.json': '{}' });
  env = { ...env, AGREEMENTS_DIR: join(dir, 'agreements') };
  await addClient('acme', '--agreement', 'one=101', '--agreement', 'two');
  await addClient('gone', '--agreement', 'two');
  await rm(join(dir, 'agreements', 'two'), { recursive: true });
  const said = await listDocuments(AGREEMENT_FAMILY, join(dir, 'agreements'), new Date('2026-11-24T12:00:00Z'), {
    env,
    stderr: process.stderr,
  });
  expect(said.exit).toBe(1);
  expect(said.lines?.().map((line) => String(line).replaceAll(/-[0-9a-f]{8} /g, '-id '))).toEqual([
    'agreement                 carrier  from        to          amended     tier   clients',
    'one@2026-01-01-id   Small    2026-01-01  2026-12-31  2026-07-01  gold?  acme (101)',
    'over@2026-01-01-id  Small    2026-01-01  2026-06-30  -           -      none',
  ]);
  expect(said.remarks?.()).toEqual([
    'one ends in 37 days, on 2026-12-31: list rates apply then',
    'over ended on 2026-06-30: list rates apply',
    'one: the tier is uncertain, because newer weeks are missing in spend.csv',
    'acme has no prices: the agreement two is missing or has errors',
    'gone has no prices: the agreement two is missing or has errors',
  ]);
  expect(said.notes?.slice(0, 2)).toEqual([
    'bad has errors:',
    expect.stringMatching(/^error: bad\/agreement\.json name: /),
  ]);
});

test('lists a client whose agreements have come to overlap', async () => {
  await make('one', '20', { until: '2026-06-30' });
  await make('two', '30', { effective: '2026-07-01' });
  env = { ...env, AGREEMENTS_DIR: join(dir, 'agreements') };
  await addClient('acme', '--agreement', 'one', '--agreement', 'two');
  await make('one', '20');
  const io = { env, stderr: process.stderr };
  const said = await listDocuments(AGREEMENT_FAMILY, join(dir, 'agreements'), new Date('2026-11-24T12:00:00Z'), io);
  expect(said.remarks?.()).toEqual([
    expect.stringMatching(/^acme has no prices: one and two both cover .+ for the same warehouses$/),
  ]);
});

test('an agreement that two folders have is an error', async () => {
  await make('one', '20');
  await makeAgreement(join(dir, 'agreements', 'copy'), filesOf('one', '25'));
  const { code, stderr } = await ratesHere(['agreement', 'list', join(dir, 'agreements')], { env });
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining('error: one/agreement.json name: the folder copy has an agreement of the same name'),
  ]);
});

test('shows a published agreement by its name', async () => {
  await agreement('publish', await make('one', '20'));
  const { code, stdout } = await agreement('show', 'one', '--day', '2026-06-10', '--service', 'GROUND', '--net-rates');
  expect([code, stdout.split('\n').at(-2)]).toEqual([0, '10,15.20,30.40']);
  expect(await agreement('show', 'two')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('No agreement two is published.'),
  });
});
