/** A genuine agreement on the full tariff, with all files. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { filesIn, type SampleFile } from './tariff-samples.ts';

const RATES = 'weight_lb,2,8\n8 oz,8.00,16.00\n1,9.00,18.00\n2,9.50,19.00\nper_lb,1.00,2.00\n';

const FILES = {
  'agreement.json': JSON.stringify({
    ...{ name: 'acme', carrier: 'Small', effective: '2026-01-05', until: '2100-01-01' },
    services: {
      GROUND: { dimensionalFactor: 166, dimensionalOverCubicIn: 1_728, rateCapPercent: '4.9', multiweight: {} },
    },
    earned: {
      inForce: [{ from: '2026-07-01', until: '2026-07-31', tier: '2' }],
      grace: { until: '2026-02-28', tier: '1' },
      programs: { Volume: { period: 'quarter' } },
    },
  }),
  'discounts.csv':
    'discount,better_of,services,zones,from_lb,to_lb,address,applies_to,tier,percent\n' +
    'Ground,,GROUND,2-8,1,5,commercial,both,,10\nGround,,GROUND,2-8,6,,commercial,packages,,18.5%\n' +
    'Home,best,*,2|8,,,residential,both,,7\nHome 2,best,*,*,,,residential,multiweight,,9\nEarned,,*,*,,,any,both,1,2\n' +
    'Earned,,*,*,,,any,both,2,4\nVolume,,*,*,,,any,both,V,1\n',
  'minimums.csv':
    'services,address,minimum,value,zone,weight_lb\nGROUND,any,less usd,0.75,2,1\n*,residential,usd,8.00,,\n',
  'surcharges.csv':
    'surcharge,services,zones,area,change,value\nAREA,*,*,remote,percent off,50\nAREA,*,*,,at most,3.00\n' +
    'FUEL,GROUND,*,,points off,1.5\n',
  'fuel.csv': 'services,from,until,percent\n*,2026-01-05,2026-06-30,12.5\nGROUND,2026-07-01,,13\n',
  'tiers.csv': 'program,tier,from_usd,from_packages\n,1,0.00,\n,2,5000.00,\nVolume,V,,100\n',
  'spend.csv': 'week_ending,usd,packages\n2026-05-16,4000.00,40\n2026-05-23,7000.00,70\n2026-05-30,9000.00,90\n',
  'rates/GROUND.csv': RATES,
  'caps/GROUND.csv': RATES.replace('8 oz,8.00,16.00\n', ''),
  'multiweight/GROUND.csv': 'cwt_from_lb,2,8\n100,24.61,\n500,19.50,40.05\n',
  'amendments/2026-08-01/discounts.csv': 'percent,discount\n12.50,All\n',
  'amendments/2026-08-01/tiers.csv': 'tier,from_usd\n1,0.00\n2,6000.00\n',
};

/** Writes the agreement into a folder. */
export const sampleAgreement = async (root: string): Promise<readonly SampleFile[]> => {
  const folder = join(root, 'acme');
  for (const [name, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), text);
  }
  return await filesIn(folder, folder);
};
