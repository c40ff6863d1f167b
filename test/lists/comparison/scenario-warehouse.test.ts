import { expect, test } from 'vitest';
import { Failed } from '../../../src/base/failed.ts';
import { check } from '../../../src/base/validation.ts';
import { scenarioSchema } from '../../../src/lists/comparison/scenario.ts';

test.each(['4', 'all', '4|7'])('the warehouse %j of a scenario says what it must be', (warehouse) => {
  const checked = check(scenarioSchema, { warehouse });
  expect(checked).toBeInstanceOf(Failed);
  expect(checked instanceof Failed && checked.fault).toEqual([
    {
      path: ['warehouse'],
      message: 'must be a warehouse id without quotes, such as 4, or "any", or 2 to 50 ids, such as [4, 7]',
    },
  ]);
});
