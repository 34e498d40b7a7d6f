/** oltp_point_select: the cost of one round trip. */
import { integer } from '../../base/options.ts';
import { defineOltp } from '../oltp/family.ts';

export default defineOltp({
  summary: 'One row by its id: the smallest useful read.',
  options: {
    point_selects: integer({ default: 1, min: 0, help: 'taken, as sysbench takes it, and ignored: always 1' }),
  },
  transaction: 'point_select',
  groups: ['one_point_select'],
  hasTransaction: false,
});
