/** Old versions of rows pile up. */
import { figure, type Rule } from '../verdict.ts';

const LENGTH_MIN = 100_000;
/** First and last tenth of the run. */
const EDGE = 0.1;

const purgeLag: Rule = ({ evidence }) => {
  const points = evidence.points('server_internals', 'history_list_length');
  const edge = Math.max(1, Math.floor(points.length * EDGE));
  const [first, last] = [mean(points.slice(0, edge)), mean(points.slice(-edge))];
  if (points.length < 10 || last < LENGTH_MIN || last <= first) return undefined;
  return {
    role: 'contributes',
    is: 'Old row versions pile up faster than they are purged.',
    evidence: [`the history list grew from ${figure(first)} to ${figure(last)}`],
    confirmBy: 'With more innodb_purge_threads, or no long transaction, the list stays short.',
    advice: 'Look for transactions that stay open, and raise innodb_purge_threads.',
  };
};

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

export default purgeLag;
