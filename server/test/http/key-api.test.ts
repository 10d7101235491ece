import { describeKeyApi } from './key-api-suite.ts';

describeKeyApi();
