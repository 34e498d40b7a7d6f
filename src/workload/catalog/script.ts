/** script: SQL files as transactions, in the spirit of pgbench. */
import { scriptWorkload } from '../script/workload.ts';

export default scriptWorkload;
