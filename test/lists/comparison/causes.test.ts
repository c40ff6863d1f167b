import { testCauses } from './causes.ts';

testCauses(200, 100);
