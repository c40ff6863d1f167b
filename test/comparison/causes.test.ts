import { testCauses } from './causes.ts';

testCauses(400, 200);
