import { startTestService } from '../support/service.ts';
import { describeBoards } from './board-suite.ts';

describeBoards(() => startTestService());
